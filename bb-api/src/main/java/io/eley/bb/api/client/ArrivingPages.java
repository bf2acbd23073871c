package io.eley.bb.api.client;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Holds the pages of a read against their checksums as each becomes whole: then it is in the
 * processor's cache still, and what comes next is on its way meanwhile. Not thread-safe: the thread
 * that reads the connection fills it; after the read is over the requester asks.
 */
final class ArrivingPages implements ArrivalListener {
  private final BlockId block;
  private final int page;
  private final int begin;
  private final ByteBuffer pages;
  private final List<Integer> sums = new ArrayList<>();
  private final CRC32C crc = new CRC32C();
  private int checked;
  private Optional<String> damage = Optional.empty();

  /**
   * Nothing has arrived yet.
   *
   * @param range whole pages
   * @param pages where they arrive, from its begin on
   */
  ArrivingPages(BlockId block, PageRange range, ByteBuffer pages) {
    this.block = block;
    this.page = range.page();
    this.begin = range.begin();
    this.pages = pages.duplicate().clear();
  }

  @Override
  public void expect(List<Integer> checksums) {
    sums.addAll(checksums);
  }

  @Override
  public void arrived(int bytes) {
    while (damage.isEmpty() && checked < bytes) {
      int length = Math.min(page, pages.capacity() - checked);
      if (bytes - checked < length) {
        return;
      }
      damage = damage(checked / page, pages.slice(checked, length));
      checked += length;
    }
  }

  private Optional<String> damage(int index, ByteBuffer bytes) {
    if (index >= sums.size()) {
      return Optional.of("the checksum of " + where(index) + " is missing");
    }
    crc.reset();
    crc.update(bytes);
    return (int) crc.getValue() == sums.get(index)
        ? Optional.empty()
        : Optional.of("checksum of " + where(index) + " does not match");
  }

  /** Only when something is wrong: every page of every read comes by. */
  private String where(int index) {
    return block + " at " + (begin + index * page);
  }

  /**
   * Says whether all has arrived as it was sent.
   *
   * @throws EleyException {@code DAMAGED}
   */
  void check() throws EleyException {
    if (damage.isPresent()) {
      throw PageSums.damaged(damage.get());
    }
    if (checked != pages.capacity() || sums.size() != (checked + page - 1) / page) {
      throw PageSums.damaged("the checksums of " + block + " are not those that were asked for");
    }
  }
}
