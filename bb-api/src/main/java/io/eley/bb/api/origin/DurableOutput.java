package io.eley.bb.api.origin;

import io.eley.bb.api.error.EleyException;

/**
 * What a stream of {@link Origin} implements when the origin can put its bytes on stable storage
 * before it is closed. What was flushed is seen by other readers of the origin then, too.
 */
public interface DurableOutput {
  /**
   * Blocks until all that was written to the stream is on stable storage, as far as the origin's
   * file system keeps that promise.
   *
   * @throws EleyException as a write of the same stream would
   */
  void force() throws EleyException;
}
