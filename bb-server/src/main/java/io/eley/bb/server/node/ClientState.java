package io.eley.bb.server.node;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.server.scratch.IncomingOutputs;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a node keeps with a client's session: the answers under way, and the blocks it reads
 * directly.
 */
final class ClientState {
  /** Answers that one client may have under way; further requests get {@code UNAVAILABLE}. */
  static final int MAX_REPLIES = 256;

  private final Leases leases;
  private final IncomingOutputs outputs = new IncomingOutputs();
  // Answers end on whatever thread brings their last chunk.
  private final Set<BlockResponder> replies = ConcurrentHashMap.newKeySet();

  /** Of a new session. */
  ClientState(LeasedRoom room) {
    leases = new Leases(room);
  }

  Leases leases() {
    return leases;
  }

  /** What it is writing to scratch. */
  IncomingOutputs outputs() {
    return outputs;
  }

  boolean busy() {
    return replies.size() >= MAX_REPLIES;
  }

  void begin(BlockResponder reply) {
    replies.add(reply);
    reply.run(() -> replies.remove(reply));
  }

  /** Fails the answers that wait for bytes; any thread. */
  void giveUpWaiting(EleyException why) {
    replies.forEach(reply -> reply.giveUp(why));
  }

  void end() {
    leases.releaseAll();
    replies.forEach(BlockResponder::cancel);
  }
}
