package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import java.time.Duration;
import java.util.Optional;

/**
 * An attempt of one call at one node, within what the call may lose. For the call's thread.
 *
 * @param pool of the node
 * @param patience of the call
 */
record NodeAttempt(NodePool pool, Patience patience) {
  /**
   * An open connection; blocks for no longer than the call has patience.
   *
   * @throws EleyException {@code UNAVAILABLE}
   */
  Connection connection() throws EleyException {
    return pool.connection(patience);
  }

  /**
   * A connection for this thread alone, to be given back; empty when there is none now.
   *
   * @throws EleyException {@code UNAVAILABLE}
   */
  Optional<SoleConnection> sole() throws EleyException {
    return pool.sole(patience);
  }

  /** Waits for an answer of the node for as long as it lives. */
  LiveWait wait(ClientOptions.Timeouts timeouts, Duration deadline, LiveWait.Signs signs) {
    return new LiveWait(patience.silence(timeouts.silence()), deadline, signs);
  }
}
