package io.eley.bb.api;

/**
 * Why bytes move between the origin and us. One enum drives policy, metric label, log and report,
 * so that every origin byte is explained by exactly one word.
 */
public enum ReadCause {
  /** A task waits for the block and the buffer does not have it. */
  DEMAND,
  /** The planner ordered it: it lies in a window. */
  PREFETCH,
  /** A stream without a plan is read sequentially. */
  READ_AHEAD,
  /** The buffer could not serve, so the client read the origin itself. */
  FALLBACK,
  /** The buffer is not asked at all: NaiveBB. */
  DIRECT,
  /** The one that is no read: a task writes to the origin, through us. */
  WRITE;

  /** Whether a task is waiting for these bytes right now. */
  public boolean awaited() {
    return this == DEMAND || pastNodes();
  }

  /** Whether these bytes are moved by clients, not by nodes. */
  public boolean pastNodes() {
    return this == FALLBACK || this == DIRECT || this == WRITE;
  }
}
