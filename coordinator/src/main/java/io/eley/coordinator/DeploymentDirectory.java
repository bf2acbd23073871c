package io.eley.coordinator;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
import io.eley.coordinator.phases.HttpToken;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The directory by which the processes of a deployment find each other: {@value #LOCK} is held by
 * the coordinator for its life, {@value #SECRET} is what all of them know, {@value #ADDRESS} is
 * there while the coordinator listens.
 *
 * <p>Used by one thread.
 */
final class DeploymentDirectory implements AutoCloseable {
  static final String LOCK = "coordinator.lock";
  static final String SECRET = "secret";
  static final String ADDRESS = "coordinator.address";
  static final String URL = "announce.url";
  static final String CURL = "announce.curl";

  private final Path directory;
  private final FileChannel lockFile;

  private DeploymentDirectory(Path directory, FileChannel lockFile) {
    this.directory = directory;
    this.lockFile = lockFile;
  }

  /**
   * Makes the directory when it is missing (mode 0700) and locks it. The lock is the kernel's, so
   * it ends with the process however that ends.
   *
   * @throws EleyException {@code UNAVAILABLE} when another coordinator has it, {@code
   *     ACCESS_DENIED} when it cannot be written
   */
  static DeploymentDirectory claim(Path directory) throws EleyException {
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      var channel =
          FileChannel.open(
              directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock(channel) == null) {
        channel.close();
        throw new EleyException(
            ErrorCode.UNAVAILABLE,
            "another coordinator runs on "
                + directory
                + "; stop it first, or choose another directory");
      }
      Files.deleteIfExists(directory.resolve(ADDRESS));
      return new DeploymentDirectory(directory, channel);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another coordinator in this very process
    }
  }

  /** The deployment's secret; made, with mode 0600, by the first coordinator. */
  Secret secret() throws EleyException {
    Path file = directory.resolve(SECRET);
    try {
      return Files.exists(file) ? Secret.load(file) : Secret.create(file);
    } catch (FileAlreadyExistsException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "the secret file " + file + " appeared meanwhile; try again", e);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, String.valueOf(e.getMessage()), e);
    }
  }

  /** Tells everybody where the coordinator is; readers see all of it or nothing. */
  void publish(String address) throws EleyException {
    Path temporary = directory.resolve(ADDRESS + ".new");
    try {
      Files.writeString(temporary, address + "\n");
      Files.move(temporary, directory.resolve(ADDRESS), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  /**
   * Tells job scripts how to announce by curl(1): the URL, and the token in a file of mode 0600.
   */
  void publishHttp(String url, HttpToken token) throws EleyException {
    try {
      token.write(directory.resolve(CURL));
      Files.writeString(directory.resolve(URL), url + "\n");
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  /** Takes the address back and lets go of the lock. */
  @Override
  public void close() throws EleyException {
    try (lockFile) {
      for (String file : List.of(ADDRESS, URL, CURL)) {
        Files.deleteIfExists(directory.resolve(file));
      }
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private static EleyException unusable(Path directory, IOException e) {
    return new EleyException(
        ErrorCode.ACCESS_DENIED,
        "cannot use the deployment directory "
            + directory
            + ": "
            + e.getClass().getSimpleName()
            + " "
            + e.getMessage(),
        e);
  }
}
