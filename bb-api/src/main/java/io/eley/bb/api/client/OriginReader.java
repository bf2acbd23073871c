package io.eley.bb.api.client;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedFile;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one version of a file directly from the origin. The file is opened on the first read; reads
 * run on expendable threads and into a buffer of their own, because a hung call may still write to
 * its buffer long after we gave it up. Safe for several threads.
 */
final class OriginReader implements AutoCloseable {
  /** One origin request; the same as a node's chunk. */
  private static final int REQUEST = 1 << 20;

  private final EleyClient client;
  private final FileVersion version;
  private @Nullable GuardedFile file;
  private boolean closed;

  OriginReader(EleyClient client, FileVersion version) {
    this.client = client;
    this.version = version;
  }

  /**
   * Reads up to {@code target.remaining()} bytes, at most one origin request.
   *
   * @return bytes read, at least one
   * @throws EleyException {@code STALE_VERSION} when the file is another one now; {@code
   *     ORIGIN_FAILED}; {@code ORIGIN_HUNG}; {@code UNAVAILABLE} when this is closed
   */
  int read(long position, ByteBuffer target, ReadCause cause) throws EleyException {
    int wanted = (int) Math.min(Math.min(target.remaining(), REQUEST), version.length() - position);
    GuardedFile open = file();
    Optional<FallbackGate> gate = client.gate(cause);
    if (gate.isPresent()) {
      gate.get().enter(wanted);
    }
    var own = ByteBuffer.allocate(wanted);
    long begun = System.nanoTime();
    int count =
        open.call(
            "read " + version.path() + " at " + position,
            opened -> {
              int read = opened.read(position, own, cause);
              if (read > 0) {
                // After the read: what was changed before it or under it shows now.
                GuardedFile.requireSame(version, opened.currentStatus().version());
              }
              return read;
            });
    if (count <= 0) {
      throw new EleyException(
          ErrorCode.STALE_VERSION,
          "the file was changed while it was being read: it was "
              + version
              + ", it ends at byte "
              + position);
    }
    gate.ifPresent(passed -> passed.count(count, begun));
    target.put(own.flip());
    return count;
  }

  /** Blocks up to the deadline of an origin call, never for a read that hangs. */
  @Override
  public void close() {
    GuardedFile closing;
    synchronized (this) {
      closing = file;
      file = null;
      closed = true;
    }
    if (closing != null) {
      closing.close();
    }
  }

  /** Ranges that are under way outlive a close: what they opened then, nobody would close. */
  private synchronized GuardedFile file() throws EleyException {
    if (closed) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "closed: " + version.path());
    }
    GuardedFile open = file;
    if (open == null) {
      open = GuardedFile.open(client.guard(), version, () -> client.origin().open(version));
      file = open;
    }
    return open;
  }
}
