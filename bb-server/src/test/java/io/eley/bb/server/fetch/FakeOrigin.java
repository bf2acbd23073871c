package io.eley.bb.server.fetch;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginFile;
import io.eley.bb.api.origin.OriginStatus;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Files in memory. Counts what is asked of it, and misbehaves when told: {@link #beforeRead} runs
 * in each read and may block, throw, or change the file; {@link #mostBytesPerRead} makes reads
 * short.
 */
final class FakeOrigin implements Origin {
  /** Runs before the n-th read (from 1) of all reads. */
  interface ReadHook {
    void run(int n, Read read) throws EleyException;
  }

  record Read(String path, long position, int length, ReadCause cause) {}

  private record Contents(byte[] bytes, long modifiedMillis) {}

  final List<Read> reads = new CopyOnWriteArrayList<>();
  final AtomicLong bytesRead = new AtomicLong();
  final AtomicInteger opens = new AtomicInteger();
  final AtomicInteger closes = new AtomicInteger();
  volatile ReadHook beforeRead = (n, read) -> {};
  volatile ReadHook beforeOpen = (n, read) -> {};
  volatile int mostBytesPerRead = Integer.MAX_VALUE;

  private final AtomicInteger readCount = new AtomicInteger();
  private final Map<String, Contents> files = new ConcurrentHashMap<>();
  private final Map<String, Long> claimedLengths = new ConcurrentHashMap<>();

  /** Puts a file of random bytes. */
  FileVersion put(String path, int length, long modifiedMillis) {
    byte[] bytes = new byte[length];
    new Random(path.hashCode() * 31L + modifiedMillis).nextBytes(bytes);
    files.put(path, new Contents(bytes, modifiedMillis));
    return new FileVersion(path, length, modifiedMillis);
  }

  byte[] bytes(String path, long offset, int length) {
    return Arrays.copyOfRange(files.get(path).bytes, (int) offset, (int) offset + length);
  }

  /** Cuts a file's bytes, but its status tells the old length, as a stale attribute cache does. */
  void truncateSilently(String path, int length) {
    Contents old = files.get(path);
    claimedLengths.put(path, (long) old.bytes.length);
    files.put(path, new Contents(Arrays.copyOf(old.bytes, length), old.modifiedMillis));
  }

  @Override
  public String address() {
    return "fake";
  }

  @Override
  public OriginStatus stat(String path) throws EleyException {
    Contents contents = files.get(path);
    if (contents == null) {
      throw new EleyException(ErrorCode.NOT_FOUND, "no such file on the origin: " + path);
    }
    long length = claimedLengths.getOrDefault(path, (long) contents.bytes.length);
    return new OriginStatus(path, false, length, contents.modifiedMillis, 0644, "", "");
  }

  @Override
  public OriginFile open(String path) throws EleyException {
    beforeOpen.run(opens.incrementAndGet(), new Read(path, 0, 0, ReadCause.DIRECT));
    OriginStatus status = stat(path);
    return new OriginFile() {
      @Override
      public OriginStatus status() {
        return status;
      }

      @Override
      public OriginStatus currentStatus() throws EleyException {
        return stat(path);
      }

      @Override
      public int read(long position, ByteBuffer target, ReadCause cause) throws EleyException {
        var read = new Read(path, position, target.remaining(), cause);
        reads.add(read);
        beforeRead.run(readCount.incrementAndGet(), read);
        byte[] bytes = files.get(path).bytes;
        if (position >= bytes.length) {
          return -1;
        }
        int length =
            (int) Math.min(Math.min(target.remaining(), mostBytesPerRead), bytes.length - position);
        target.put(bytes, (int) position, length);
        bytesRead.addAndGet(length);
        return length;
      }

      @Override
      public void close() {
        closes.incrementAndGet();
      }
    };
  }

  @Override
  public List<OriginStatus> list(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public OutputStream create(String path, boolean overwrite) {
    throw new UnsupportedOperationException();
  }

  @Override
  public OutputStream append(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void makeDirectories(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void rename(String from, String to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(String path, boolean recursive) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
