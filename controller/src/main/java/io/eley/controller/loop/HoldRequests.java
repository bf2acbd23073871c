package io.eley.controller.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Announcements that wait for the nodes to confirm the hold. Not thread-safe: the loops' thread
 * owns it.
 */
final class HoldRequests {
  private final BufferNodes nodes;
  private final List<Consumer<HoldState>> waiting = new ArrayList<>();

  HoldRequests(BufferNodes nodes) {
    this.nodes = nodes;
  }

  void add(Consumer<HoldState> answer) {
    waiting.add(answer);
  }

  /** Answers all announcements once every node holds; without nodes, at once. */
  void answerIfAllHold() {
    if (!waiting.isEmpty() && (nodes.count() == 0 || nodes.allHold())) {
      waiting.forEach(answer -> answer.accept(state()));
      waiting.clear();
    }
  }

  /** Answers this announcement, if it still waits, with as many confirmations as there are. */
  void giveUp(Consumer<HoldState> answer) {
    if (waiting.remove(answer)) {
      answer.accept(state());
    }
  }

  private HoldState state() {
    return new HoldState(nodes.count(), nodes.holding(), true);
  }
}
