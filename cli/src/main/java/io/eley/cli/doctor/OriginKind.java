package io.eley.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/** What kind of file system an origin is, and what this user may do there. */
final class OriginKind {
  /** As the kernel calls them; what FUSE serves has the server's name behind a dot. */
  private static final Set<String> PARALLEL =
      Set.of("lustre", "gpfs", "pvfs2", "beegfs", "ceph", "orangefs", "panfs", "wekafs", "cvfs");

  private static final Set<String> SHARED = Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "afs");

  private static final Set<String> IN_RAM = Set.of("tmpfs", "ramfs");

  private OriginKind() {}

  static Finding of(Path directory) {
    try {
      return of(
          Files.getFileStore(directory).type(),
          Files.isReadable(directory),
          Files.isWritable(directory));
    } catch (IOException e) {
      return Finding.warn("kind", "the kind of the origin is not known: " + e.getMessage(), "");
    }
  }

  static Finding of(String type, boolean readable, boolean writable) {
    String kind = type.toLowerCase(Locale.ROOT).replaceFirst("^fuse\\.", "");
    String may = readable ? writable ? "read and write" : "only read" : "not even read";
    String says = type + ", which this user may " + may;
    if (!readable) {
      return Finding.fail("kind", says, "ask its owner for the permission to read");
    }
    if (IN_RAM.contains(kind)) {
      return Finding.warn("kind", says, "that is RAM itself: a buffer gains nothing");
    }
    if (PARALLEL.contains(kind) || SHARED.contains(kind) || type.startsWith("fuse")) {
      return Finding.ok("kind", says);
    }
    return Finding.warn(
        "kind", says, "no file system that hosts share: see by `eley bench` whether it gains");
  }
}
