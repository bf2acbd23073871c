package io.eley.ior;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Serves {@code counted:///PATH}: plain files, and a count of what was written to each. */
public final class CountedStorageProvider implements IorStorageProvider {
  private static final Map<String, Long> WRITTEN = new ConcurrentHashMap<>();

  static long written(String path) {
    return WRITTEN.getOrDefault(path, 0L);
  }

  @Override
  public String scheme() {
    return "counted";
  }

  @Override
  public IorStorage parse(URI address) {
    return new Counted(address);
  }

  private record Counted(URI uri) implements IorStorage {
    @Override
    public String path() {
      return uri.getPath();
    }

    @Override
    public String address() {
      return uri.toString();
    }

    @Override
    public IorTarget connect(IorTarget files) {
      return new CountedTarget(files);
    }
  }

  private record CountedTarget(IorTarget files) implements IorTarget {
    @Override
    public IorFile open(String path, boolean write) throws IOException {
      return new CountedFile(path, files.open(path, write));
    }

    @Override
    public void delete(String path) throws IOException {
      files.delete(path);
    }

    @Override
    public long size(String path) throws IOException {
      return files.size(path);
    }

    @Override
    public void close() {
      files.close();
    }
  }

  private record CountedFile(String path, IorTarget.IorFile file) implements IorTarget.IorFile {
    @Override
    public void write(ByteBuffer bytes, long position) throws IOException {
      WRITTEN.merge(path, (long) bytes.remaining(), Long::sum);
      file.write(bytes, position);
    }

    @Override
    public void read(ByteBuffer bytes, long position) throws IOException {
      file.read(bytes, position);
    }

    @Override
    public void sync() throws IOException {
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
