package io.eley.controller.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time: it stands still but for {@link #advance}, which does the work that is due. */
final class FakeTimeline implements Timeline {
  static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

  private final long start;
  private final PriorityQueue<Work> agenda =
      new PriorityQueue<>(Comparator.comparingLong(Work::due).thenComparingLong(Work::order));
  private long now;
  private long orders;

  private record Work(long due, long order, Runnable work) {}

  FakeTimeline() {
    this.start = Duration.ofHours(1).toNanos();
    this.now = start;
  }

  @Override
  public long now() {
    return now;
  }

  @Override
  public Instant timeOfDay() {
    return EPOCH.plusNanos(now - start);
  }

  @Override
  public void after(Duration delay, Runnable work) {
    agenda.add(new Work(now + delay.toNanos(), orders++, work));
  }

  /** Lets so many milliseconds pass, with the work that is due in them, each at its time. */
  void advance(long millis) {
    long until = now + Duration.ofMillis(millis).toNanos();
    for (Work next = agenda.peek(); next != null && next.due <= until; next = agenda.peek()) {
      agenda.remove();
      now = next.due;
      next.work.run();
    }
    now = until;
  }

  /** Does what is due now. */
  void settle() {
    advance(0);
  }

  /** How much work waits for its time. */
  int pending() {
    return agenda.size();
  }
}
