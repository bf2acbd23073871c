package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * The nodes' private directories on the RAM-disk. A node that is killed leaves its blocks in RAM,
 * so each directory is noted when it is made, and stopping the deployment removes what is noted.
 *
 * @param files of the deployment
 */
record RamDisks(DeploymentFiles files) {
  private static final String PREFIX = "eley-";

  /** Makes and notes a directory of mode 0700. */
  Path create(Path ramDisk, String node) throws EleyException {
    try {
      Path made =
          Files.createTempDirectory(
              ramDisk,
              PREFIX + node + "-",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Files.writeString(
          files.ramDisks(), made + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      return made;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED,
          "cannot make a directory on " + ramDisk + ": " + e.getMessage(),
          e);
    }
  }

  /** Removes the directories that are noted and still look like ours. */
  void remove() throws EleyException {
    Path list = files.ramDisks();
    if (!Files.exists(list)) {
      return;
    }
    try {
      for (String line : Files.readAllLines(list)) {
        Path blocks = Path.of(line);
        if (isNodes(blocks) && Files.isDirectory(blocks)) {
          Files.walkFileTree(blocks, new Remover());
        }
      }
      Files.delete(list);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot remove the blocks of a node: " + e.getMessage(), e);
    }
  }

  private static boolean isNodes(Path directory) {
    Path name = directory.getFileName();
    return name != null && name.toString().startsWith(PREFIX + LocalDeployment.NODE + "-");
  }

  private static final class Remover extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
        throws IOException {
      Files.deleteIfExists(visited);
      return FileVisitResult.CONTINUE;
    }
  }
}
