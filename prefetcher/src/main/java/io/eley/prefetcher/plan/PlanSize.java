package io.eley.prefetcher.plan;

import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;

/**
 * What the parts of a plan take of the heap, in bytes: objects with their headers, references and
 * entries of maps on a 64-bit JVM, rounded up. It need not be exact, but must never be much too
 * little: it keeps the process alive.
 */
final class PlanSize {
  /** An application with its maps, and its driver's session. */
  static final long APPLICATION = 4096;

  /** A stage with its maps. */
  static final long STAGE = 1024;

  /** What is kept of a stage that is over. */
  static final long STAGE_OVER = 160;

  /** A task that has ended before its split was known. */
  static final long ENDED = 64;

  private static final long SPLIT = 160;

  /** A slice, its range, and a file that nobody else reads, with its version and its entries. */
  private static final long SLICE = 192;

  /** A path without its characters; slice and version share it. */
  private static final long PATH = 40;

  /**
   * A block in the plan. Those of the window are in sets, too, while a plan is made; they are a few
   * of all, and the limits leave room for them.
   */
  private static final long BLOCK = 64;

  /** A set of pages without its bits. */
  private static final long PAGES = 72;

  private PlanSize() {}

  /** A set of pages of a block that has so many. */
  static long ofPages(int pageCount) {
    return PAGES + pageCount / Byte.SIZE;
  }

  static long of(Split split, int blocks) {
    long bytes = SPLIT + blocks * BLOCK;
    for (FileSlice slice : split.slices()) {
      bytes += SLICE + PATH + charactersOf(slice.path());
    }
    return bytes;
  }

  /** As the JVM keeps a text: a byte for each character while all are Latin-1. */
  private static long charactersOf(String path) {
    boolean narrow = path.chars().allMatch(c -> c < 256);
    return narrow ? path.length() : 2L * path.length();
  }
}
