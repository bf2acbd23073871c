package io.eley.bb.server.fetch;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginFile;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An origin file whose every call runs on an expendable thread with a deadline, and that is closed
 * whatever becomes of these calls. While a call hangs the file cannot be closed: closing would wait
 * for the call, and hang too. So the hung call closes it itself, when it comes back; also a file
 * that is opened too late is closed by whoever opened it.
 *
 * <p>For one thread at a time. Each method blocks up to the deadline.
 */
final class GuardedFile {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedFile.class);

  private final GuardedOrigin guard;
  private final String path;
  // Guarded by this.
  private @Nullable OriginFile file;
  private boolean atOnce;
  private boolean inCall;
  private boolean abandoned;

  private GuardedFile(GuardedOrigin guard, String path) {
    this.guard = guard;
    this.path = path;
  }

  /**
   * Opens the file of a version.
   *
   * @throws EleyException {@code STALE_VERSION} when it is another version by now, {@code
   *     ORIGIN_HUNG}, and what {@link Origin#open} throws
   */
  static GuardedFile open(GuardedOrigin guard, Origin origin, FileVersion version)
      throws EleyException {
    var opened = new GuardedFile(guard, version.path());
    try {
      FileVersion found =
          guard.call(
              "open " + version.path(),
              () -> opened.arrived(origin.open(version)).status().version());
      requireSame(version, found);
      return opened;
    } catch (EleyException e) {
      opened.close();
      throw e;
    }
  }

  /** Whether {@link #read(List, ReadCause)} of several runs takes about as long as of one. */
  synchronized boolean readsAtOnce() {
    return atOnce;
  }

  /** As {@link OriginFile.AtOnce#read}, of a file that {@link #readsAtOnce}. */
  void read(List<OriginFile.Run> runs, ReadCause cause) throws EleyException {
    boolean unused =
        call(
            "read",
            file -> {
              file.atOnce().orElseThrow().read(runs, cause);
              return true;
            });
  }

  /** As {@link OriginFile#read}; a buffer given to a call that hangs must not be used again. */
  int read(long position, ByteBuffer target, ReadCause cause) throws EleyException {
    return call("read", file -> file.read(position, target, cause));
  }

  /**
   * Asks the origin whether the file is still this version.
   *
   * @throws EleyException {@code STALE_VERSION} when not
   */
  void requireUnchanged(FileVersion version) throws EleyException {
    requireSame(version, call("stat", file -> file.currentStatus().version()));
  }

  /** Closes the file now, or when the call that hangs on it comes back. Errors are logged. */
  void close() {
    OriginFile closing;
    synchronized (this) {
      abandoned = true;
      if (inCall || file == null) {
        return;
      }
      closing = file;
      file = null;
    }
    try {
      guard.callAnyhow(
          "close " + path,
          () -> {
            closing.close();
            return true;
          });
    } catch (EleyException e) {
      LOG.warn("cannot close an origin file: {}", e.getMessage());
    }
  }

  private interface FileCall<T> {
    T run(OriginFile file) throws EleyException;
  }

  private <T> T call(String verb, FileCall<T> call) throws EleyException {
    return guard.call(
        verb + " " + path,
        () -> {
          OriginFile open = enter();
          try {
            return call.run(open);
          } finally {
            leave(open);
          }
        });
  }

  /**
   * Runs on the expendable thread when the file is open; closes it if nobody waits for it any more.
   */
  private OriginFile arrived(OriginFile opened) throws EleyException {
    synchronized (this) {
      if (!abandoned) {
        file = opened;
        atOnce = opened.atOnce().isPresent();
        return opened;
      }
    }
    opened.close();
    return opened;
  }

  private synchronized OriginFile enter() throws EleyException {
    if (file == null) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "closed: " + path);
    }
    inCall = true;
    return file;
  }

  private void leave(OriginFile open) throws EleyException {
    synchronized (this) {
      inCall = false;
      if (!abandoned) {
        return;
      }
      file = null;
    }
    open.close();
  }

  static void requireSame(FileVersion expected, FileVersion found) throws EleyException {
    if (!found.equals(expected)) {
      throw new EleyException(
          ErrorCode.STALE_VERSION,
          expected.path() + " has changed on the origin: asked for " + expected + ", is " + found);
    }
  }
}
