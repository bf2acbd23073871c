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
    try (var lent = new LentConnections(timeouts.silence())) {
      return answer(ask(at, request, target, arrivals, Optional.of(lent)));
    }
  }

  /** A read that a node was asked for. */
  sealed interface Asked {
    NodeAttempt at();

    /** Takes the target back from an answer that is not there yet; it is thrown away. */
    void abandon();

    /** Runs the action when nobody writes to the target any more; the answer is not wanted. */
    void drop(Runnable action);
  }

  /** Over a connection that others use, too. */
  private record Shared(NodeAttempt at, Connection connection, Pending.Read read) implements Asked {
    @Override
    public void abandon() {
      if (!read.future().isDone()) {
        read.abandon(connection::close);
      }
    }

    @Override
    public void drop(Runnable action) {
      var unused = read.future().whenComplete((reply, error) -> action.run());
    }
  }

  /** Over one that was lent, to whose thread this belongs. */
  private record Lent(
      NodeAttempt at,
      SoleConnection connection,
      Pending.Read read,
      ReadBlock request,
      ByteBuffer target,
      ArrivalListener arrivals)
      implements Asked {
    @Override
    public void abandon() {
      if (!read.future().isDone()) {
        connection.close();
      }
    }

    @Override
    public void drop(Runnable action) {
      abandon();
      action.run();
    }
  }

  /**
   * Asks for a range of a block into the target, from its position on; the position does not move.
   * Blocks for a connection only. {@link #answer} or {@link Asked#drop} is to follow.
   *
   * @param arrivals learns of the bytes on whatever thread reads them
   * @param lent connections of this thread, which are used where there is one; then the question
   *     leaves when an answer is waited for, on this thread as well
   * @throws EleyException {@code UNAVAILABLE}
   */
  Asked ask(
      NodeAttempt at,
      ReadBlock request,
      ByteBuffer target,
      ArrivalListener arrivals,
      Optional<LentConnections> lent)
      throws EleyException {
    Optional<SoleConnection> sole = lent.isPresent() ? lent.get().to(at) : Optional.empty();
    if (sole.isEmpty()) {
      return shared(at, request, target, arrivals);
    }
    SoleConnection over = sole.get();
    Pending.Read read = over.begin(request, target, arrivals);
    return new Lent(at, over, read, request, target, arrivals);
  }

  private static Asked shared(
      NodeAttempt at, ReadBlock request, ByteBuffer target, ArrivalListener arrivals)
      throws EleyException {
    Connection connection = at.connection();
    return new Shared(at, connection, connection.begin(request, target, arrivals));
  }

  /**
   * Waits for what was asked for. Afterwards, whatever happened, nobody writes to the target any
   * more.
   *
   * @throws EleyException the node's failure, {@code UNAVAILABLE}, {@code DEADLINE} when the node
   *     is silent or the read takes too long however alive it is
   */
  BlockReply answer(Asked asked) throws EleyException {
    return asked instanceof Lent lent ? answer(lent) : answer((Shared) asked);
  }

  private BlockReply answer(Lent asked) throws EleyException {
    NodeAttempt at = asked.at;
    try {
      return answered(at, asked.connection.finish(asked.read, wait(at)));
    } catch (SoleConnection.EndedUnnoticedException e) {
      // Nothing has come: as if it had not been tried. Of a shared connection its end is known.
      return answer(shared(at, asked.request, asked.target, asked.arrivals));
    } catch (EleyException e) {
      at.pool().noteOutcome(asked.connection, e);
      throw e;
    }
  }

  private BlockReply answer(Shared asked) throws EleyException {
    NodeAttempt at = asked.at;
    Connection connection = asked.connection;
    try {
      return answered(
          at, wait(at).done(connection, asked.read.future(), "read from " + connection.peer()));
    } catch (EleyException e) {
      at.pool().noteOutcome(connection, e);
      throw e;
    } finally {
      asked.abandon();
    }
  }

  private LiveWait wait(NodeAttempt at) {
    return at.wait(timeouts, timeouts.read(), signs);
  }

  private static BlockReply answered(NodeAttempt at, BlockReply reply) {
    at.pool().noteAnswer();
    return reply;
  }
}
