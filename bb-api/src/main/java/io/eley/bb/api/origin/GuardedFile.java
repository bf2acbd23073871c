package io.eley.bb.api.origin;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An origin file whose every call runs on an expendable thread with a deadline, and that is closed
 * whatever becomes of these calls. While a call hangs the file cannot be closed: closing would wait
 * for the call, and hang too. So the last call that hangs closes it, when it comes back; also a
 * file that is opened too late is closed by whoever opened it.
 *
 * <p>Safe for several threads. Each method blocks up to the deadline.
 */
public final class GuardedFile {
  /** A try again finds what is written to all the time changed again. */
  private static final String GROWN =
      "; it has grown: of a file that is still written to, read a copy, or the file past Eley";

  private final GuardedOrigin guard;
  private final String path;
  // Guarded by this.
  private @Nullable OriginFile file;
  private boolean atOnce;

  /** Under way, hung ones included. */
  private int calls;

  private boolean abandoned;

  private GuardedFile(GuardedOrigin guard, String path) {
    this.guard = guard;
    this.path = path;
  }

  /**
   * Opens the file of a version.
   *
   * @param opening as {@link Origin#open(FileVersion)}; made on an expendable thread
   * @throws EleyException {@code STALE_VERSION} when it is another version by now, {@code
   *     ORIGIN_HUNG}, and what the opening throws
   */
  public static GuardedFile open(
      GuardedOrigin guard, FileVersion version, GuardedOrigin.Call<OriginFile> opening)
      throws EleyException {
    var opened = new GuardedFile(guard, version.path());
    try {
      FileVersion found =
          guard.call(
              "open " + version.path(), () -> opened.arrived(opening.run()).status().version());
      requireSame(version, found);
      return opened;
    } catch (EleyException e) {
      opened.close();
      throw e;
    }
  }

  /** Whether {@link #read(List, ReadCause)} of several runs takes about as long as of one. */
  public synchronized boolean readsAtOnce() {
    return atOnce;
  }

  /** As {@link OriginFile.AtOnce#read}, of a file that {@link #readsAtOnce}. */
  public void read(List<OriginFile.Run> runs, ReadCause cause) throws EleyException {
    boolean unused =
        call(
            "read " + path,
            file -> {
              file.atOnce().orElseThrow().read(runs, cause);
              return true;
            });
  }

  /** As {@link OriginFile#read}; a buffer given to a call that hangs must not be used again. */
  public int read(long position, ByteBuffer target, ReadCause cause) throws EleyException {
    return call("read " + path, file -> file.read(position, target, cause));
  }

  /**
   * Asks the origin whether the file is still this version.
   *
   * @throws EleyException {@code STALE_VERSION} when not
   */
  public void requireUnchanged(FileVersion version) throws EleyException {
    requireSame(version, call("stat " + path, file -> file.currentStatus().version()));
  }

  /**
   * Closes the file now, or when the last call that hangs on it comes back; an interrupted thread
   * does not wait for that. Errors are logged.
   */
  public void close() {
    OriginFile closing;
    synchronized (this) {
      abandoned = true;
      if (calls > 0 || file == null) {
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
      noteUnclosed(e);
    }
  }

  private static void noteUnclosed(EleyException e) {
    if (e.code() != ErrorCode.INTERRUPTED) { // then it is closed, and only was not waited for
      System.getLogger(GuardedFile.class.getName())
          .log(Level.WARNING, "cannot close an origin file: {0}", e.getMessage());
    }
  }

  /** What is done with the open file. */
  @FunctionalInterface
  public interface FileCall<T> {
    /** Runs on an expendable thread. */
    T run(OriginFile file) throws EleyException;
  }

  /**
   * Does something with the file.
   *
   * @param what the call in words, for the error
   * @throws EleyException what the call throws; {@code ORIGIN_HUNG}; {@code INTERRUPTED}; {@code
   *     UNAVAILABLE} when the file is closed
   */
  public <T> T call(String what, FileCall<T> call) throws EleyException {
    return guard.call(
        what,
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
    if (file == null || abandoned) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "closed: " + path);
    }
    calls++;
    return file;
  }

  private void leave(OriginFile open) {
    synchronized (this) {
      calls--;
      if (!abandoned || calls > 0) {
        return;
      }
      file = null;
    }
    try {
      open.close();
    } catch (EleyException e) {
      noteUnclosed(e);
    }
  }

  /**
   * Passes when both are the same version. One that has only become longer is another one, too:
   * whether its first bytes stayed, as behind an append, or a writer began anew in place, no
   * attribute tells.
   *
   * @throws EleyException {@code STALE_VERSION} when not
   */
  public static void requireSame(FileVersion expected, FileVersion found) throws EleyException {
    if (!found.equals(expected)) {
      throw new EleyException(
          ErrorCode.STALE_VERSION,
          expected.path()
              + " has changed on the origin: asked for "
              + expected
              + ", is "
              + found
              + (found.length() > expected.length() ? GROWN : ""));
    }
  }
}
