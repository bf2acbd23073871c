package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;

/**
 * A read that is under way while its reader does something else: the node sends meanwhile, so what
 * follows a read needs no round trip of its own. When it fails it is made anew, with all that
 * {@link BbFile#read} does to get the bytes. What is to be read from a file of this machine, or
 * from the origin, is read when it is waited for.
 *
 * <p>For one thread, which calls {@link #await} or {@link #drop} once.
 */
public interface StartedRead {
  /** Whether a node was asked already. */
  boolean underWay();

  /** Blocks until the bytes are there; returns and throws as {@link BbFile#read} does. */
  int await() throws EleyException;

  /**
   * Gives the read up without waiting.
   *
   * @param action runs when nobody writes to the target any more, on this thread or another one,
   *     and must not block
   */
  void drop(Runnable action);
}
