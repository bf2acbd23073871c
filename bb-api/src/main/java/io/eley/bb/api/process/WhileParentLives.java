package io.eley.bb.api.process;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another program's {@code main} in this JVM for as long as somebody holds the other end of
 * its standard input: whoever started it, however that one ends. So a child that knows nothing of
 * its parent does not outlive it, not even when that one is killed.
 */
public final class WhileParentLives {
  private WhileParentLives() {}

  /**
   * Ends the JVM with status 0 when the input ends, and with 1 when the program fails.
   *
   * @param arguments the name of the class whose {@code main} runs, then its arguments
   */
  public static void main(String[] arguments) {
    var watch = new Thread(WhileParentLives::awaitEnd, "eley-parent");
    watch.setDaemon(true);
    watch.start();
    try {
      Class.forName(arguments[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (ReflectiveOperationException e) {
      fail(e);
    }
  }

  /** Of programs that run each other the innermost one knows why. */
  private static void fail(Throwable failed) {
    Throwable why = failed;
    while (why instanceof InvocationTargetException && why.getCause() != null) {
      why = why.getCause();
    }
    System.err.println("cannot go on: " + why);
    Runtime.getRuntime().halt(1);
  }

  private static void awaitEnd() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      System.err.println("the parent cannot be watched: " + e);
    }
    Runtime.getRuntime().halt(0);
  }
}
