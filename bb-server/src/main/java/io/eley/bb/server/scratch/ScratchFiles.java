package io.eley.bb.server.scratch;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where Spark's External Shuffle Service looks for a file: below a local directory, in one of 64
 * directories that its name's hash gives ({@code ExecutorDiskUtils.getFilePath}, the same in Spark
 * 3.5 and 4.2).
 */
final class ScratchFiles {
  /** Spark's {@code spark.diskStore.subDirectories}; told to the service on registration. */
  static final int SUBDIRECTORIES = 64;

  private static final int PAGE = 4096;

  /** More files than that are not being made in one directory when it is to go. */
  static final int ATTEMPTS = 10;

  static final FileAttribute<Set<PosixFilePermission>> OWNER_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  static final FileAttribute<Set<PosixFilePermission>> OWNER_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private ScratchFiles() {}

  /** The place of a file below a local directory. */
  static Path place(Path localDirectory, String name) {
    int hash = name.hashCode();
    int bucket = (hash == Integer.MIN_VALUE ? 0 : Math.abs(hash)) % SUBDIRECTORIES;
    return localDirectory.resolve(String.format(Locale.ROOT, "%02x", bucket)).resolve(name);
  }

  /** Bytes of RAM that a file takes on a RAM-disk. */
  static long footprint(long bytes) {
    return (bytes + PAGE - 1) / PAGE * PAGE;
  }

  /**
   * Deletes a directory with all that is in it, following no links; nothing when there is none.
   * Others may delete below it meanwhile, and finish what they were making there.
   *
   * @throws IOException when something is left
   */
  static void deleteTree(Path root) throws IOException {
    deleteTree(root, new Deletion());
  }

  static void deleteTree(Path root, Deletion deletion) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        Files.walkFileTree(root, deletion);
        return;
      } catch (DirectoryNotEmptyException e) {
        if (attempt == ATTEMPTS) { // a file was made behind the listing, again and again
          throw e;
        }
      }
    }
  }

  /**
   * Deletes what it visits; what has vanished since it was listed was somebody else's to delete.
   */
  static class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
        throws IOException {
      if (e != null && !(e instanceof NoSuchFileException)) {
        throw e;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
