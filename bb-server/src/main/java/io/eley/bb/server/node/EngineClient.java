package io.eley.bb.server.node;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.LocalBlock;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.server.engine.BlockEngine;
import io.eley.bb.server.engine.EngineLoader;
import io.eley.bb.server.net.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a client has leased over one session, and what it waits for. Blocks arrive on the engine's
 * threads while the session may end on its event loop, so all is under the monitor; none of it
 * blocks.
 */
final class EngineClient {
  private final Session session;
  private final EngineLoader loader;
  private final BlockEngine engine;
  private final Map<Long, BlockId> leases = new HashMap<>();
  private long next = 1;
  private int waiting;
  private boolean ended;

  EngineClient(Session session, EngineLoader loader, BlockEngine engine) {
    this.session = session;
    this.loader = loader;
    this.engine = engine;
  }

  /**
   * Answers when the block is in the engine.
   *
   * @throws EleyException {@code UNAVAILABLE} when the client has too many already
   */
  void lease(long correlation, BlockId block) throws EleyException {
    synchronized (this) {
      if (waiting + leases.size() >= Leases.MAX) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE, "more than " + Leases.MAX + " leases of one connection");
      }
      waiting++;
    }
    loader.lease(
        block,
        new EngineLoader.Waiter() {
          @Override
          public void here() {
            grant(correlation, block);
          }

          @Override
          public void failed(EleyException why) {
            refuse(correlation, why);
          }
        });
  }

  private void grant(long correlation, BlockId block) {
    Optional<String> place = engine.place(block);
    long lease = 0;
    synchronized (this) {
      waiting--;
      if (!ended && place.isPresent()) {
        lease = next++;
        leases.put(lease, block);
      }
    }
    if (lease > 0) {
      session.reply(correlation, new LocalBlock(place.get(), lease, List.of()));
      return;
    }
    loader.release(block);
    session.reply(
        correlation, Failure.of(new EleyException(ErrorCode.UNAVAILABLE, block + " has left")));
  }

  private void refuse(long correlation, EleyException why) {
    synchronized (this) {
      waiting--;
    }
    session.reply(correlation, Failure.of(why));
  }

  /** Ends a lease; false when there is none of that number. */
  boolean release(long lease) {
    BlockId block;
    synchronized (this) {
      block = leases.remove(lease);
    }
    if (block != null) {
      loader.release(block);
    }
    return block != null;
  }

  /** The session has ended. */
  void end() {
    List<BlockId> held;
    synchronized (this) {
      ended = true;
      held = new ArrayList<>(leases.values());
      leases.clear();
    }
    held.forEach(loader::release);
  }
}
