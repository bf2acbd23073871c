package io.eley.bb.api.client;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.BlockMessage.BlockDamaged;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import java.nio.ByteBuffer;

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
   * Reads a range of a block into the target, from its position on; the position does not move.
   * Afterwards, whatever happened, nobody writes to the target any more.
   *
   * @param arrivals learns of the bytes on the connection's reader thread
   * @throws EleyException the node's failure, {@code UNAVAILABLE}, {@code DEADLINE} when the node
   *     is silent or the read takes too long however alive it is
   */
  BlockReply read(NodeAttempt at, ReadBlock request, ByteBuffer target, ArrivalListener arrivals)
      throws EleyException {
    Connection connection = at.connection();
    Pending.Read read = connection.begin(request, target, arrivals);
    try {
      LiveWait wait = at.wait(timeouts, timeouts.read(), signs);
      BlockReply reply = wait.done(connection, read.future(), "read from " + connection.peer());
      at.pool().noteAnswer();
      return reply;
    } catch (EleyException e) {
      at.pool().noteOutcome(connection, e);
      throw e;
    } finally {
      if (!read.future().isDone()) {
        read.abandon(connection::close);
      }
    }
  }
}
