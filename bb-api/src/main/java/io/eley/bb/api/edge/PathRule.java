package io.eley.bb.api.edge;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Which paths nobody but their user (or root) can have made or can exchange: the rule of sshd's
 * {@code StrictModes}, but for links, each of which is followed by hand, so that what holds a link
 * is checked like what it leads to.
 *
 * <p>Each directory from the root down belongs to the user or to root, and neither its group nor
 * others can write to it; a sticky one (/tmp, /dev/shm) may be open, because what the next name is
 * there only its owner can change, and the next name is checked, too. A link belongs to the user or
 * to root.
 *
 * @param view of the file system
 * @param user whose paths are trusted, as a number
 */
record PathRule(FileView view, int user) {
  private static final int ROOT = 0;
  private static final int LINKS_MAX = 40; // of one path, as Linux has it

  /**
   * Requires a directory that belongs to the user or root, and that only they can write to.
   *
   * @throws NoSuchFileException when it, or a parent of it, is not there
   * @throws EleyException {@code ACCESS_DENIED} in one line with the path, its owner and its mode
   */
  void requireDirectory(Path directory) throws IOException {
    Path real = resolve(directory);
    FileFacts facts = view.look(real);
    if (facts.kind() != FileFacts.Kind.DIRECTORY) {
      throw refused(real, facts, "is not a directory");
    }
    requireClosed(real, facts);
  }

  /**
   * Requires that no parent of a path is anybody else's, as far as they are there: what the user
   * makes below them then stays what it is.
   */
  void requireParents(Path path) throws IOException {
    Path parent = path.toAbsolutePath().normalize().getParent();
    try {
      if (parent != null) {
        resolve(parent);
      }
    } catch (NoSuchFileException e) {
      return; // the rest is made by us, below what was checked
    }
  }

  /**
   * Requires a regular file of the user's in a directory that {@link #requireDirectory} takes.
   *
   * @param secret whether nobody else may read it either
   */
  void requireFile(Path file, boolean secret) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    if (parent != null) {
      requireDirectory(parent);
    }
    FileFacts facts = view.look(absolute);
    if (facts.kind() != FileFacts.Kind.FILE) {
      throw refused(absolute, facts, "is not a regular file");
    }
    if (facts.owner() != user) {
      throw refused(absolute, facts, "is not a file of this user (" + number(user) + ")");
    }
    if (secret && facts.isOpenToOthers()) {
      throw refused(absolute, facts, "is open to others; chmod 600 it");
    }
    if (facts.isWritableByOthers()) {
      throw refused(absolute, facts, "can be written by others; chmod go-w it");
    }
  }

  /**
   * Requires a regular file of the user's or root's, which nobody else can write, in a directory
   * that {@link #requireDirectory} takes.
   */
  void requireSiteFile(Path file) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    if (parent != null) {
      requireDirectory(parent);
    }
    FileFacts facts = view.look(absolute);
    if (facts.kind() != FileFacts.Kind.FILE) {
      throw refused(absolute, facts, "is not a regular file");
    }
    requireOwner(absolute, facts);
    requireClosed(absolute, facts);
  }

  /**
   * Requires a site's file as {@link #requireSiteFile} does, or one beside the code that runs and
   * as good as that: the code's owner may own it and its directory. What is above both is not
   * looked at, since whoever can exchange that can exchange the code.
   *
   * @param code the directory that the code is in
   */
  void requireSiteFile(Path file, Path code) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    if (parent == null || !isBeside(parent, code.toAbsolutePath().normalize())) {
      requireSiteFile(file);
      return;
    }
    int owner = view.look(code.toAbsolutePath().normalize()).owner();
    FileFacts facts = view.look(absolute);
    if (facts.kind() != FileFacts.Kind.FILE) {
      throw refused(absolute, facts, "is not a regular file");
    }
    for (Path each : new Path[] {parent, absolute}) {
      FileFacts its = view.look(each);
      if (its.owner() != owner) {
        requireOwner(each, its);
      }
      requireClosed(each, its);
    }
  }

  /** Two directories, neither of them a link, in the same one. */
  private boolean isBeside(Path one, Path other) throws IOException {
    try {
      return one.getParent() != null
          && one.getParent().equals(other.getParent())
          && view.look(one).kind() == FileFacts.Kind.DIRECTORY
          && view.look(other).kind() == FileFacts.Kind.DIRECTORY;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Requires a regular file of another user's that nobody but that user and root can read. Its
   * directory may be open to all when it is sticky: then what is there under a name stays its
   * owner's.
   */
  void requireSecretOf(int owner, Path file) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    requireParents(absolute);
    FileFacts facts = view.look(absolute);
    if (facts.kind() != FileFacts.Kind.FILE) {
      throw refused(absolute, facts, "is not a regular file");
    }
    if (facts.owner() != owner) {
      throw refused(absolute, facts, "is not a file of the user that its name says");
    }
    if (facts.isOpenToOthers()) {
      throw refused(absolute, facts, "is open to others; chmod 600 it");
    }
  }

  /** The path without links; each directory and link on the way is checked. */
  private Path resolve(Path path) throws IOException {
    Deque<Path> left = new ArrayDeque<>();
    Path at = begin(path.toAbsolutePath().normalize(), left);
    int links = 0;
    while (!left.isEmpty()) {
      Path name = left.pop();
      if (name.toString().equals("..")) {
        at = at.getParent() == null ? at : at.getParent();
        continue;
      }
      Path next = at.resolve(name);
      FileFacts facts = view.look(next);
      if (facts.kind() == FileFacts.Kind.LINK) {
        requireOwner(next, facts);
        if (++links > LINKS_MAX) {
          throw refused(next, facts, "is one of too many links");
        }
        Path target = view.target(next).normalize();
        at = target.isAbsolute() ? begin(target, left) : push(target, left, at);
      } else {
        requireParent(next, facts);
        at = next;
      }
    }
    return at;
  }

  private Path begin(Path absolute, Deque<Path> left) throws IOException {
    Path root = absolute.getRoot();
    requireParent(root, view.look(root));
    return push(absolute, left, root);
  }

  private static Path push(Path names, Deque<Path> left, Path at) {
    for (int i = names.getNameCount() - 1; i >= 0; i--) {
      if (!names.getName(i).toString().isEmpty()) {
        left.push(names.getName(i));
      }
    }
    return at;
  }

  private void requireParent(Path path, FileFacts facts) throws EleyException {
    requireOwner(path, facts);
    if (facts.kind() == FileFacts.Kind.DIRECTORY && !facts.isSticky()) {
      requireClosed(path, facts);
    }
  }

  private void requireClosed(Path path, FileFacts facts) throws EleyException {
    if (facts.isWritableByOthers()) {
      throw refused(
          path, facts, "can be written by others; chmod go-w it, or use a directory elsewhere");
    }
  }

  private void requireOwner(Path path, FileFacts facts) throws EleyException {
    if (facts.owner() != user && facts.owner() != ROOT) {
      throw refused(
          path,
          facts,
          "belongs neither to this user ("
              + number(user)
              + ") nor to root; use a directory of your own");
    }
  }

  private static EleyException refused(Path path, FileFacts facts, String why) {
    return new EleyException(
        ErrorCode.ACCESS_DENIED,
        path + " (owner " + number(facts.owner()) + ", mode " + facts.octal() + ") " + why);
  }

  /** As the kernel counts users: beyond 2^31 without a sign. */
  private static String number(int owner) {
    return Integer.toUnsignedString(owner);
  }
}
