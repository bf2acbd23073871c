package io.eley.bb.server.scratch;

import io.eley.bb.api.origin.TreeDeletion;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;

/**
 * Where Spark's External Shuffle Service looks for a file: below a local directory, in one of 64
 * directories that its name's hash gives ({@code ExecutorDiskUtils.getFilePath}, the same in Spark
 * 3.5 and 4.2).
 */
final class ScratchFiles {
  /** Spark's {@code spark.diskStore.subDirectories}; told to the service on registration. */
  static final int SUBDIRECTORIES = 64;

  private static final int PAGE = 4096;

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
    try {
      TreeDeletion.delete(root);
    } catch (NoSuchFileException e) {
      // There is none, or somebody else has just deleted it.
    }
  }
}
