package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Connections of their own for the reads of one call, one to each node that it asks: what it asks
 * of a node before it waits leaves together, and no other thread is woken for an answer. For one
 * thread, which closes it when it waits for nothing any more.
 */
final class LentConnections implements AutoCloseable {
  private final Map<NodePool, SoleConnection> lent = new HashMap<>();
  private final Duration silence;

  /** None yet; a node that takes nothing for twice the silence is not waited for. */
  LentConnections(Duration silence) {
    this.silence = silence;
  }

  /**
   * The one to the node of an attempt.
   *
   * @return empty when none is to be had now: then take a shared one
   * @throws EleyException {@code UNAVAILABLE} when it had to be dialled and the node cannot be
   *     reached
   */
  Optional<SoleConnection> to(NodeAttempt at) throws EleyException {
    SoleConnection known = lent.get(at.pool());
    if (known != null && known.isOpen()) {
      return Optional.of(known);
    }
    giveBack(at.pool());
    Optional<SoleConnection> sole = at.sole();
    sole.ifPresent(one -> lent.put(at.pool(), one));
    return sole;
  }

  /**
   * Sends what was asked of any node: before the first answer is waited for, or the nodes would
   * work one after the other. Blocks hardly ever; a connection that fails is closed, and whoever
   * waits for an answer of it learns that.
   */
  void leave() {
    lent.values().forEach(sole -> sole.leave(silence));
  }

  private void giveBack(NodePool pool) {
    SoleConnection sole = lent.remove(pool);
    if (sole != null) {
      pool.giveBack(sole);
    }
  }

  /** Gives them back; one that owes an answer is of no use any more. */
  @Override
  public void close() {
    lent.forEach(NodePool::giveBack);
    lent.clear();
  }
}
