package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is known of one node, and of all of them together. */
class NodeAccountTest {
  private final FakeBufferNode node = new FakeBufferNode("a");
  private final NodeAccount account = new NodeAccount(node);

  private static Permit open(long sequence) {
    return new Permit(sequence, Lane.OPEN, Lane.OPEN, Duration.ofSeconds(1), "open");
  }

  private static Permit closed(long sequence) {
    return new Permit(sequence, Lane.CLOSED, Lane.OPEN, Duration.ofSeconds(1), "closed");
  }

  private static Permit allClosed(long sequence) {
    return new Permit(sequence, Lane.CLOSED, Lane.CLOSED, Duration.ofSeconds(1), "all closed");
  }

  @Test
  void aNodeHoldsOnceItHasConfirmedTheFirstPermitThatClosed() {
    account.grant(open(1), 0);
    account.grant(closed(2), 0);
    account.grant(closed(3), 0);
    assertThat(account.toldToHold()).isTrue();
    account.confirm(1, Moved.NOTHING, 0);
    assertThat(account.holds()).isFalse();
    account.confirm(2, Moved.NOTHING, 0);
    assertThat(account.holds()).as("the renewal need not be confirmed").isTrue();
    assertThat(node.permits).hasSize(3);
  }

  @Test
  void aPermitThatOpensEndsTheHoldAtOnceAndTheNextHoldBeginsAnew() {
    account.grant(closed(1), 0);
    account.confirm(1, Moved.NOTHING, 0);
    account.grant(open(2), 0);
    assertThat(account.toldToHold()).isFalse();
    assertThat(account.holds()).isFalse();
    account.grant(closed(3), 0);
    assertThat(account.holds()).as("the old confirmation is of another hold").isFalse();
    account.confirm(3, Moved.NOTHING, 0);
    assertThat(account.holds()).isTrue();
  }

  /** A forecast, or listening, closes prefetching before a phase closes what tasks wait for. */
  @Test
  void whatClosesDemandTooIsToBeConfirmedAnew() {
    account.grant(closed(1), 0);
    account.confirm(1, Moved.NOTHING, 0);
    assertThat(account.holds()).isTrue();
    account.grant(allClosed(2), 0);
    assertThat(account.holds()).isFalse();
    account.grant(allClosed(3), 0);
    account.confirm(2, Moved.NOTHING, 0);
    assertThat(account.holds()).as("the renewal need not be confirmed").isTrue();
    account.grant(closed(4), 0);
    assertThat(account.holds()).as("less is closed").isTrue();
  }

  @Test
  void whatAFormerCoordinatorGrantedConfirmsNothing() {
    account.grant(open(1), 10);
    assertThat(account.confirm(86_000, Moved.NOTHING, 20)).isEqualTo(20);
    account.grant(closed(2), 30);
    assertThat(account.holds()).isFalse();
    account.confirm(2, Moved.NOTHING, 40);
    assertThat(account.holds()).isTrue();
  }

  @Test
  void anOlderConfirmationThatComesLateTakesNothingBack() {
    account.grant(closed(1), 0);
    account.grant(closed(2), 0);
    account.confirm(2, Moved.NOTHING, 0);
    account.confirm(0, Moved.NOTHING, 0);
    assertThat(account.holds()).isTrue();
  }

  @Test
  void aConfirmationTellsWhenItsPermitWasGranted() {
    account.grant(open(1), 10);
    account.grant(open(2), 20);
    account.grant(open(3), 30);
    assertThat(account.confirm(2, Moved.NOTHING, 50)).isEqualTo(20);
    assertThat(account.confirm(2, Moved.NOTHING, 60)).as("again: asked just now").isEqualTo(60);
    assertThat(account.confirm(3, Moved.NOTHING, 70)).isEqualTo(30);
  }

  @Test
  void itIsSilentFromTheOldestUnansweredPermitOn() {
    assertThat(account.silentNanos(100)).isZero();
    account.grant(open(1), 100);
    account.grant(open(2), 200);
    assertThat(account.silentNanos(250)).isEqualTo(150);
    account.noteAlive();
    assertThat(account.silentNanos(1000)).isZero();
    account.grant(open(3), 1000);
    assertThat(account.silentNanos(1001)).isEqualTo(1);
    account.confirm(3, Moved.NOTHING, 1002);
    assertThat(account.silentNanos(5000)).isZero();
  }

