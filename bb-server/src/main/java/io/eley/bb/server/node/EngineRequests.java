package io.eley.bb.server.node;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockDamaged;
import io.eley.bb.api.wire.BlockMessage.OpenLocal;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.BlockMessage.ReleaseLocal;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PingMessage;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.server.engine.BlockEngine;
import io.eley.bb.server.engine.EngineLoader;
import io.eley.bb.server.net.Session;
import io.eley.bb.server.net.SessionHandler;
import org.jspecify.annotations.Nullable;

/**
 * Serves clients of a node whose blocks are in another engine: it says when a block is there and
 * for how long it stays, and hands out no bytes. Runs on the event loops and never blocks.
 */
final class EngineRequests implements SessionHandler {
  private final BlockEngine engine;
  private final ServedBytes served;
  private volatile @Nullable Serving serving;
  private volatile @Nullable Ownership ownership;

  private record Serving(EngineLoader loader, BlockGeometry geometry) {}

  EngineRequests(BlockEngine engine, ServedBytes served) {
    this.engine = engine;
    this.served = served;
  }

  /** Leases blocks from now on. */
  void serve(EngineLoader loader, BlockGeometry geometry) {
    serving = new Serving(loader, geometry);
  }

  /** Sets which blocks are this node's. */
  void setOwnership(Ownership current) {
    ownership = current;
  }

  @Override
  public void opened(Session session) {}

  @Override
  public void received(Session session, long correlation, Message message) {
    try {
      if (message instanceof PingMessage || message instanceof BlockDamaged) {
        session.reply(correlation, new Ok());
      } else if (message instanceof OpenLocal open) {
        lease(session, correlation, open);
      } else if (message instanceof ReleaseLocal release) {
        release(session, correlation, release);
      } else if (message instanceof ReadBlock read) {
        requireOwned(read.block());
        throw new EleyException(
            ErrorCode.INCOMPATIBLE,
            "the blocks of this node are in another engine, whose own client reads them");
      } else {
        throw new EleyException(
            ErrorCode.MALFORMED, "an engine's node has no answer to " + message.type());
      }
    } catch (EleyException e) {
      session.reply(correlation, Failure.of(e));
    }
  }

  @Override
  public void closed(Session session) {
    if (session.attachment() instanceof EngineClient client) {
      client.end();
    }
  }

  private void lease(Session session, long correlation, OpenLocal question) throws EleyException {
    Serving open = serving;
    if (open == null) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "the node is starting");
    }
    BlockId block = question.block();
    BlockRequestHandler.requireSize(question.blockSize(), open.geometry);
    requireOwned(block);
    if (block.index() >= open.geometry.blockCount(block.file().length())) {
      throw new EleyException(ErrorCode.MALFORMED, "block past the end of its file: " + block);
    }
    client(session, open.loader).lease(correlation, block);
  }

  private void requireOwned(BlockId block) throws EleyException {
    Ownership owned = ownership;
    if (owned == null || !owned.owns(block)) {
      throw new EleyException(ErrorCode.NOT_OWNER, "this node does not own " + block);
    }
  }

  private EngineClient client(Session session, EngineLoader loader) {
    if (session.attachment() instanceof EngineClient known) {
      return known;
    }
    var fresh = new EngineClient(session, loader, engine);
    session.attach(fresh);
    return fresh;
  }

  private void release(Session session, long correlation, ReleaseLocal release) {
    boolean known =
        session.attachment() instanceof EngineClient client && client.release(release.lease());
    if (known && release.bytesRead() > 0) {
      served.count(release.bytesRead(), true);
    }
    if (correlation != FrameHeader.PUSH) {
      session.reply(correlation, new Ok());
    }
  }
}
