package io.eley.bb.api.origin;

/**
 * The space of an origin, as df(1) counts it: what is used and what this user may still use may
 * make less than all, because a file system keeps some for itself.
 *
 * @param capacity bytes in all
 * @param used bytes
 * @param free bytes that this user may use
 */
public record OriginSpace(long capacity, long used, long free) {
  public OriginSpace {
    if (capacity < 0 || used < 0 || free < 0) {
      throw new IllegalArgumentException("negative space");
    }
  }
}
