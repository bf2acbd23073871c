package io.eley.bb.api.client;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The files of one output that were put where a node on this machine looks for them. On one file
 * system a file gets a second name there, and none of its bytes moves; from another one it is
 * copied by the kernel. For one thread.
 */
final class GivenFiles {
  private static final FileAttribute<Set<PosixFilePermission>> OWNER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final boolean local;
  private final List<Path> given = new ArrayList<>();

  /**
   * None yet.
   *
   * @param local whether the node is on this machine; of another one nothing is given
   */
  GivenFiles(boolean local) {
    this.local = local;
  }

  /**
   * Gives a file, or says that it must be sent: the node's place cannot be written to from here
   * (another user, another mount namespace), or is full. Blocks while it is copied.
   *
   * @param bytes how long it is; one without bytes need not be given
   * @param place of its own, where nothing is yet
   */
  boolean give(Path file, Path place, long bytes) {
    if (!local || bytes == 0) {
      return false;
    }
    given.add(place);
    try {
      if (!linked(file, place)) {
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
    var made = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (var in = FileChannel.open(file, StandardOpenOption.READ);
        var out = FileChannel.open(place, made, OWNER)) {
      for (long at = 0; at < bytes; ) {
        long copied = in.transferTo(at, bytes - at, out);
        if (copied <= 0) {
          throw new IOException("became shorter while it was copied: " + file);
        }
        at += copied;
      }
    }
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
