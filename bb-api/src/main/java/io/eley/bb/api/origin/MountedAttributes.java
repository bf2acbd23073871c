package io.eley.bb.api.origin;

import io.eley.bb.api.FileVersion.Stamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The attributes of a mounted file, all of them from one stat(2), so that they belong together. The
 * JDK's attribute view {@code unix} has inode and change time.
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
