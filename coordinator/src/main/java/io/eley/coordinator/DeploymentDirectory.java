package io.eley.coordinator;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.edge.ProcessLock;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
import io.eley.coordinator.phases.HttpIdentity;
import io.eley.coordinator.phases.HttpToken;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * The directory by which the processes of a deployment find each other: the lock is held by the
 * coordinator for its life, all of them share the secret, and the address exists while the
 * coordinator listens. {@link DeploymentFiles} has the names.
 *
 * <p>Used by one thread.
 */
final class DeploymentDirectory implements AutoCloseable {
  /** More than one coordinator gives to views, at a change a millisecond for a quarter hour. */
  private static final long EPOCHS = 1 << 20;

  private final DeploymentFiles files;
  private final ProcessLock lock;

  private DeploymentDirectory(DeploymentFiles files, ProcessLock lock) {
    this.files = files;
    this.lock = lock;
  }

  /**
   * Makes the directory when it is missing (mode 0700) and locks it. The lock is the kernel's, so
   * it ends with the process however that ends.
   *
   * @throws EleyException {@code UNAVAILABLE} when another coordinator has it, {@code
   *     ACCESS_DENIED} when it cannot be written, or can be by anybody else
   */
  static DeploymentDirectory claim(Path directory) throws EleyException {
    var files = new DeploymentFiles(directory);
    try {
      OwnPaths.requireDirectoryOrPlace(files.directory());
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      ProcessLock lock =
          ProcessLock.take(files.coordinatorLock())
              .orElseThrow(
                  () ->
                      new EleyException(
                          ErrorCode.UNAVAILABLE,
                          "another coordinator runs on "
                              + directory
                              + "; stop it first, or choose another directory"));
      Files.deleteIfExists(files.coordinatorAddress());
      return new DeploymentDirectory(files, lock);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  /** The deployment's secret; made, with mode 0600, by the first coordinator. */
  Secret secret() throws EleyException {
    Path file = files.secret();
    try {
      return Files.exists(file) ? Secret.load(file) : Secret.create(file);
    } catch (FileAlreadyExistsException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "the secret file " + file + " appeared meanwhile; try again", e);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, String.valueOf(e.getMessage()), e);
    }
  }

  /** The directory itself. */
  Path path() {
    return files.directory();
  }

  /** Where the names of the applications are kept. */
  Path applications() {
    return files.applications();
  }

  /** Publishes the coordinator's address; readers see all of it or nothing. */
  void publish(String hostAndPort) throws EleyException {
    replace(files.coordinatorAddress(), hostAndPort + "\n");
  }

  /**
   * Publishes what clients need to go on when no coordinator is here any more; it is kept when this
   * one ends.
   */
  void publishOrigin(String address, BufferMode mode) throws EleyException {
    replace(files.origin(), address + "\n" + mode.name() + "\n");
  }

  /**
   * The first epoch of this coordinator's views: larger than any that an earlier one has given,
   * wherever the clock has gone meanwhile. It is the time in milliseconds, or follows what is kept
   * in the directory if that is more; as many as one coordinator may need are set aside.
   */
  long firstEpoch(long nowMillis) throws EleyException {
    long first = Math.max(nowMillis, lastEpoch() + 1);
    replace(files.epoch(), first + EPOCHS + "\n");
    return first;
  }

  private long lastEpoch() {
    try {
      return Long.parseLong(OwnPaths.read(files.epoch()).strip());
    } catch (IOException | NumberFormatException e) {
      return 0; // The first coordinator here, or one before us that kept none.
    }
  }

  private void replace(Path file, String content) throws EleyException {
    try {
      OwnFiles.replace(file, content);
    } catch (IOException e) {
      throw unusable(files.directory(), e);
    }
  }

  /**
   * Publishes how job scripts announce by curl(1): the URL, the token, and the server's certificate
   * when there is one.
   */
  void publishHttp(String url, HttpToken token, Optional<HttpIdentity> identity)
      throws EleyException {
    try {
      Files.deleteIfExists(files.announceCertificate());
      if (identity.isPresent()) {
        OwnFiles.replace(files.announceCertificate(), identity.get().certificate());
      }
      token.write(files.announceCurl(), identity.map(i -> files.announceCertificate()));
      OwnFiles.replace(files.announceUrl(), url + "\n");
    } catch (IOException e) {
      throw unusable(files.directory(), e);
    }
  }

  /** Publishes the URL of the live page, with its token. */
  void publishLive(String url) throws EleyException {
    replace(files.liveUrl(), url + "\n");
  }

  /** Removes the address and releases the lock. */
  @Override
  public void close() throws EleyException {
    try (lock) {
      for (Path file : files.whileItListens()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw unusable(files.directory(), e);
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
