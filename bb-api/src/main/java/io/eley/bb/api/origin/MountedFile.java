package io.eley.bb.api.origin;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An open file of a {@link MountedOrigin}. Its bytes come from one inode for as long as it is open,
 * whatever becomes of its name.
 */
final class MountedFile implements OriginFile {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private final Path file;
  private final FileChannel channel;

  /** With the inode as this mount numbers it. */
  private final OriginStatus status;

  private final MountedAttributes attributes;
  private final UnaryOperator<OriginStatus> published;
  private volatile @Nullable Path descriptor;

  /**
   * What was opened.
   *
   * @param status with the inode as this mount numbers it
   */
  record Opened(Path file, FileChannel channel, OriginStatus status) {}

  /**
   * An open file.
   *
   * @param attributes reads the attributes of names
   * @param published makes of a status with the mount's own inode what others are told
   */
  MountedFile(Opened opened, MountedAttributes attributes, UnaryOperator<OriginStatus> published) {
    file = opened.file;
    channel = opened.channel;
    status = opened.status;
    this.attributes = attributes;
    this.published = published;
  }

  @Override
  public OriginStatus status() {
    return published.apply(status);
  }

  /**
   * {@inheritDoc}
   *
   * <p>While the name leads to the file that is open, its attributes are the name's. When the name
   * is gone or leads to another file, the descriptor's own attributes are looked at (the JDK has no
   * fstat(2), {@code /proc} has): an open file that nobody writes to is unchanged then, though the
   * rename has moved its change time.
   */
  @Override
  public OriginStatus currentStatus() throws EleyException {
    try {
      OriginStatus named = byName();
      if (named != null && named.stamp().inode() == status.stamp().inode()) {
        return published.apply(named);
      }
      if (contentUnchanged()) {
        return status();
      }
      if (named == null) {
        throw new NoSuchFileException(file.toString());
      }
      return published.apply(named);
    } catch (IOException e) {
      throw MountedOrigin.failed("stat", status.path(), e);
    }
  }

  private @Nullable OriginStatus byName() throws IOException {
    try {
      return attributes.of(status.path(), file);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private boolean contentUnchanged() throws IOException {
    OriginStatus open = byDescriptor();
    return open != null
        && open.length() == status.length()
        && open.modifiedMillis() == status.modifiedMillis();
  }

  /** The attributes of the inode that is open, or null where they cannot be had. */
  private @Nullable OriginStatus byDescriptor() throws IOException {
    Path known = descriptor;
    OriginStatus found = known == null ? null : ofDescriptor(known);
    if (found != null || !Files.isDirectory(DESCRIPTORS)) {
      return found;
    }
    try (var all = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path one : all) {
        found = ofDescriptor(one);
        if (found != null) {
          descriptor = one;
          return found;
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return null;
  }

  private @Nullable OriginStatus ofDescriptor(Path one) {
    try {
      OriginStatus found = attributes.of(status.path(), one);
      return found.stamp().inode() == status.stamp().inode() && !found.directory() ? found : null;
    } catch (IOException e) {
      return null; // Closed since it was listed.
    }
  }

  @Override
  public int read(long position, ByteBuffer target, ReadCause cause) throws EleyException {
    try {
      return channel.read(target, position);
    } catch (IOException e) {
      throw MountedOrigin.failed("read", status.path(), e);
    }
  }

  @Override
  public void close() throws EleyException {
    try {
      channel.close();
    } catch (IOException e) {
      throw MountedOrigin.failed("close", status.path(), e);
    }
  }
}
