package io.eley.bb.api.origin;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.OutputStream;
import java.util.List;

/**
 * The port to where the data lives. Paths are normalised origin paths; an implementation confines
 * them to its root.
 *
 * <p>Every call blocks, and on a mount of a parallel file system every call may hang for ever in
 * uninterruptible sleep (seen with OrangeFS when a server froze). Whoever must not hang calls
 * through {@link GuardedOrigin}, which gives up on the thread and never on the process. Safe for
 * use by several threads.
 *
 * <p>Errors are {@link EleyException}s with the codes {@code NOT_FOUND}, {@code ACCESS_DENIED},
 * {@code OUTSIDE_ORIGIN} and {@code ORIGIN_FAILED}.
 */
public interface Origin extends AutoCloseable {
  /** The origin's address as a user would type it. */
  String address();

  OriginStatus stat(String path) throws EleyException;

  /** The children of a directory in the order of their names. */
  List<OriginStatus> list(String path) throws EleyException;

  /**
   * Whether a directory's status is another one once a child has come or gone, as POSIX has it; an
   * object store's need not be. Does not block.
   */
  default boolean directoriesTellOfChildren() {
    return true;
  }

  OriginFile open(String path) throws EleyException;

  /**
   * Opens a file of which the caller knows the version: an origin that can make sure of it with
   * each read, as object stores can, need not look first. The file's status may be of another
   * version; the caller compares.
   */
  default OriginFile open(FileVersion version) throws EleyException {
    return open(version.path());
  }

  /**
   * Creates a file and its missing parents.
   *
   * @param overwrite replace an existing file; otherwise an existing one is {@code ORIGIN_FAILED}
   * @return a stream whose bytes count as {@link ReadCause#WRITE}, a {@link DurableOutput} where
   *     the origin can be told to keep them, an {@link AbortableOutput} where one that lacks bytes
   *     can be given up; each write may be one of the origin, so callers write in large pieces; not
   *     safe for several threads
   */
  OutputStream create(String path, boolean overwrite) throws EleyException;

  /** As {@link #create} gives it, a stream that adds to an existing file's end. */
  OutputStream append(String path) throws EleyException;

  /** Whether {@link #append} can be had here at all. Does not block. */
  default boolean appends() throws EleyException {
    return true;
  }

  /** Makes a directory and its missing parents; an existing directory is fine. */
  void makeDirectories(String path) throws EleyException;

  /**
   * Renames within the origin, replacing nothing: an existing target is {@code ORIGIN_FAILED}, with
   * a {@link java.nio.file.FileAlreadyExistsException} as its cause. Nothing else has that cause:
   * it says that nothing was done, which what is there does not, behind a rename that is no single
   * step and has stopped half-way.
   */
  void rename(String from, String to) throws EleyException;

  /**
   * Renames a file onto another one, which is replaced, or to where nothing is. An origin that can
   * does it in one step, so that whoever opens the target finds one of the two; here it is gone for
   * a moment, and for good if the process ends then.
   */
  default void replace(String from, String to) throws EleyException {
    try {
      delete(to, false);
    } catch (EleyException e) {
      if (e.code() != ErrorCode.NOT_FOUND) {
        throw e;
      }
    }
    rename(from, to);
  }

  /**
   * Deletes a file, or a directory that is empty or, with {@code recursive}, with all below it.
   * What others delete below it meanwhile is as good as deleted.
   */
  void delete(String path, boolean recursive) throws EleyException;

  /**
   * Sets the nine permission bits of a file or directory. Its setuid, setgid and sticky bits stay,
   * since {@link OriginStatus} does not show them to who reads, changes and writes the rest.
   */
  void setPermissions(String path, int permissions) throws EleyException;

  /**
   * Sets times of a file or directory. An origin that offers this has change times, which nobody
   * can set: they tell versions apart whatever the times here say.
   *
   * @param modifiedMillis milliseconds since the epoch; negative leaves the time as it is
   * @param accessedMillis likewise
   */
  void setTimes(String path, long modifiedMillis, long accessedMillis) throws EleyException;

  /** The space of the file system that the file or directory lies on. */
  OriginSpace space(String path) throws EleyException;

  /**
   * How often the store has asked for fewer requests since it was opened, after which its client
   * has waited and asked again by itself. Does not block.
   */
  default long throttled() {
    return 0;
  }

  @Override
  void close();
}
