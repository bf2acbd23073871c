package io.eley.bb.server.scratch;

/** Where on a node an output lies. */
enum Tier {
  /** The RAM-disk, out of the node's RAM budget. */
  RAM,
  /** A directory on a local disk, of a size of its own. */
  OVERFLOW
}
