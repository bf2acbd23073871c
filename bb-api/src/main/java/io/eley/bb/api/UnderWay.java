package io.eley.bb.api;

/**
 * Reads of the origin that were allowed before a permit and go on under it: a hold lets none begin,
 * and stops none.
 *
 * @param bytes of those that are not over, whatever part of them has arrived
 * @param mostBytes that there may be at once: a chunk for each fetcher, or a block for each load
 *     where another engine holds blocks
 */
public record UnderWay(long bytes, long mostBytes) {
  /** Of a node that reads nothing. */
  public static final UnderWay NONE = new UnderWay(0, 0);

  /** Of several nodes together. */
  public UnderWay plus(UnderWay other) {
    return new UnderWay(bytes + other.bytes, mostBytes + other.mostBytes);
  }
}
