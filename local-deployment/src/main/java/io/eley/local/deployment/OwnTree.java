package io.eley.local.deployment;

import io.eley.bb.api.edge.OwnPaths;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.Objects;

/**
 * Deletes a directory with what is in it. Every name is looked up in a directory that is open
 * (openat(2), unlinkat(2)), so no link is followed, not even one that takes a directory's place
 * meanwhile.
 */
public final class OwnTree {
  private OwnTree() {}

  /**
   * Deletes a directory. Blocks.
   *
   * @param directory below parents that nobody else can change
   */
  public static void delete(Path directory) throws IOException {
    OwnPaths.requireDirectory(directory);
    Path name = Objects.requireNonNull(directory.getFileName());
    Path parent = Objects.requireNonNull(directory.getParent());
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent)) {
      delete(secure(parent, stream), name);
    }
  }

  private static void delete(SecureDirectoryStream<Path> parent, Path name) throws IOException {
    try (var directory = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path entry : directory) {
        Path inside = Objects.requireNonNull(entry.getFileName());
        if (isDirectory(directory, inside)) {
          delete(directory, inside);
        } else {
          directory.deleteFile(inside);
        }
      }
    }
    parent.deleteDirectory(name);
  }

  private static boolean isDirectory(SecureDirectoryStream<Path> in, Path name) throws IOException {
    return in.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes()
        .isDirectory();
  }

  private static SecureDirectoryStream<Path> secure(Path directory, DirectoryStream<Path> stream)
      throws IOException {
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    throw new FileSystemException(
        directory.toString(), null, "this system cannot delete without following links");
  }
}
