package io.eley.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.wire.MetadataMessage.StatusesChanged;
import io.eley.coordinator.FakeSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StatusLeasesTest {
  private static final Duration USUAL = Duration.ofSeconds(10);

  /** A wait that ends at a moment. */
  private record Alarm(CompletableFuture<Void> end, long at) {}

  private final AtomicLong clock = new AtomicLong(-7);
  private final List<Alarm> alarms = new ArrayList<>();
  private final StatusLeases leases = of(USUAL);
  private final FakeSession writer = new FakeSession("writer");
  private final FakeSession reader = new FakeSession("reader");
  private final FakeSession other = new FakeSession("other");

  private StatusLeases of(Duration usual) {
    return new StatusLeases(
        usual, clock::get, (wait, nanos) -> alarms.add(new Alarm(wait, clock.get() + nanos)));
  }

  private void pass(long millis) {
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    alarms.stream().filter(a -> a.at() <= clock.get()).forEach(a -> a.end().complete(null));
  }

  private static List<Long> told(FakeSession session) {
    return session.pushed(StatusesChanged.class).stream().map(StatusesChanged::number).toList();
  }

  @Test
  void whereNobodyHasAskedAChangeWaitsForNobody() {
    assertThat(leases.changed(writer)).isDone();
    assertThat(told(writer)).isEmpty();
  }

  @Test
  void aChangeWaitsUntilAllWhoHoldALeaseHaveConfirmed() {
    leases.lend(reader);
    leases.lend(other);
    var change = leases.changed(writer);
    assertThat(told(reader)).containsExactly(1L);
    assertThat(told(other)).containsExactly(1L);
    leases.seen(reader, 1);
    leases.seen(reader, 1);
    assertThat(change).isNotDone();
    leases.seen(other, 1);
    assertThat(change).isDone();
  }

  @Test
  void whoHasMadeTheChangeIsNotTold() {
    leases.lend(writer);
    assertThat(leases.changed(writer)).isDone();
    assertThat(told(writer)).isEmpty();
    assertThat(leases.changed(other)).as("of another's it is").isNotDone();
    assertThat(told(writer)).containsExactly(2L);
  }

  @Test
  void oneThatNeverConfirmsCostsTheRestOfItsLeaseAndNoMore() {
    leases.lend(reader);
    pass(200);
    var change = leases.changed(writer);
    pass(299);
    assertThat(change).isNotDone();
    var next = leases.changed(writer);
    assertThat(next).as("it has not confirmed the one before").isNotDone();
    pass(1);
    assertThat(change).isDone();
    assertThat(next).isDone();
    assertThat(leases.changed(writer)).as("it holds nothing any more").isDone();
    assertThat(told(reader)).containsExactly(1L);
  }

  @Test
  void aLeaseThatHasRunOutIsNotTakenBack() {
    leases.lend(reader);
    pass(500);
    assertThat(leases.changed(writer)).isDone();
    assertThat(told(reader)).isEmpty();
  }

  @Test
  void aSecondQuestionMakesTheLeaseNew() {
    leases.lend(reader);
    pass(400);
    leases.lend(reader);
    pass(400);
    assertThat(leases.changed(writer)).isNotDone();
    pass(99);
    assertThat(alarms.get(0).end()).isNotDone();
    pass(1);
    assertThat(alarms).hasSize(1);
    assertThat(alarms.get(0).end()).isDone();
  }

  @Test
  void aClientThatClosesKeepsNobodyWaiting() {
    leases.lend(reader);
    var change = leases.changed(writer);
    leases.lend(reader);
    leases.closed(reader);
    assertThat(change).isDone();
    assertThat(leases.changed(writer)).isDone();
    assertThat(told(reader)).containsExactly(1L);
    leases.seen(reader, 1);
    leases.closed(other);
  }

  @Test
  void manyChangesTellAClientOnceUntilItAsksAgain() {
    leases.lend(reader);
    var first = leases.changed(writer);
    var second = leases.changed(writer);
    assertThat(told(reader)).containsExactly(1L);
    assertThat(alarms).hasSize(1);
    leases.seen(reader, 1);
    assertThat(first).isDone();
    assertThat(second).isDone();
    assertThat(leases.changed(writer)).isDone();
    leases.lend(reader);
    assertThat(leases.changed(writer)).isNotDone();
    assertThat(told(reader)).containsExactly(1L, 4L);
  }

  @Test
  void aConfirmationIsOfTheChangesUpToItsNumber() {
    leases.lend(reader);
    var first = leases.changed(writer);
    leases.lend(reader);
    var second = leases.changed(writer);
    leases.seen(reader, 1);
    assertThat(first).isDone();
    assertThat(second).isNotDone();
    leases.lend(reader);
    var third = leases.changed(other);
    leases.seen(reader, 3);
    assertThat(second).isDone();
    assertThat(third).isDone();
  }

  @Test
  void noLeaseIsLongerThanAStatusMayBeTakenForTrue() {
    assertThat(leases.length()).isEqualTo(StatusLeases.LONGEST).isEqualTo(Duration.ofMillis(500));
    var shorter = of(Duration.ofMillis(30));
    assertThat(shorter.length()).isEqualTo(Duration.ofMillis(30));
    shorter.lend(reader);
    pass(29);
    assertThat(shorter.changed(writer)).isNotDone();
    var none = of(Duration.ZERO);
    none.lend(reader);
    assertThat(none.changed(writer)).isDone();
  }

  @Test
  void withoutAnAlarmOfATestTheJdksTimerEndsTheWait() throws Exception {
    var real = new StatusLeases(Duration.ofMillis(1), clock::get);
    real.lend(reader);
    real.changed(writer).get(60, TimeUnit.SECONDS);
    assertThat(told(reader)).containsExactly(1L);
  }
}
