package io.eley.bb.server.fetch;

import java.util.BitSet;

/** What a request wants of one block. */
sealed interface Want {
  /** All of it. */
  record Whole() implements Want {}

  /** Some pages, which nobody changes any more. */
  record Part(BitSet pages) implements Want {}

  /**
   * Bytes that somebody waits for.
   *
   * @param offset first byte within the block
   * @param length bytes, at least 1
   * @param ahead bytes behind them that the reader will probably ask for next
   */
  record Bytes(int offset, int length, int ahead) implements Want {}
}
