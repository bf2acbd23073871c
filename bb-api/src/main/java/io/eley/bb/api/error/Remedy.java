package io.eley.bb.api.error;

/** What a caller does about an error. */
public enum Remedy {
  /** The same request may succeed here or at another node, after back-off. */
  RETRY,
  /** The buffer cannot serve this now; the origin can. */
  FALL_BACK,
  /** No copy anywhere would help: tell the user. */
  FAIL
}
