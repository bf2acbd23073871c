package io.eley.bb.api.edge;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * Writes what {@link OwnPaths} reads: files of mode 0600 from their first moment on. A mode that is
 * left to the umask makes files that {@link OwnPaths} refuses where the umask leaves the group its
 * rights (002, 007), as it does where each user has a group of his own.
 *
 * <p>Any thread may call; each call blocks for a few system calls. The directory must be one that
 * {@link OwnPaths#requireDirectory} takes, or a link in it could lead elsewhere.
 */
public final class OwnFiles {
  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> PUBLIC =
      PosixFilePermissions.fromString("rw-r--r--");
  private static final FileAttribute<?> OWNER_ONLY = PosixFilePermissions.asFileAttribute(MODE);

  private OwnFiles() {}

  /**
   * Makes a file, or puts it in the place of the one that is there: readers see all of it or what
   * was before. Several may do so at the same time, and one of them is the last.
   *
   * @throws IOException when it cannot be written; what was there is there still
   */
  public static void replace(Path file, String text) throws IOException {
    replace(file, text, MODE);
  }

  /** The same for a file that everybody may read, whatever the umask is. */
  public static void replacePublic(Path file, String text) throws IOException {
    replace(file, text, PUBLIC);
  }

  private static void replace(Path file, String text, Set<PosixFilePermission> mode)
      throws IOException {
    Path temporary = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID());
    try {
      write(temporary, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      Files.setPosixFilePermissions(temporary, mode);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /**
   * Appends to a file, which is made when it is missing. One that is there gets the mode, too, so
   * this is only for what its reader proves line by line: others may have written in it before.
   *
   * @throws IOException when it cannot be written, or belongs to somebody else
   */
  public static void append(Path file, String text) throws IOException {
    write(
        file,
        text,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND,
        LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(file, "posix:permissions", MODE, LinkOption.NOFOLLOW_LINKS);
  }

  private static void write(Path file, String text, OpenOption... how) throws IOException {
    try (var channel = Files.newByteChannel(file, Set.of(how), OWNER_ONLY);
        var out = Channels.newOutputStream(channel)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
