package io.eley.bb.api.process;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Runs another program's {@code main} in this JVM and keeps the end of what it prints: a file that
 * has grown to {@link #MOST_BYTES} is copied to one of the same name and {@code .old}, and emptied.
 * So a program that prints for days takes no more than twice that, whatever it prints with.
 *
 * <p>The JVM's own messages come to the same file, and count when it is emptied. That is why the
 * file stays and is emptied instead of renamed, and why whoever starts this JVM appends to it.
 */
public final class KeptOutput {
  /** Of each of the two files, but for the JVM's own messages. */
  public static final int MOST_BYTES = 128 << 10;

  private KeptOutput() {}

  /**
   * Does not return before the program does.
   *
   * @param arguments the file that the output of this JVM is appended to, the name of the class
   *     whose {@code main} runs, then its arguments
   * @throws InvocationTargetException when the program fails
   * @throws ReflectiveOperationException when there is no such program
   */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    var kept =
        new PrintStream(
            new Bounded(Path.of(arguments[0]), new FileOutputStream(FileDescriptor.out)),
            true,
            Charset.defaultCharset());
    System.setOut(kept);
    System.setErr(kept);
    Class.forName(arguments[1])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(arguments, 2, arguments.length));
  }

  /** Appends to a file until it is full, then makes it the old one. */
  static final class Bounded extends OutputStream {
    private final Path file;
    private final OutputStream appending;
    private long written;

    Bounded(Path file, OutputStream appending) {
      this.file = file;
      this.appending = appending;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
      if (written > 0 && written + length > MOST_BYTES) {
        Files.copy(
            file,
            file.resolveSibling(file.getFileName() + ".old"),
            StandardCopyOption.REPLACE_EXISTING);
        Files.newByteChannel(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
            .close();
        written = 0;
      }
      appending.write(bytes, offset, length);
      written += length;
    }
  }
}