  @Test
  void whatItMovedIsWhatItReportedLast() {
    assertThat(account.moved()).isEqualTo(Moved.NOTHING);
    var moved = new Moved(Map.of(ReadCause.DEMAND, 3L, ReadCause.PREFETCH, 4L), 2);
    account.confirm(0, moved, 0);
    assertThat(account.moved().originTotal()).isEqualTo(7);
    assertThat(account.node()).isSameAs(node);
  }

  /** What the origin has asked of a node before it joined is not news. */
  @Test
  void throttledIsSomethingBetweenTwoReports() {
    var seven = new Moved(Map.of(), 0, 7);
    assertThat(account.throttledSince(seven)).as("the first report").isFalse();
    account.confirm(0, seven, 0);
    assertThat(account.throttledSince(seven)).isFalse();
    assertThat(account.throttledSince(new Moved(Map.of(), 0, 8))).isTrue();
    assertThat(account.throttledSince(new Moved(Map.of(), 0, 0))).as("it began anew").isFalse();
  }

  @Test
  void whatANodeMovedIsACopy() {
    var bytes = new HashMap<>(Map.of(ReadCause.DEMAND, 3L));
    var moved = new Moved(bytes, 0);
    bytes.put(ReadCause.DEMAND, 100L);
    assertThat(moved.originTotal()).isEqualTo(3);
  }

  @Test
  void allNodesTogether() {
    var nodes = new BufferNodes();
    assertThat(nodes.allHold()).as("without nodes nobody holds").isFalse();
    var first = nodes.add(node);
    var second = nodes.add(new FakeBufferNode("b"));
    assertThat(nodes.count()).isEqualTo(2);
    assertThat(nodes.all()).extracting(NodeAccount::id).containsExactly(node.id(), second.id());

    nodes.all().forEach(each -> each.grant(closed(1), 5));
    first.confirm(1, new Moved(Map.of(ReadCause.DEMAND, 3L), 0), 6);
    assertThat(nodes.holding()).isEqualTo(1);
    assertThat(nodes.allHold()).isFalse();
    assertThat(nodes.fetchesWait()).isFalse();
    assertThat(nodes.silent(Duration.ofNanos(9), 15)).containsExactly(second.id());
    assertThat(nodes.silent(Duration.ofNanos(10), 15)).isEmpty();

    second.confirm(1, new Moved(Map.of(ReadCause.PREFETCH, 4L), 1), 6);
    assertThat(nodes.allHold()).isTrue();
    assertThat(nodes.fetchesWait()).isTrue();
    assertThat(nodes.originTotal()).isEqualTo(7);

    nodes.remove(node.id());
    assertThat(nodes.find(node.id())).isEmpty();
    assertThat(nodes.find(second.id())).containsSame(second);
    assertThat(nodes.originTotal()).isEqualTo(4);
    assertThat(nodes.silent(Duration.ZERO, 1000)).isEqualTo(List.<NodeId>of());
  }

  @Test
  void nodesThatHoldTestTheOriginInTurnThoseWithAFetchBeforeOthers() {
    var nodes = new BufferNodes();
    assertThat(nodes.nextToTest()).isEmpty();
    var first = nodes.add(node);
    var second = nodes.add(new FakeBufferNode("b"));
    nodes.all().forEach(each -> each.grant(closed(1), 0));
    assertThat(nodes.nextToTest()).as("nobody holds yet").isEmpty();
    second.confirm(1, Moved.NOTHING, 0);
    assertThat(nodes.nextToTest()).containsSame(second);
    first.confirm(1, Moved.NOTHING, 0);
    assertThat(nodes.nextToTest()).containsSame(second);
    assertThat(nodes.nextToTest()).containsSame(first);
    assertThat(nodes.nextToTest()).containsSame(second);
    first.confirm(1, new Moved(Map.of(), 1), 0);
    assertThat(nodes.nextToTest()).containsSame(first);
    assertThat(nodes.nextToTest()).containsSame(first);
  }
}
