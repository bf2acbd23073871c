package io.eley.coordinator;

import io.eley.bb.api.wire.PhaseMessage.PhaseHeld;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** Announcements that wait for the nodes to confirm the hold. The agent's. */
final class Holds {
  /**
   * One announcement.
   *
   * @param answer takes the one answer; must not block
   * @param arrivedAt nanoseconds, when it came from the network
   */
  record Announcement(Consumer<PhaseHeld> answer, long arrivedAt) {}

  private final List<Announcement> waiting = new ArrayList<>();

  void add(Announcement announcement) {
    waiting.add(announcement);
  }

  /** Answers all when every node holds. */
  void confirmed(Collection<Member> members, long now) {
    if (!waiting.isEmpty() && members.stream().allMatch(Member::holds)) {
      waiting.forEach(a -> answer(a, members, now));
      waiting.clear();
    }
  }

  /** Answers this one, if it still waits, with as many confirmations as there are. */
  void giveUp(Announcement announcement, Collection<Member> members, long now) {
    if (waiting.remove(announcement)) {
      answer(announcement, members, now);
    }
  }

  private static void answer(Announcement a, Collection<Member> members, long now) {
    int confirmed = (int) members.stream().filter(Member::holds).count();
    a.answer().accept(new PhaseHeld(members.size(), confirmed, (now - a.arrivedAt()) / 1_000));
  }
}
