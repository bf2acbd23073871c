package io.eley.bb.server.net;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The places of connections that have not proved themselves yet. There are so many and no more; a
 * newcomer gets the place of whoever has waited longest. So a stranger's idle sockets push out each
 * other, and an honest client, which needs its place for milliseconds, is among the youngest. What
 * has proved itself takes no place. Safe for several threads.
 */
final class Gatekeeper {
  private final int places;
  private final Set<Channel> waiting = new LinkedHashSet<>();

  Gatekeeper(int places) {
    this.places = places;
  }

  /**
   * Gives the newcomer a place; {@link #leave} must follow.
   *
   * @return the connection that has lost its place and must go
   */
  synchronized Optional<Channel> admit(Channel newcomer) {
    Optional<Channel> evicted = Optional.empty();
    if (waiting.size() >= places) {
      Iterator<Channel> oldest = waiting.iterator();
      evicted = Optional.of(oldest.next());
      oldest.remove();
    }
    waiting.add(newcomer);
    return evicted;
  }

  synchronized void leave(Channel channel) {
    waiting.remove(channel);
  }

  synchronized int waiting() {
    return waiting.size();
  }
}
