package io.eley.coordinator.board;

import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.edge.ProcessLock;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The board's hold on its directory; used by one thread. */
final class BoardDirectory implements AutoCloseable {
  /** Everybody can make files, and neither list nor remove those of others. */
  private static final int DROP_BOX = 01733;

  private static final int PUBLIC = 0755;

  private final BoardFiles files;
  private final ProcessLock lock;

  private BoardDirectory(BoardFiles files, ProcessLock lock) {
    this.files = files;
    this.lock = lock;
  }

  /**
   * Makes the directory when it is missing, and the one for tokens, and locks it for the life of
   * this process.
   *
   * @throws EleyException {@code UNAVAILABLE} when another board has it, {@code ACCESS_DENIED} when
   *     it cannot be used or others could exchange it
   */
  static BoardDirectory claim(BoardFiles files) throws EleyException {
    try {
      OwnPaths.requireDirectoryOrPlace(files.directory());
      make(files.directory(), PUBLIC);
      make(files.tokens(), DROP_BOX);
      OwnPaths.requireDirectory(files.directory());
      ProcessLock lock =
          ProcessLock.take(files.lock())
              .orElseThrow(
                  () ->
                      new EleyException(
                          ErrorCode.UNAVAILABLE, "another board runs on " + files.directory()));
      Files.deleteIfExists(files.address());
      return new BoardDirectory(files, lock);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw unusable(files.directory(), e);
    }
  }

  private static void make(Path directory, int mode) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Files.setAttribute(directory, "unix:mode", mode, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /** Publishes the address; readers see all of it or nothing. */
  void publish(String hostAndPort) throws EleyException {
    try {
      OwnFiles.replacePublic(files.address(), hostAndPort + "\n");
    } catch (IOException e) {
      throw unusable(files.directory(), e);
    }
  }

  /** Removes the address and releases the lock. */
  @Override
  public void close() throws EleyException {
    try (lock) {
      Files.deleteIfExists(files.address());
    } catch (IOException e) {
      throw unusable(files.directory(), e);
    }
  }

  static EleyException unusable(Path directory, IOException e) {
    return new EleyException(
        ErrorCode.ACCESS_DENIED,
        "cannot use the board's directory "
            + directory
            + ": "
            + e.getClass().getSimpleName()
            + " "
            + e.getMessage(),
        e);
  }
}
