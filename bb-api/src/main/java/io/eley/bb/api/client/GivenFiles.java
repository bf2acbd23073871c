package io.eley.bb.api.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The files of one output that were put where a node on this machine looks for them. On one file
 * system a file gets a second name there, and none of its bytes moves; from another one it is
 * copied by the kernel. For one thread.
 *
 * <p>Who wants a second copy of an output wants it to survive the first, so of two nodes on this
 * machine the second is given bytes of its own: they are read and written here, since what a kernel
 * copies within one file system may share its blocks (reflinks, ioctl_ficlonerange(2)).
 */
final class GivenFiles {
  /** How a node comes by an output's files. */
  enum Way {
    /** Nothing is given: the node is on another machine. */
    SENT,
    /** The file itself under a second name, where both are on one file system; else a copy. */
    SECOND_NAME,
    /** A copy that shares nothing with the file. */
    OWN_BYTES
  }

  /** What is read at once of a file that is copied here. */
  private static final int PIECE = 128 << 10;

  private static final FileAttribute<Set<PosixFilePermission>> OWNER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Set<StandardOpenOption> MADE =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  private final Way way;
  private final List<Path> given = new ArrayList<>();

  /** None yet. */
  GivenFiles(Way way) {
    this.way = way;
  }

  /**
   * Gives a file, or says that it must be sent: the node's place cannot be written to from here
   * (another user, another mount namespace), or is full. Blocks while it is copied.
   *
   * @param bytes how long it is; one without bytes need not be given
   * @param place of its own, where nothing is yet
   */
  boolean give(Path file, Path place, long bytes) {
    if (way == Way.SENT || bytes == 0) {
      return false;
    }
    given.add(place);
    try {
      if (way == Way.OWN_BYTES) {
        copyHere(file, place, bytes);
      } else if (!linked(file, place)) {
        copy(file, place, bytes);
      }
      return true;
    } catch (IOException e) {
      delete(place);
      return false;
    }
  }

  /** Of a file system that has no links, or is another one (EXDEV, link(2)), it says no. */
  private static boolean linked(Path file, Path place) {
    try {
      Files.createLink(place, file);
      return true;
    } catch (IOException e) {
      return false; // if the place itself is to blame, copying fails as well
    }
  }

  /** By sendfile(2), between any two file systems. */
  static void copy(Path file, Path place, long bytes) throws IOException {
    try (var in = FileChannel.open(file, StandardOpenOption.READ);
        var out = FileChannel.open(place, MADE, OWNER)) {
      for (long at = 0; at < bytes; ) {
        at += moved(in.transferTo(at, bytes - at, out), file);
      }
    }
  }

  /** By read(2) and write(2), which share nothing. */
  static void copyHere(Path file, Path place, long bytes) throws IOException {
    var piece = ByteBuffer.allocate((int) Math.min(PIECE, bytes));
    try (var in = FileChannel.open(file, StandardOpenOption.READ);
        var out = FileChannel.open(place, MADE, OWNER)) {
      for (long at = 0; at < bytes; ) {
        piece.clear().limit((int) Math.min(piece.capacity(), bytes - at));
        at += moved(in.read(piece), file);
        piece.flip();
        while (piece.hasRemaining()) {
          out.write(piece);
        }
      }
    }
  }

  private static long moved(long bytes, Path file) throws IOException {
    if (bytes <= 0) {
      throw new IOException("became shorter while it was copied: " + file);
    }
    return bytes;
  }

  /** Deletes what was given and is there still: the node has not taken it. */
  void takeBack() {
    given.forEach(GivenFiles::delete);
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // It goes with its application.
    }
  }
}
