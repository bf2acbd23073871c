package io.eley.ior;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Storage that takes the time it is told, on a clock of its own, and fails when it is told. */
final class FakeTarget implements IorTarget {
  final AtomicLong clock = new AtomicLong();
  final List<String> calls = new CopyOnWriteArrayList<>();
  final Map<String, Long> sizes = new ConcurrentHashMap<>();
  long openNanos;
  long transferNanos;
  long syncNanos;
  long closeNanos;
  volatile String failing = "";
  volatile boolean losing;

  @Override
  public IorFile open(String path, boolean write) throws IOException {
    call("open " + path, openNanos);
    if (write) {
      sizes.putIfAbsent(path, 0L);
    }
    return new FakeFile(path);
  }

  @Override
  public void delete(String path) {
    calls.add("delete " + path);
    sizes.remove(path);
  }

  @Override
  public long size(String path) {
    return sizes.getOrDefault(path, 0L);
  }

  @Override
  public void close() {}

  private void call(String what, long nanos) throws IOException {
    calls.add(what);
    clock.addAndGet(nanos);
    if (!failing.isEmpty() && what.startsWith(failing)) {
      throw new IOException("no luck with " + what);
    }
  }

  private final class FakeFile implements IorFile {
    private final String path;

    FakeFile(String path) {
      this.path = path;
    }

    @Override
    public void write(ByteBuffer bytes, long position) throws IOException {
      call("write " + path + " " + position, transferNanos);
      if (!losing) {
        sizes.merge(path, position + bytes.remaining(), Math::max);
      }
    }

    @Override
    public void read(ByteBuffer bytes, long position) throws IOException {
      call("read " + path + " " + position, transferNanos);
    }

    @Override
    public void sync() throws IOException {
      call("sync " + path, syncNanos);
    }

    @Override
    public void close() throws IOException {
      call("close " + path, closeNanos);
    }
  }
}
