package io.eley.ior;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** Plain files: IOR's {@code -a POSIX}. */
final class PosixTarget implements IorTarget {
  private static final Set<StandardOpenOption> WRITE =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE);
  private static final Set<StandardOpenOption> READ = Set.of(StandardOpenOption.READ);

  @Override
  public IorFile open(String path, boolean write) throws IOException {
    return new PosixFile(path, FileChannel.open(Path.of(path), write ? WRITE : READ));
  }

  @Override
  public void delete(String path) throws IOException {
    Path file = Path.of(path);
    if (Files.isRegularFile(file)) {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public long size(String path) throws IOException {
    Path file = Path.of(path);
    return Files.isRegularFile(file) ? Files.size(file) : 0;
  }

  @Override
  public void close() {}

  private record PosixFile(String path, FileChannel channel) implements IorFile {
    @Override
    public void write(ByteBuffer bytes, long position) throws IOException {
      long at = position;
      while (bytes.hasRemaining()) {
        at += channel.write(bytes, at);
      }
    }

    @Override
    public void read(ByteBuffer bytes, long position) throws IOException {
      long at = position;
      while (bytes.hasRemaining()) {
        int count = channel.read(bytes, at);
        if (count < 0) {
          throw new EOFException(path + " ends at byte " + at);
        }
        at += count;
      }
    }

    @Override
    public void sync() throws IOException {
      channel.force(true);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
