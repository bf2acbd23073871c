package io.eley.bb.api.origin;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import java.io.Closeable;
import java.nio.ByteBuffer;

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

  @Override
  void close() throws EleyException;
}
