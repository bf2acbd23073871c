package io.eley.bb.api.origin;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * An origin file opened for positioned reads. Safe for use by several threads at once; reads do not
 * move anything.
 */
public interface OriginFile extends Closeable {
  /** The attributes at the moment of opening. */
  OriginStatus status();

  /** The attributes now, of the file that is open. Blocks; may hang as any origin call may. */
  OriginStatus currentStatus() throws EleyException;

  /**
   * Reads up to {@code target.remaining()} bytes from {@code position}, as pread(2) does: fewer may
   * come.
   *
   * @return bytes read, or -1 at or past the end
   * @throws EleyException {@code ORIGIN_FAILED}. Blocks; on a mount of a parallel file system it
   *     may never return
   */
  int read(long position, ByteBuffer target, ReadCause cause) throws EleyException;

  /**
   * Reads of several runs at once, where the origin answers them side by side: an object store
   * behind a long way, where one answer after the other would cost a way each. Does no I/O.
   *
   * @return empty where nothing is gained by it, as on a mount
   */
  default Optional<AtOnce> atOnce() {
    return Optional.empty();
  }

  /**
   * Some bytes.
   *
   * @param position of the first in the file
   * @param target for as many as it has remaining
   */
  record Run(long position, ByteBuffer target) {}

  /** Reads several runs of a file at once. Safe for several threads. */
  interface AtOnce {
    /**
     * Fills the targets; each run is one request of its bytes and no others.
     *
     * @param runs in no order, none of which overlap
     * @throws EleyException {@code ORIGIN_FAILED}, also when the file ends before one of them does.
     *     Blocks as long as the slowest
     */
    void read(List<Run> runs, ReadCause cause) throws EleyException;
  }

  @Override
  void close() throws EleyException;
}
