package io.eley.server.fetch;

import io.eley.api.Permit;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Holds the node's permit and says which lane may move now. */
@SuppressWarnings("DoNotCallSuggester") // bodies follow
public final class PermitGate {
  /** Closed until the first permit; the lapse counts from now. */
  public PermitGate(Duration delayMax, long cappedRate, LongSupplier nanos) {
    throw new UnsupportedOperationException();
  }

  /** Obeys the permit from the moment this returns; false when it is older than the one we have. */
  public boolean apply(Permit permit) {
    throw new UnsupportedOperationException();
  }

  /** A new connection to a coordinator: its sequence numbers begin anew. */
  public void newIssuer() {
    throw new UnsupportedOperationException();
  }

  /** Whether prefetching may go on now. */
  public boolean prefetchOpen() {
    throw new UnsupportedOperationException();
  }

  /** Whether a permit is live. */
  public boolean live() {
    throw new UnsupportedOperationException();
  }

  /** Sequence of the last permit applied; 0 before the first. */
  public long sequence() {
    throw new UnsupportedOperationException();
  }
}
