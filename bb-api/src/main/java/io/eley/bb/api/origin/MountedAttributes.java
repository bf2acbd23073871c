package io.eley.bb.api.origin;

import io.eley.bb.api.FileVersion.Stamp;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a mounted file. Those that are read come from one stat(2), so that they belong
 * together. The JDK's attribute view {@code unix} has inode, change time and all bits of the mode.
 */
final class MountedAttributes {
  private static final String NAMES =
      "unix:isDirectory,size,lastModifiedTime,permissions,owner,group,ino,ctime";

  private MountedAttributes() {}

  /** Blocks; follows links. */
  static OriginStatus of(String path, Path file) throws IOException {
    Map<String, Object> all = Files.readAttributes(file, NAMES);
    boolean directory = (Boolean) get(all, "isDirectory");
    return new OriginStatus(
        path,
        directory,
        directory ? 0 : (Long) get(all, "size"),
        ((FileTime) get(all, "lastModifiedTime")).toMillis(),
        bits((Set<?>) get(all, "permissions")),
        ((UserPrincipal) get(all, "owner")).getName(),
        ((GroupPrincipal) get(all, "group")).getName(),
        new Stamp((Long) get(all, "ino"), ((FileTime) get(all, "ctime")).to(TimeUnit.NANOSECONDS)));
  }

  /**
   * Sets the nine permission bits and keeps the others: chmod(2) would clear the setgid bit by
   * which a project's directories hand their group down. Blocks; follows links.
   */
  static void setPermissions(Path file, int permissions) throws IOException {
    int mode = (Integer) get(Files.readAttributes(file, "unix:mode"), "mode");
    Files.setAttribute(file, "unix:mode", (mode & ~0777) | (permissions & 0777));
  }

  /** Sets the times that are not negative. Blocks; follows links. */
  static void setTimes(Path file, long modifiedMillis, long accessedMillis) throws IOException {
    Files.getFileAttributeView(file, BasicFileAttributeView.class)
        .setTimes(time(modifiedMillis), time(accessedMillis), null);
  }

  private static @Nullable FileTime time(long millis) {
    return millis < 0 ? null : FileTime.fromMillis(millis);
  }

  /** Blocks. A file system may report less capacity than is free. */
  static OriginSpace space(Path file) throws IOException {
    FileStore store = Files.getFileStore(file);
    long capacity = Math.max(0, store.getTotalSpace());
    return new OriginSpace(
        capacity,
        Math.max(0, capacity - store.getUnallocatedSpace()),
        Math.max(0, store.getUsableSpace()));
  }

  private static int bits(Set<?> permissions) {
    int bits = 0;
    for (var p : PosixFilePermission.values()) {
      bits = bits << 1 | (permissions.contains(p) ? 1 : 0);
    }
    return bits;
  }

  private static Object get(Map<String, Object> all, String name) {
    return java.util.Objects.requireNonNull(all.get(name), name);
  }
}
