package io.eley.bb.api.origin;

import io.eley.bb.api.error.EleyException;

/**
 * What a stream of {@link Origin} implements when its end makes a file of what was written, as an
 * object store's does: a part must not replace what was whole.
 */
public interface AbortableOutput {
  /**
   * Ends the stream in place of closing it. Where the origin can, nothing of it is ever seen, and
   * what was there stays.
   *
   * @throws EleyException as closing the same stream would
   */
  void abort() throws EleyException;
}
