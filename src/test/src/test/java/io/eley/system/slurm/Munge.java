package io.eley.system.slurm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A munge of the test's own, beside that of the machine: a key, a socket and a daemon. */
final class Munge implements AutoCloseable {
  private static final int KEY_BYTES = 128;
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  private final Path directory;
  private final Process daemon;

  /** Starts it and waits until it listens. */
  Munge(Path directory) throws Exception {
    this.directory = Files.createDirectory(directory);
    Path key = directory.resolve("key");
    byte[] secret = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(secret);
    Files.createFile(
        key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(key, secret);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    SlurmSite.run("chown", "-R", "munge:munge", directory.toString());
    // munged refuses to run as root.
    daemon =
        new ProcessBuilder(
                "setpriv",
                "--reuid=munge",
                "--regid=munge",
                "--clear-groups",
                "munged",
                "--foreground",
                "--num-threads=4",
                "--socket=" + socket(),
                "--key-file=" + key,
                "--pid-file=" + directory.resolve("pid"),
                "--seed-file=" + directory.resolve("seed"),
                "--log-file=" + directory.resolve("log"))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile())
            .start();
    try {
      Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(socket()));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * For slurm.conf.
   *
   * @param credentials how long those of a job are good, which is how long Slurm keeps a requeued
   *     job from starting again
   */
  String lines(Duration credentials) {
    return """
    AuthType=auth/munge
    CredType=cred/munge
    AuthInfo=socket=%s,cred_expire=%d
    """
        .formatted(socket(), credentials.toSeconds());
  }

  private Path socket() {
    return directory.resolve("socket");
  }

  @Override
  public void close() {
    daemon.destroy();
    try {
      if (!daemon.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        daemon.destroyForcibly();
      }
    } catch (InterruptedException e) {
      daemon.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
