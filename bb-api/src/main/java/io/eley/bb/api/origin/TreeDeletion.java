package io.eley.bb.api.origin;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Deletes a directory with all below it while others work there, too: tasks of Spark that are
 * killed delete what a committer is deleting, and write until they notice; outputs are given up
 * while their application's directory goes. What somebody else has deleted is deleted; what
 * somebody has added is looked for by another walk.
 */
public final class TreeDeletion extends SimpleFileVisitor<Path> {
  /** Who adds entries longer than that is no straggler, and must hear that the tree stays. */
  private static final int WALKS = 10;

  private final Removal removal;

  /** Removes a file, a link, or an empty directory; one that is not there is fine. */
  interface Removal {
    void remove(Path path) throws IOException;
  }

  private TreeDeletion(Removal removal) {
    this.removal = removal;
  }

  /**
   * Deletes a file or directory, and no file that a link in it leads to. Blocks.
   *
   * @throws NoSuchFileException when it is not there to begin with
   * @throws DirectoryNotEmptyException when entries appear in it again and again
   */
  public static void delete(Path top) throws IOException {
    delete(top, Files::deleteIfExists);
  }

  static void delete(Path top, Removal removal) throws IOException {
    Files.readAttributes(top, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    for (int walk = 1; ; walk++) {
      try {
        Files.walkFileTree(top, new TreeDeletion(removal));
        return;
      } catch (DirectoryNotEmptyException e) {
        if (walk == WALKS) {
          throw e;
        }
      }
    }
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    removal.remove(file);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
    requireGone(e);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
      throws IOException {
    if (e != null) {
      requireGone(e);
    }
    removal.remove(directory);
    return FileVisitResult.CONTINUE;
  }

  private static void requireGone(IOException e) throws IOException {
    if (!(e instanceof NoSuchFileException)) {
      throw e;
    }
  }
}
