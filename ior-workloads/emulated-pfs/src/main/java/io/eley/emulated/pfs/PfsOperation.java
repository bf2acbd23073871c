package io.eley.emulated.pfs;

/** What a client is about to do with the bytes it asks for. */
public enum PfsOperation {
  /** Bytes from the directory to the client. */
  READ,
  /** Bytes from the client to the directory. */
  WRITE,
  /** A call that moves no data: stat, list, open, create, rename, delete. */
  META
}
