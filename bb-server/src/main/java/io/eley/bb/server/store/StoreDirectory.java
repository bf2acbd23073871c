package io.eley.bb.server.store;

import io.eley.bb.api.NodeId;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.edge.ProcessLock;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The store's directory, held by this process alone: {@code lock}, {@code node.id}, {@code tmp/}
 * for blocks that are arriving and {@code blocks/} for committed ones. Directories have mode 0700,
 * files 0600: other users' data never lies here, and ours is nobody else's business.
 *
 * <p>It is separate from the store because a node needs its name in order to register, and learns
 * the geometry, without which there is no store, from the answer. Safe for several threads; the
 * calls do a little file I/O.
 */
public final class StoreDirectory implements AutoCloseable {
  private static final Set<PosixFilePermission> OWNER_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");
  private static final String LOCK = "lock";
  private static final String NODE_ID = "node.id";

  private final Path root;
  private volatile @Nullable FileStore fileStore;
  private final ProcessLock lock;
  private final NodeId nodeId;

  /**
   * File names are never used twice: a commit would replace another block's file, and a reader with
   * an old name would open it. Random, because two runs may begin in the same millisecond.
   */
  private final String run = UUID.randomUUID().toString();

  private final AtomicLong names = new AtomicLong();

  private StoreDirectory(Path root, ProcessLock lock, String name) throws IOException {
    this.root = root;
    this.lock = lock;
    makePrivateDirectory(tmp());
    makePrivateDirectory(blocks());
    for (Path leftOver : files(tmp())) {
      Files.delete(leftOver);
    }
    nodeId = readOrMakeNodeId(name);
  }

  /**
   * Makes the directory when it is missing, locks it, and removes what a former process left half
   * written.
   *
   * @throws EleyException {@code UNAVAILABLE} when another process has it; {@code ACCESS_DENIED}
   *     when it cannot be used; each in one line for the user
   */
  public static StoreDirectory open(Path directory) throws EleyException {
    return open(directory, "");
  }

  /**
   * As {@link #open(Path)}, with a name.
   *
   * @param name of a node that has none yet; empty for a random one
   */
  public static StoreDirectory open(Path directory, String name) throws EleyException {
    Path root = directory.toAbsolutePath().normalize();
    ProcessLock lock = null;
    try {
      OwnPaths.requireParents(root);
      requireOurs(root);
      makePrivateDirectory(root);
      lock = ProcessLock.take(root.resolve(LOCK)).orElseThrow(() -> taken(root));
      return new StoreDirectory(root, lock, name);
    } catch (IOException e) {
      closeQuietly(lock, e);
      if (e instanceof EleyException ours) {
        throw ours;
      }
      throw new EleyException(
          ErrorCode.ACCESS_DENIED,
          "cannot use the RAM-disk directory " + root + ": " + words(e),
          e);
    }
  }

  private static EleyException taken(Path root) {
    return new EleyException(
        ErrorCode.UNAVAILABLE,
        "the RAM-disk directory "
            + root
            + " is used by another node: stop that one or choose another directory");
  }

  /** The node's name, made on first use and kept in the directory. */
  public NodeId nodeId() {
    return nodeId;
  }

  /**
   * Checks that the file system has room for a store of this capacity, what the store holds already
   * included.
   *
   * @throws EleyException {@code NO_SPACE}, in one line for the user
   */
  public void requireRoom(long capacityBytes) throws EleyException {
    try {
      long held = 0;
      for (Path block : files(blocks())) {
        held += BlockStore.footprint(Files.size(block));
      }
      long room = Files.getFileStore(root).getUsableSpace() + held;
      if (room < capacityBytes) {
        throw new EleyException(
            ErrorCode.NO_SPACE,
            "the file system of "
                + root
                + " has room for "
                + DataSize.ofMebibytes(room >> 20)
                + " but the capacity is "
                + new DataSize(capacityBytes)
                + ": lower the capacity or free some RAM");
      }
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED,
          "cannot use the RAM-disk directory " + root + ": " + words(e),
          e);
    }
  }

  /** Looked up once: that reads the list of all mounts, and each block asks for room. */
  private FileStore fileStore() throws IOException {
    FileStore known = fileStore;
    if (known == null) {
      known = Files.getFileStore(root);
      fileStore = known;
    }
    return known;
  }

  /** Bytes that the file system takes now; all there are when it does not say. */
  long usableBytes() {
    try {
      return fileStore().getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Unlocks the directory for other processes. What is in it stays. */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new IllegalStateException("cannot close the lock of " + root, e);
    }
  }

  Path root() {
    return root;
  }

  Path blocks() {
    return root.resolve("blocks");
  }

  /** A new name for a block, in {@code tmp/}. */
  Path nextTemporary() {
    return tmp().resolve(run + "-" + names.incrementAndGet());
  }

  /** Where a temporary file goes when it is committed. */
  Path committed(Path temporary) {
    return blocks().resolve(temporary.getFileName());
  }

  /** Makes a file that must not exist, for its owner alone. */
  static FileChannel createPrivate(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        PosixFilePermissions.asFileAttribute(OWNER_FILE));
  }

  /** The files directly in a directory. */
  static List<Path> files(Path directory) throws IOException {
    var files = new ArrayList<Path>();
    try (var entries = Files.newDirectoryStream(directory)) {
      entries.forEach(files::add);
    }
    return files;
  }

  /** An error of the file system in a few words. */
  static String words(IOException e) {
    return e.getClass().getSimpleName() + " " + e.getMessage();
  }

  private Path tmp() {
    return root.resolve("tmp");
  }

  private NodeId readOrMakeNodeId(String name) throws IOException {
    Path file = root.resolve(NODE_ID);
    try {
      return new NodeId(Files.readString(file).strip());
    } catch (NoSuchFileException | IllegalArgumentException e) {
      // None yet, or an empty one of a process that died on a full RAM-disk.
      var made =
          new NodeId(
              name.isBlank() ? "node-" + UUID.randomUUID().toString().substring(0, 13) : name);
      Path temporary = nextTemporary();
      try (var out = createPrivate(temporary)) {
        out.write(ByteBuffer.wrap(made.value().getBytes(StandardCharsets.UTF_8)));
      }
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      return made;
    }
  }

  /**
   * Changing the mode of another user's directory, for example of /dev/shm itself, would do harm.
   */
  private static void requireOurs(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.exists(root.resolve(LOCK))) {
      requireEmpty(root);
    }
    OwnPaths.requireDirectory(root);
  }

  private static void requireEmpty(Path root) throws IOException {
    boolean shared = Files.getPosixFilePermissions(root).contains(PosixFilePermission.OTHERS_WRITE);
    if (shared || !files(root).isEmpty()) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED,
          root
              + " holds other files or is open to everybody: give the node a directory of its own");
    }
  }

  /**
   * Its parent must be there: a RAM-disk that is not mounted would become a directory of another
   * file system, and what a job's step has tidied up must not come back.
   */
  private static void makePrivateDirectory(Path directory) throws IOException {
    try {
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_DIRECTORY));
    } catch (FileAlreadyExistsException e) {
      // What an earlier process made, perhaps under another umask.
    }
    Files.setPosixFilePermissions(directory, OWNER_DIRECTORY);
  }

  private static void closeQuietly(
      @org.jspecify.annotations.Nullable ProcessLock lock, IOException failure) {
    if (lock != null) {
      try {
        lock.close();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
