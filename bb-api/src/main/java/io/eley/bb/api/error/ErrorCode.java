package io.eley.bb.api.error;

/**
 * What went wrong, in terms of what the caller can do. It crosses the wire as its {@link #wire()}
 * number, so numbers are never reused. Nobody branches on an error's text.
 */
public enum ErrorCode {
  /** The node does not own the block in its view: fetch the view and ask the owner. */
  NOT_OWNER(1, Remedy.RETRY),
  /** The peer is starting, stopping, overloaded or gone. */
  UNAVAILABLE(2, Remedy.RETRY),
  /** No answer within the deadline. */
  DEADLINE(3, Remedy.FALL_BACK),
  /** No room on the RAM-disk and nothing to evict. */
  NO_SPACE(4, Remedy.FALL_BACK),
  /** A stored block does not match its checksum; it has been dropped. */
  DAMAGED(5, Remedy.RETRY),
  /** The origin call has not come back; the node gave up on the thread. */
  ORIGIN_HUNG(6, Remedy.FALL_BACK),
  /** The origin refused or failed the call. */
  ORIGIN_FAILED(7, Remedy.FAIL),
  /** No such file on the origin. */
  NOT_FOUND(8, Remedy.FAIL),
  /** The file is not the version that was asked for any more. */
  STALE_VERSION(9, Remedy.FAIL),
  /** The origin denies the user this file. */
  ACCESS_DENIED(10, Remedy.FAIL),
  /** The path lies outside the origin. */
  OUTSIDE_ORIGIN(11, Remedy.FAIL),
  /** Wrong secret. */
  UNAUTHENTICATED(12, Remedy.FALL_BACK),
  /** Another protocol version. */
  INCOMPATIBLE(13, Remedy.FALL_BACK),
  /** The frame or message makes no sense. */
  MALFORMED(14, Remedy.FALL_BACK),
  /** A node that must register first. */
  NOT_REGISTERED(15, Remedy.RETRY),
  /** A defect in the peer. */
  INTERNAL(16, Remedy.FALL_BACK),
  /** The calling thread was interrupted: its task is over, so nothing is tried further. */
  INTERRUPTED(17, Remedy.FAIL),
  /** The application, or its shuffle, has ended: nobody would read what is written now. */
  ENDED(18, Remedy.FAIL);

  private final int wire;
  private final Remedy remedy;

  ErrorCode(int wire, Remedy remedy) {
    this.wire = wire;
    this.remedy = remedy;
  }

  public int wire() {
    return wire;
  }

  public Remedy remedy() {
    return remedy;
  }

  /** The code of a number; numbers of a newer peer that we do not know are {@link #INTERNAL}. */
  public static ErrorCode ofWire(int wire) {
    for (var code : values()) {
      if (code.wire == wire) {
        return code;
      }
    }
    return INTERNAL;
  }
}
