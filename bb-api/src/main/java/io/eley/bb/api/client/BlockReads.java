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
   * What a node is asked for.
   *
   * @param into where its answer arrives
   * @param checked empty when pages are not verified
   */
  private record Question(
      Place place,
      ByteBuffer target,
      ReadBlock request,
      ByteBuffer into,
      Optional<Checked> checked) {
    ArrivalListener arrivals() {
      return checked.isPresent() ? checked.get().arriving : ArrivalListener.UNNOTICED;
    }
  }

  /**
   * Whole pages around what is wanted.
   *
   * @param arriving holds them against their checksums
   */
  private record Checked(PageRange range, ArrivingPages arriving) {}

  /** A read over a connection that is under way. */
  record Begun(NodeReads.Asked asked, Question question) {
    /** As {@link NodeReads.Asked#drop}. */
    void drop(Runnable action) {
      asked.drop(action);
    }
  }

  /**
   * Reads within one block.
   *
   * @param target as long as what is wanted; its position does not move
   * @return bytes put into the target: those that were wanted, or a little less
   * @throws EleyException {@code DAMAGED} when a page does not match: the node knows then, and a
   *     retry gets the block anew; or what the node says
   */
  int read(NodeAttempt at, Place place, ByteBuffer target) throws EleyException {
    Optional<Integer> local;
    try {
      local = local(at, place, target.duplicate());
    } catch (EleyException e) {
      throw noted(at, place, e);
    }
    if (local.isPresent()) {
      client
          .counters()
          .add(at.pool().node().ofEngine() ? Source.REMOTE_RAM : Source.LOCAL_RAM, local.get());
      return local.get();
    }
    Question question = question(place, target);
    try {
      return delivered(
          question,
          client.nodeReads().read(at, question.request, question.into, question.arrivals()));
    } catch (EleyException e) {
      throw noted(at, place, e);
    }
  }

  private Optional<Integer> local(NodeAttempt at, Place place, ByteBuffer target)
      throws EleyException {
    return client.options().verify()
        ? client.local().readVerified(place.block, place.geometry, place.offset, target, at)
        : client.local().read(place.block, place.geometry, place.offset, target, at);
  }

  /**
   * Asks for bytes of one block over a connection. Blocks for a connection only; {@link #finish} or
   * {@link Begun#drop} is to follow.
   *
   * @param target as for {@link #read}; untouched until then
   * @param lent as for {@link NodeReads#ask}
   */
  Begun begin(NodeAttempt at, Place place, ByteBuffer target, Optional<LentConnections> lent)
      throws EleyException {
    Question question = question(place, target);
    return new Begun(
        client.nodeReads().ask(at, question.request, question.into, question.arrivals(), lent),
        question);
  }

  private Question question(Place place, ByteBuffer target) {
    BlockId block = place.block;
    int whole = place.geometry.blockSize();
    if (!client.options().verify()) {
      int length = target.remaining();
      var request =
          new ReadBlock(block, whole, place.offset, length, place.ahead, ReadCause.DEMAND, false);
      return new Question(place, target, request, target, Optional.empty());
    }
    var range = PageRange.of(block, place.geometry, place.offset, target.remaining());
    ByteBuffer pages = range.buffer(target);
    int length = range.length();
    var request =
        new ReadBlock(block, whole, range.begin(), length, place.ahead, ReadCause.DEMAND, true);
    var checked = new Checked(range, new ArrivingPages(block, range, pages));
    return new Question(place, target, request, pages, Optional.of(checked));
  }

  /** Waits for what was asked for; returns and throws as {@link #read} does. */
  int finish(Begun begun) throws EleyException {
    try {
      return delivered(begun.question, client.nodeReads().answer(begun.asked));
    } catch (EleyException e) {
      throw noted(begun.asked.at(), begun.question.place, e);
    }
  }

  private int delivered(Question question, BlockReply reply) throws EleyException {
    client.counters().add(Source.REMOTE_RAM, reply.hitBytes());
    client.counters().add(Source.ARRIVING, reply.bytes() - reply.hitBytes());
    if (question.checked.isEmpty()) {
      return reply.bytes();
    }
    Checked checked = question.checked.get();
    checked.arriving.check();
    return checked.range.deliver(question.into, question.target);
  }

  private EleyException noted(NodeAttempt at, Place place, EleyException e) {
    if (e.code() == ErrorCode.DAMAGED && client.options().verify()) {
      client.counters().countDamage();
      client.nodeReads().reportDamage(at, place.block);
    }
    return e;
  }
}
