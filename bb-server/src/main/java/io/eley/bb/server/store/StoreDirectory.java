package io.eley.bb.server.store;

import io.eley.bb.api.NodeId;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
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
  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");
  private static final String WHAT = "RAM-disk directory";
  private static final String NODE_ID = "node.id";

  private final PrivateDirectory own;
  private final Path root;
  private volatile @Nullable FileStore fileStore;
  private final NodeId nodeId;

  /**
   * File names are never used twice: a commit would replace another block's file, and a reader with
   * an old name would open it. Random, because two runs may begin in the same millisecond.
   */
  private final String run = UUID.randomUUID().toString();

  private final AtomicLong names = new AtomicLong();

  private StoreDirectory(PrivateDirectory own, String name) throws IOException {
    this.own = own;
    root = own.path();
    PrivateDirectory.make(tmp());
    PrivateDirectory.make(blocks());
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
    var own = PrivateDirectory.open(directory, WHAT);
    try {
      return new StoreDirectory(own, name);
    } catch (IOException e) {
      own.close();
      throw e instanceof EleyException ours ? ours : PrivateDirectory.unusable(own.path(), WHAT, e);
    }
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
      own.requireRoom(capacityBytes, held);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw PrivateDirectory.unusable(root, WHAT, e);
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

  /** See {@link PrivateDirectory#isStillThere}. */
  public boolean isStillThere() {
    return own.isStillThere();
  }

  /** Unlocks the directory for other processes. What is in it stays. */
  @Override
  public void close() {
    own.close();
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
}
