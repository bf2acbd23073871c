package io.eley.laboratory;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.TreeDeletion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * The experiment's private directory (mode 0700): on the RAM-disk when there is room, else where
 * temporary files go. Deleted with everything in it when closed.
 */
public final class WorkDirectory implements AutoCloseable {
  private static final Path RAM_DISK = Path.of("/dev/shm");

  private final Path path;

  private WorkDirectory(Path path) {
    this.path = path;
  }

  /**
   * Makes one.
   *
   * @param needed bytes that will be put there, about
   * @throws EleyException {@code NO_SPACE} naming the places that were looked at
   */
  public static WorkDirectory create(long needed) throws EleyException {
    return create(List.of(RAM_DISK, Path.of(System.getProperty("java.io.tmpdir"))), needed);
  }

  public static WorkDirectory create(List<Path> places, long needed) throws EleyException {
    var seen = new ArrayList<String>();
    for (var place : places) {
      long usable = usable(place);
      if (usable >= needed) {
        return new WorkDirectory(make(place));
      }
      seen.add(place + " has " + mebibytes(usable));
    }
    throw new EleyException(
        ErrorCode.NO_SPACE,
        "the experiment needs " + mebibytes(needed) + ", but " + String.join(", ", seen));
  }

  public Path path() {
    return path;
  }

  /** A directory inside, made when it does not exist. */
  public Path directory(String name) throws EleyException {
    try {
      return Files.createDirectories(path.resolve(name));
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot make " + path.resolve(name), e);
    }
  }

  /** Bytes that still fit. */
  public long usable() {
    return usable(path);
  }

  /** Deletes the directory; symbolic links are deleted, not followed. May be repeated. */
  @Override
  public void close() {
    delete(path);
  }

  /**
   * Deletes a directory with everything in it, if it is there; also while a task that was killed
   * writes until it notices.
   */
  public static void delete(Path directory) {
    try {
      TreeDeletion.delete(directory);
    } catch (NoSuchFileException e) {
      return; // it was never there, or is gone already
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + directory, e);
    }
  }

  private static Path make(Path place) throws EleyException {
    try {
      return Files.createTempDirectory(
          place,
          "eley-experiment-",
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot make a directory in " + place, e);
    }
  }

  private static long usable(Path place) {
    try {
      return Files.isWritable(place) ? Files.getFileStore(place).getUsableSpace() : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  private static String mebibytes(long bytes) {
    return DataSize.ofMebibytes(bytes >> 20).toString();
  }
}
