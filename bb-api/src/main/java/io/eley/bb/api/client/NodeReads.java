package io.eley.bb.api.client;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.BlockMessage.BlockDamaged;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads over connections to nodes, each for as long as its node lives. Safe for several threads;
 * blocks.
 */
final class NodeReads {
  private final ClientOptions.Timeouts timeouts;
  private final LiveWait.Signs signs;

  /**
   * Reads that look at the view while they wait.
   *
   * @param asked runs when a node has been silent for a while; must not block
   */
  NodeReads(ClientOptions.Timeouts timeouts, Runnable asked) {
    this.timeouts = timeouts;
    this.signs =
        new LiveWait.Signs() {
          @Override
          public void asked() {
            asked.run();
          }
        };
  }

  /** Tells a node that a block of it is damaged; waits until it has looked. Never fails. */
  void reportDamage(NodeAttempt at, BlockId block) {
    try {
      Connection connection = at.connection();
      LiveWait wait = at.wait(timeouts, timeouts.request(), signs);
      wait.done(connection, connection.request(new BlockDamaged(block)), "a damaged block");
    } catch (EleyException e) {
      // The node serves the block again or does not; whoever reads it checks it.
    }
  }

  /**
   * Reads a range of a block into the target, from its position on; the position does not move. The
   * caller takes the answer off a connection of his own where there is one. Afterwards, whatever
   * happened, nobody writes to the target any more.
   *
   * @param arrivals learns of the bytes on whatever thread reads them
   * @throws EleyException as {@link #ask} and {@link #answer} do
   */
  BlockReply read(NodeAttempt at, ReadBlock request, ByteBuffer target, ArrivalListener arrivals)
      throws EleyException {
    Optional<SoleConnection> sole = at.sole();
    if (sole.isPresent()) {
      try {
        return read(at, sole.get(), request, target, arrivals);
      } catch (SoleConnection.EndedUnnoticedException e) {
        // Nothing has come: as if it had not been tried. Of a shared connection its end is known.
      }
    }
    return answer(ask(at, request, target, arrivals));
  }

  private BlockReply read(
      NodeAttempt at,
      SoleConnection over,
      ReadBlock request,
      ByteBuffer target,
      ArrivalListener arrivals)
      throws EleyException {
    try {
      LiveWait wait = at.wait(timeouts, timeouts.read(), signs);
      BlockReply reply = over.read(request, target, arrivals, wait);
      at.pool().noteAnswer();
      return reply;
    } catch (EleyException e) {
      at.pool().noteOutcome(over, e);
      throw e;
    } finally {
      at.pool().giveBack(over);
    }
  }

  /** A read that a node was asked for. */
  record Asked(NodeAttempt at, Connection connection, Pending.Read read) {
    /** Takes the target back from an answer that is not there yet; it is thrown away. */
    void abandon() {
      if (!read.future().isDone()) {
        read.abandon(connection::close);
      }
    }

    /** Runs the action when nobody writes to the target any more; the answer is not wanted. */
    void drop(Runnable action) {
      var unused = read.future().whenComplete((reply, error) -> action.run());
    }
  }

  /**
   * Asks for a range of a block into the target, from its position on; the position does not move.
   * Blocks for a connection only. {@link #answer} or {@link Asked#drop} is to follow.
   *
   * @param arrivals learns of the bytes on the connection's reader thread
   * @throws EleyException {@code UNAVAILABLE}
   */
  Asked ask(NodeAttempt at, ReadBlock request, ByteBuffer target, ArrivalListener arrivals)
      throws EleyException {
    Connection connection = at.connection();
    return new Asked(at, connection, connection.begin(request, target, arrivals));
  }

  /**
   * Waits for what was asked for. Afterwards, whatever happened, nobody writes to the target any
   * more.
   *
   * @throws EleyException the node's failure, {@code UNAVAILABLE}, {@code DEADLINE} when the node
   *     is silent or the read takes too long however alive it is
   */
  BlockReply answer(Asked asked) throws EleyException {
    NodeAttempt at = asked.at;
    Connection connection = asked.connection;
    try {
      LiveWait wait = at.wait(timeouts, timeouts.read(), signs);
      BlockReply reply =
          wait.done(connection, asked.read.future(), "read from " + connection.peer());
      at.pool().noteAnswer();
      return reply;
    } catch (EleyException e) {
      at.pool().noteOutcome(connection, e);
      throw e;
    } finally {
      asked.abandon();
    }
  }
}
