package io.eley.bb.api.origin;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * An origin that is a directory, usually of a mounted file system. Symbolic links are followed only
 * while they stay inside the root, because {@code bb://} promises to show the origin and nothing
 * else.
 *
 * <p>Stateless but for the root and the names of owners, so safe for several threads. Every call
 * blocks and may hang; see {@link Origin}.
 */
public final class MountedOrigin implements Origin {
  private static final int OPENINGS = 100;

  private final Path root;
  private final MountedAttributes attributes = new MountedAttributes();
  private final ConfinedDirectories directories;
  private final ExclusiveRename renaming =
      new ExclusiveRename(Files::createLink, ExclusiveRename.DEAD, System::nanoTime);

  /** Whether all clients of the file system see the same inode numbers. */
  private final boolean commonInodes;

  private MountedOrigin(Path root, boolean commonInodes) {
    this.root = root;
    directories = new ConfinedDirectories(root, Path::toRealPath, System::nanoTime);
    this.commonInodes = commonInodes;
  }

  /**
   * Opens a directory as an origin.
   *
   * @throws EleyException {@code NOT_FOUND} or {@code ACCESS_DENIED}, in one line for the user
   */
  public static MountedOrigin open(Path directory) throws EleyException {
    try {
      return open(directory, Files.getFileStore(directory).type());
    } catch (NoSuchFileException e) {
      throw notThere(directory, e);
    } catch (IOException e) {
      throw failed("open", directory.toString(), e);
    }
  }

  /** The same on a file system of this type, as {@code /proc/mounts} names it. */
  static MountedOrigin open(Path directory, String fileSystem) throws EleyException {
    try {
      Path real = directory.toRealPath();
      if (!Files.isDirectory(real)) {
        throw new EleyException(
            ErrorCode.NOT_FOUND, "the origin " + directory + " is not a directory");
      }
      if (!Files.isReadable(real) || !Files.isExecutable(real)) {
        throw new EleyException(
            ErrorCode.ACCESS_DENIED, "the origin " + directory + " is not readable by this user");
      }
      return new MountedOrigin(real, commonInodes(fileSystem));
    } catch (NoSuchFileException e) {
      throw notThere(directory, e);
    } catch (IOException e) {
      throw failed("open", directory.toString(), e);
    }
  }

  private static EleyException notThere(Path directory, NoSuchFileException e) {
    return new EleyException(
        ErrorCode.NOT_FOUND, "the origin " + directory + " does not exist; is it mounted?", e);
  }

  /**
   * A FUSE file system may leave the numbering to the library, which counts the files that its own
   * mount has met (OrangeFS's pvfs2fuse does): then the same file has another number on each
   * machine.
   */
  private static boolean commonInodes(String fileSystem) {
    return !fileSystem.startsWith("fuse");
  }

  /** What others are told of a file: without what only this mount knows. */
  private OriginStatus published(OriginStatus found) {
    return commonInodes
        ? found
        : found.withStamp(new FileVersion.Stamp(0, found.stamp().changedNanos()));
  }

  @Override
  public String address() {
    return FileNames.text(root);
  }

  @Override
  public OriginStatus stat(String path) throws EleyException {
    try {
      return published(look(path, normalised(path)));
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw belowAFile(path) ? missing(path, e) : failed("stat", path, e);
    }
  }

  /**
   * Attributes of what a path leads to, inside the root. Where its directory really is is known
   * most of the time, and a name there that is no link stays in the directory: it costs one look.
   */
  private OriginStatus look(String path, Path file) throws IOException {
    Path parent = file.getParent();
    if (parent != null && !file.equals(root) && directories.contain(parent)) {
      Optional<OriginStatus> plain = attributes.ofPlain(path, file);
      if (plain.isPresent()) {
        return plain.get();
      }
    }
    return attributes.of(path, confined(path));
  }

  /**
   * Whether an ancestor of the path is a file: then the path does not exist, though the system's
   * error is another one.
   */
  private boolean belowAFile(String path) throws EleyException {
    Path at = below(path);
    while (!at.equals(root) && !Files.exists(at)) {
      at = java.util.Objects.requireNonNull(at.getParent());
    }
    return Files.isRegularFile(at);
  }

  @Override
  public List<OriginStatus> list(String path) throws EleyException {
    var children = new ArrayList<OriginStatus>();
    try (var entries = Files.newDirectoryStream(confined(path))) {
      for (Path entry : entries) {
        String child = (path.equals(OriginPaths.ROOT) ? "" : path) + "/" + FileNames.name(entry);
        try {
          children.add(stat(child));
        } catch (EleyException e) {
          requireNoChild(entry, e);
        }
      }
    } catch (IOException e) {
      throw failed("list", path, e);
    }
    children.sort(Comparator.comparing(OriginStatus::path));
    return children;
  }

  /**
   * Returns when an entry is not a child that one could read: gone since it was listed, a link out
   * of the origin, or one that leads nowhere or in a circle. Whatever else fails the listing, since
   * leaving it out would be input that is missing in silence.
   */
  private static void requireNoChild(Path entry, EleyException e) throws EleyException {
    boolean none = e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.OUTSIDE_ORIGIN;
    if (!none && !(e.code() == ErrorCode.ORIGIN_FAILED && Files.isSymbolicLink(entry))) {
      throw e;
    }
  }

  @Override
  public OriginFile open(String path) throws EleyException {
    try {
      Path file = normalised(path);
      for (int i = 0; i < OPENINGS; i++) {
        OriginStatus status = look(path, file);
        if (status.directory()) {
          throw new EleyException(
              ErrorCode.NOT_FOUND, "no such file on the origin: " + path + " is a directory");
        }
        requireBytes(status, file);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        if (isStill(status, file, channel)) {
          Descriptors.noteOpened();
          return new MountedFile(
              new MountedFile.Opened(file, channel, status), attributes, this::published);
        }
        channel.close();
      }
      throw new EleyException(
          ErrorCode.UNAVAILABLE, path + " is replaced again and again while it is opened");
    } catch (IOException e) {
      throw failed("open", path, e);
    }
  }

  /**
   * A named pipe has to be refused before it is opened, which waits for who writes to it, perhaps
   * for ever: whoever may write to a directory could take all threads that read the origin. Its
   * length is said to be zero, as that of a device and of an empty file, so only these cost a look.
   */
  private static void requireBytes(OriginStatus status, Path file) throws EleyException {
    if (status.length() == 0 && !Files.isRegularFile(file) && Files.exists(file)) {
      throw new EleyException(
          ErrorCode.OUTSIDE_ORIGIN,
          status.path() + " is no regular file: what it gives is not the origin's");
    }
  }

  /**
   * Whether the name leads to the same file after it was opened as before. Else it was replaced
   * between the two, and the channel would give one version's bytes under another one's name.
   */
  private boolean isStill(OriginStatus before, Path file, FileChannel channel) throws IOException {
    try {
      OriginStatus after = attributes.of(before.path(), file);
      return after.stamp().equals(before.stamp());
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public OutputStream create(String path, boolean overwrite) throws EleyException {
    makeDirectories(OriginPaths.parent(path));
    OpenOption disposition = overwrite ? StandardOpenOption.CREATE : StandardOpenOption.CREATE_NEW;
    try {
      return new MountedOutput(
          path,
          FileChannel.open(
              confined(path),
              disposition,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING));
    } catch (IOException e) {
      throw failed("create", path, e);
    }
  }

  @Override
  public OutputStream append(String path) throws EleyException {
    try {
      return new MountedOutput(
          path,
          FileChannel.open(confined(path), StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    } catch (IOException e) {
      throw failed("append to", path, e);
    }
  }

  @Override
  public void makeDirectories(String path) throws EleyException {
    try {
      Files.createDirectories(confined(path));
    } catch (IOException e) {
      throw failed("make directory", path, e);
    }
  }

  /**
   * A file has both names for a moment, and for good if the process ends then; whoever opens the
   * second one in that moment has opened another version, since change times move with the first.
   */
  @Override
  public void rename(String from, String to) throws EleyException {
    try {
      renaming.rename(confined(from), confined(to));
    } catch (FileAlreadyExistsException e) {
      throw new EleyException(
          ErrorCode.ORIGIN_FAILED, "cannot rename " + from + " to " + to + ": target exists", e);
    } catch (IOException e) {
      throw failed("rename", from, e);
    }
  }

  @Override
  public void replace(String from, String to) throws EleyException {
    try {
      Files.move(confined(from), confined(to), StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Origin.super.replace(from, to); // another file system is mounted below
    } catch (IOException e) {
      throw failed("rename", from, e);
    }
  }

  @Override
  public void delete(String path, boolean recursive) throws EleyException {
    OriginPaths.requireNormalised(path);
    if (path.equals(OriginPaths.ROOT)) {
      throw new EleyException(ErrorCode.ORIGIN_FAILED, "the origin's root is not deleted");
    }
    try {
      // Not confined(): a link is deleted itself, never what it points to.
      Path target = below(path);
      confined(OriginPaths.parent(path));
      if (recursive) {
        TreeDeletion.delete(target);
      } else {
        Files.delete(target);
      }
    } catch (IOException e) {
      throw failed("delete", path, e);
    }
  }

  @Override
  public void setPermissions(String path, int permissions) throws EleyException {
    try {
      MountedAttributes.setPermissions(confined(path), permissions);
    } catch (IOException e) {
      throw failed("set permissions of", path, e);
    }
  }

  @Override
  public void setTimes(String path, long modifiedMillis, long accessedMillis) throws EleyException {
    try {
      MountedAttributes.setTimes(confined(path), modifiedMillis, accessedMillis);
    } catch (IOException e) {
      throw failed("set times of", path, e);
    }
  }

  @Override
  public OriginSpace space(String path) throws EleyException {
    try {
      return MountedAttributes.space(confined(path));
    } catch (IOException e) {
      throw failed("ask for the space of", path, e);
    }
  }

  @Override
  public void close() {}

  /**
   * The file of a path, no link on whose way leads out of the root, or {@code OUTSIDE_ORIGIN}. A
   * link that leads nowhere is {@code NOT_FOUND}: whoever creates a file by that name would make
   * what it leads to, wherever that is. A link that is swapped between this check and the use of
   * its result is the same user's own doing: Eley runs with that user's rights.
   */
  private Path confined(String path) throws IOException {
    Path file = normalised(path);
    Path existing = file;
    while (!Files.exists(existing, LinkOption.NOFOLLOW_LINKS) && !existing.equals(root)) {
      existing = java.util.Objects.requireNonNull(existing.getParent());
    }
    if (!real(path, existing).startsWith(root)) {
      throw new EleyException(ErrorCode.OUTSIDE_ORIGIN, path + " leads out of the origin " + root);
    }
    return file;
  }

  private static Path real(String path, Path existing) throws IOException {
    try {
      return existing.toRealPath();
    } catch (NoSuchFileException e) {
      throw new EleyException(
          ErrorCode.NOT_FOUND,
          "no such file on the origin: a link of " + path + " leads nowhere",
          e);
    }
  }

  private Path normalised(String path) throws EleyException {
    OriginPaths.requireNormalised(path);
    return below(path);
  }

  private Path below(String path) throws EleyException {
    try {
      return FileNames.resolve(root, path);
    } catch (IllegalArgumentException e) {
      throw new EleyException(
          ErrorCode.ORIGIN_FAILED,
          "cannot name " + path + " on the origin: it is no name in any locale",
          e);
    }
  }

  private static EleyException missing(String path, IOException e) {
    return new EleyException(ErrorCode.NOT_FOUND, "no such file on the origin: " + path, e);
  }

  static EleyException failed(String verb, String path, IOException e) {
    if (e instanceof EleyException ours) {
      return ours;
    }
    if (e instanceof NoSuchFileException) {
      return missing(path, e);
    }
    if (e instanceof AccessDeniedException) {
      return new EleyException(ErrorCode.ACCESS_DENIED, "the origin denies access to " + path, e);
    }
    // Not the origin's failure, and whoever has descriptors can read it.
    ErrorCode code = Descriptors.noteScarce() ? ErrorCode.UNAVAILABLE : ErrorCode.ORIGIN_FAILED;
    return new EleyException(
        code,
        "cannot "
            + verb
            + " "
            + path
            + " on the origin: "
            + e.getClass().getSimpleName()
            + " "
            + e.getMessage(),
        e);
  }
}
