package io.eley.bb.api.client;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads ranges of blocks from their nodes: from the file where it is on this machine, otherwise
 * over a connection. Where the client verifies, each page is held against the node's checksum; the
 * node is told of a page that does not match. Safe for several threads; blocks.
 */
final class BlockReads {
  private final EleyClient client;

  BlockReads(EleyClient client) {
    this.client = client;
  }

  /**
   * What is read.
   *
   * @param offset first byte within the block
   * @param ahead bytes behind it that will probably be wanted next
   */
  record Place(BlockId block, BlockGeometry geometry, int offset, int ahead) {}

  /**
   * Reads within one block.
   *
   * @param target as long as what is wanted; its position does not move
   * @return bytes put into the target: those that were wanted, or a little less
   * @throws EleyException {@code DAMAGED} when a page does not match: the node knows then, and a
   *     retry gets the block anew; or what the node says
   */
  int read(NodeAttempt at, Place place, ByteBuffer target) throws EleyException {
    if (!client.options().verify()) {
      return unverified(at, place, target);
    }
    try {
      return verified(at, place, target);
    } catch (EleyException e) {
      if (e.code() == ErrorCode.DAMAGED) {
        client.counters().countDamage();
        client.nodeReads().reportDamage(at, place.block);
      }
      throw e;
    }
  }

  private int unverified(NodeAttempt at, Place place, ByteBuffer target) throws EleyException {
    Optional<Integer> local =
        client.local().read(place.block, place.offset, target.duplicate(), at);
    if (local.isPresent()) {
      client.counters().add(Source.LOCAL_RAM, local.get());
      return local.get();
    }
    var request =
        new ReadBlock(
            place.block, place.offset, target.remaining(), place.ahead, ReadCause.DEMAND, false);
    return remote(at, request, target, ArrivalListener.UNNOTICED).bytes();
  }

  private int verified(NodeAttempt at, Place place, ByteBuffer target) throws EleyException {
    BlockId block = place.block;
    Optional<Integer> local =
        client.local().readVerified(block, place.geometry, place.offset, target.duplicate(), at);
    if (local.isPresent()) {
      client.counters().add(Source.LOCAL_RAM, local.get());
      return local.get();
    }
    var range = PageRange.of(block, place.geometry, place.offset, target.remaining());
    ByteBuffer pages = range.buffer(target);
    var request =
        new ReadBlock(block, range.begin(), range.length(), place.ahead, ReadCause.DEMAND, true);
    var arriving = new ArrivingPages(block, range, pages);
    remote(at, request, pages, arriving);
    arriving.check();
    return range.deliver(pages, target);
  }

  private BlockReply remote(
      NodeAttempt at, ReadBlock request, ByteBuffer target, ArrivalListener arrivals)
      throws EleyException {
    BlockReply reply = client.nodeReads().read(at, request, target, arrivals);
    client.counters().add(Source.REMOTE_RAM, reply.hitBytes());
    client.counters().add(Source.ARRIVING, reply.bytes() - reply.hitBytes());
    return reply;
  }
}
