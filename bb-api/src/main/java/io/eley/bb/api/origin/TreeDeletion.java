package io.eley.bb.api.origin;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * Deletes a directory with all below it while others work there, too: tasks of Spark that are
 * killed delete what a committer is deleting, and write until they notice; outputs are given up
 * while their application's directory goes. What somebody else has deleted is deleted; what
 * somebody has added is looked for by another walk.
 *
 * <p>Every name is looked up in a directory that is open (openat(2), unlinkat(2)), so no link is
 * followed, not even one that takes a directory's place meanwhile: who may write below it can make
 * nobody delete what lies elsewhere.
 */
public final class TreeDeletion {
  /** Who adds entries longer than that is no straggler, and must hear that the tree stays. */
  private static final int WALKS = 10;

  private final Watcher watcher;

  /** Is told of each entry just before it is removed. */
  interface Watcher {
    void removing(Path path) throws IOException;
  }

  private TreeDeletion(Watcher watcher) {
    this.watcher = watcher;
  }

  /**
   * Deletes a file or directory, and no file that a link in it leads to. Blocks.
   *
   * @param top a link in its place is deleted itself; those on the way to it are followed
   * @throws NoSuchFileException when it is not there to begin with
   * @throws DirectoryNotEmptyException when entries appear in it again and again
   */
  public static void delete(Path top) throws IOException {
    delete(top, path -> {});
  }

  static void delete(Path top, Watcher watcher) throws IOException {
    Path absolute = top.toAbsolutePath();
    Path parent = Objects.requireNonNull(absolute.getParent(), "a root is not deleted");
    Files.readAttributes(top, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    var deletion = new TreeDeletion(watcher);
    for (int walk = 1; ; walk++) {
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent)) {
        deletion.remove(secure(parent, stream), absolute);
        return;
      } catch (DirectoryNotEmptyException e) {
        if (walk == WALKS) {
          throw e;
        }
      }
    }
  }

  /** Whatever it is; nothing if it has gone. */
  private void remove(SecureDirectoryStream<Path> in, Path path) throws IOException {
    Path name = Objects.requireNonNull(path.getFileName());
    try {
      if (isDirectory(in, name)) {
        empty(in, path);
        watcher.removing(path);
        in.deleteDirectory(name);
      } else {
        watcher.removing(path);
        in.deleteFile(name);
      }
    } catch (NoSuchFileException e) {
      // Somebody else has deleted it.
    } catch (FileSystemException e) {
      throw whole(path, e);
    }
  }

  private void empty(SecureDirectoryStream<Path> in, Path path) throws IOException {
    Path name = Objects.requireNonNull(path.getFileName());
    try (var directory = in.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path entry : directory) {
        remove(directory, path.resolve(Objects.requireNonNull(entry.getFileName())));
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  static boolean isDirectory(SecureDirectoryStream<Path> in, Path name) throws IOException {
    return in.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes()
        .isDirectory();
  }

  /** With the whole path; the system's names an entry by its last name, or not at all. */
  private static FileSystemException whole(Path path, FileSystemException e) {
    boolean named = e.getFile() != null && e.getFile().startsWith("/");
    String file = named ? e.getFile() : path.toString();
    FileSystemException whole;
    if (e instanceof DirectoryNotEmptyException) {
      whole = new DirectoryNotEmptyException(file);
    } else if (e instanceof AccessDeniedException) {
      whole = new AccessDeniedException(file, null, e.getReason());
    } else {
      whole = new FileSystemException(file, null, e.getReason());
    }
    whole.initCause(e);
    return whole;
  }

  /** A directory that is open, in which names are looked up without following links. */
  static SecureDirectoryStream<Path> secure(Path directory, DirectoryStream<Path> stream)
      throws IOException {
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    throw new FileSystemException(
        directory.toString(), null, "this system cannot delete without following links");
  }
}
