package io.eley.bb.api.origin;

import io.eley.bb.api.FileVersion.Stamp;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the attributes of mounted files, all of a file's from one stat(2), so that they belong
 * together, and sets some. The JDK's attribute view {@code unix} has inode, change time and all
 * bits of the mode. Names of owners are asked for once and remembered for a while, see {@link
 * NamesByNumber}.
 *
 * <p>Safe for several threads.
 */
final class MountedAttributes {
  private static final String NUMBERS =
      "unix:isDirectory,isSymbolicLink,size,lastModifiedTime,permissions,uid,gid,ino,ctime";

  /** The same with names, which the system looks up in files or asks a service for. */
  private static final String NAMED = NUMBERS + ",owner,group";

  /** Asks the system. */
  interface Source {
    /** As {@link Files#readAttributes(Path, String, LinkOption...)}. */
    Map<String, Object> read(Path file, String attributes, LinkOption... options)
        throws IOException;
  }

  private final Source source;
  private final NamesByNumber users;
  private final NamesByNumber groups;

  MountedAttributes() {
    this(Files::readAttributes, System::nanoTime);
  }

  MountedAttributes(Source source, LongSupplier nanoClock) {
    this.source = source;
    users = new NamesByNumber(nanoClock);
    groups = new NamesByNumber(nanoClock);
  }

  /** Blocks; follows links. */
  OriginStatus of(String path, Path file) throws IOException {
    return of(path, file, source.read(file, NUMBERS));
  }

  /** The same of a name that is no link; empty when it is one. Blocks. */
  Optional<OriginStatus> ofPlain(String path, Path file) throws IOException {
    Map<String, Object> all = source.read(file, NUMBERS, LinkOption.NOFOLLOW_LINKS);
    return (Boolean) get(all, "isSymbolicLink")
        ? Optional.empty()
        : Optional.of(of(path, file, all));
  }

  private OriginStatus of(String path, Path file, Map<String, Object> all) throws IOException {
    Optional<String> owner = users.of(number(all, "uid"));
    Optional<String> group = groups.of(number(all, "gid"));
    if (owner.isPresent() && group.isPresent()) {
      return status(path, all, owner.get(), group.get());
    }
    Map<String, Object> named = source.read(file, NAMED);
    String newOwner = ((UserPrincipal) get(named, "owner")).getName();
    String newGroup = ((GroupPrincipal) get(named, "group")).getName();
    users.note(number(named, "uid"), newOwner);
    groups.note(number(named, "gid"), newGroup);
    return status(path, named, newOwner, newGroup);
  }

  private static OriginStatus status(
      String path, Map<String, Object> all, String owner, String group) {
    boolean directory = (Boolean) get(all, "isDirectory");
    return new OriginStatus(
        path,
        directory,
        directory ? 0 : (Long) get(all, "size"),
        ((FileTime) get(all, "lastModifiedTime")).toMillis(),
        bits((Set<?>) get(all, "permissions")),
        owner,
        group,
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

  private static int number(Map<String, Object> all, String name) {
    return (Integer) get(all, name);
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
