package io.eley.bb.server.store;

/** Why a committed block has left the store. */
public enum DropReason {
  /** Another block needed its space. */
  EVICTED,
  /** Intermediate data needed its space. */
  YIELDED,
  /** A block of another version of its file was asked for. */
  OTHER_VERSION,
  /**
   * It did not match its checksums when it was read first after a restart, or when it was served.
   */
  DAMAGED
}
