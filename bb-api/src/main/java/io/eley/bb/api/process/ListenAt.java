package io.eley.bb.api.process;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;

/**
 * Runs another program's {@code main} in this JVM, in which whoever would listen on all addresses
 * of the host listens on one. For programs that have no setting for it, as Spark's External Shuffle
 * Service.
 *
 * <p>The JDK keeps the address that stands for all of them in one field and has no public way to
 * say another. So this needs {@link #OPENS}, and a JDK that keeps it there (17 does, later ones
 * were not tried): with any other it fails, rather than listen everywhere.
 */
public final class ListenAt {
  /** An option that this JVM must have been started with. */
  public static final String OPENS = "--add-opens=java.base/java.net=ALL-UNNAMED";

  private static final String FIELD = "anyLocalAddress";

  private ListenAt() {}

  /**
   * Does not return before the program does.
   *
   * @param arguments the address, the name of the class whose {@code main} runs, then its arguments
   * @throws IOException when the JDK cannot be told the address
   * @throws ReflectiveOperationException when there is no such program
   */
  public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
    listenAt(InetAddress.getByName(arguments[0]));
    try {
      Class.forName(arguments[1])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(arguments, 2, arguments.length));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException own) {
        throw own;
      }
      throw e;
    }
  }

  private static void listenAt(InetAddress address) throws IOException {
    var all = new InetSocketAddress(0); // from now on the field has its value
    try {
      Field implementation = InetAddress.class.getDeclaredField("impl");
      implementation.setAccessible(true);
      Object keeper = implementation.get(null);
      Field kept = keeper.getClass().getDeclaredField(FIELD);
      kept.setAccessible(true);
      kept.set(keeper, address);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IOException("this JDK cannot be told to listen at " + address + " alone", e);
    }
    if (!all.getAddress().isAnyLocalAddress()
        || !new InetSocketAddress(0).getAddress().equals(address)) {
      throw new IOException("this JDK listens elsewhere than at " + address);
    }
  }
}
