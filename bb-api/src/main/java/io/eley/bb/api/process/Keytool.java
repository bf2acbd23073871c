package io.eley.bb.api.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The JDK's keytool(1): the JDK has no other way to make a certificate for a key. The password goes
 * by the environment, never on the command line.
 */
public final class Keytool {
  private static final String PASSWORD = "ELEY_KEYTOOL_PASSWORD";
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private Keytool() {}

  /**
   * Makes a key and a certificate for it that it has signed itself, valid for ten years. Blocks for
   * about a second.
   *
   * @param store the file, PKCS #12, replaced when it exists; in a directory of the user's own,
   *     mode 0600
   * @param subject alternative names of the subject as keytool takes them, such as {@code
   *     IP:10.1.2.3}; empty for none
   * @throws IOException with keytool's own words when it cannot
   */
  public static void makeKey(Path store, String password, String subject) throws IOException {
    Files.deleteIfExists(store);
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", "eley", "-dname", "CN=eley"));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "3650"));
    command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString()));
    command.addAll(List.of("-storepass:env", PASSWORD));
    if (!subject.isEmpty()) {
      command.addAll(List.of("-ext", "SAN=" + subject));
    }
    run(command, password, DEADLINE);
    Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("rw-------"));
  }

  /** What keytool says is read when it has ended: its few lines fit into the pipe. */
  static void run(List<String> command, String password, Duration deadline) throws IOException {
    var keytool = new ProcessBuilder(command).redirectErrorStream(true);
    keytool.redirectInput(new File("/dev/null")).environment().put(PASSWORD, password);
    Process process = keytool.start();
    try {
      if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("keytool has not made a key within " + deadline.toMillis() + " ms");
      }
      byte[] said = process.getInputStream().readAllBytes();
      if (process.exitValue() != 0) {
        String words = new String(said, StandardCharsets.UTF_8).strip();
        throw new IOException("keytool cannot make a key: " + words);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keytool made a key", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
