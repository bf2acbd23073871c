package io.eley.bb.api.client;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.View;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which view is known when several threads ask, and how often the coordinator is asked. */
@Timeout(60)
class ViewWatchTest {
  private final List<Long> heard = new CopyOnWriteArrayList<>();

  /** Questions that the coordinator has not answered, the first one first. */
  private final List<Answer> held = new CopyOnWriteArrayList<>();

  /** Stands still, however busy the machine is. */
  private final AtomicLong clock = new AtomicLong(-1);

  private FakeDeployment deployment;
  private ClientOptions.Timeouts timeouts;
  private ViewWatch watch;

  private interface Answer {
    void with(Message view) throws IOException;
  }

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    deployment = new FakeDeployment(temp);
    timeouts = deployment.options(Map.of()).timeouts();
    var coordinator = deployment.coordinatorClient();
    coordinator.forget("/it-is-connected-then");
    deployment.coordinate((peer, id, request) -> held.add(view -> peer.send(id, view)));
    watch =
        new ViewWatch(coordinator, timeouts::patience, view -> heard.add(view.epoch()), clock::get);
  }

  @AfterEach
  void stop() throws Exception {
    watch.close();
    deployment.close();
  }

  private static View view(long epoch) {
    return view(epoch, List.of());
  }

  private static View view(long epoch, List<NodeAddress> nodes) {
    return new View(
        new ClusterView(epoch, BlockGeometry.DEFAULT, BufferMode.FULL_DELAY, nodes), "/origin");
  }

  private CompletableFuture<Long> refresh() {
    int before = held.size();
    var asked =
        CompletableFuture.supplyAsync(
            () -> watch.refresh(timeouts.patience()).orElseThrow().view().epoch());
    await().until(() -> held.size() > before);
    return asked;
  }

  @Test
  void anAnswerToAnEarlierQuestionDoesNotReplaceThatToALaterOne() throws Exception {
    var first = refresh();
    var second = refresh();
    held.get(1).with(view(7));
    assertThat(second.get()).isEqualTo(7);
    held.get(0).with(view(6));
    assertThat(first.get()).as("the newest that is known").isEqualTo(7);
    assertThat(watch.known().orElseThrow().view().epoch()).isEqualTo(7);
    assertThat(heard).containsExactly(7L);
  }

  @Test
  void aViewThatSomebodyElseKnowsIsKeptUntilTheCoordinatorAnswers() throws Exception {
    watch.offer(view(5));
    watch.offer(view(9));
    assertThat(watch.known()).contains(view(5));
    var answer = refresh();
    held.get(0).with(view(4));
    assertThat(answer.get()).isEqualTo(4);
    watch.offer(view(9));
    assertThat(watch.known()).contains(view(4));
    assertThat(heard).containsExactly(5L, 4L);
  }

  /** It may be old: nodes that were started again since then are elsewhere. */
  @Test
  void aViewOfSomebodyElsesIsUsedWhileTheCoordinatorIsAskedForANewerOne() throws Exception {
    watch.offer(view(5));
    assertThat(watch.latest(timeouts.patience())).contains(view(5));
    await().until(() -> held.size() == 1);
    held.get(0).with(view(6));
    await().until(() -> heard.contains(6L));
    clock.addAndGet(1_000_000_000);
    assertThat(watch.latest(timeouts.patience())).contains(view(6));
    assertThat(deployment.asked(GetView.class)).as("its own is good").isEqualTo(1);
  }

  /** It has just been started, and its nodes come back one by one. */
  @Test
  void aCoordinatorThatKnowsFewerNodesIsAskedAgainBeforeItsViewReplacesSomebodyElses()
      throws Exception {
    var two = List.of(node("n1"), node("n2"));
    watch.offer(view(5, two));
    for (int seconds : new int[] {0, 4, 8, 12, 16}) {
      clock.set(SECONDS.toNanos(seconds));
      assertThat(told(view(6, two.subList(0, seconds < 8 ? 0 : 1))))
          .as("still what the other knew, after %s s", seconds)
          .isEqualTo(5);
    }
    clock.set(SECONDS.toNanos(18));
    assertThat(told(view(9, two.subList(0, 1)))).as("one has gone, since 8 s").isEqualTo(9);
    assertThat(heard).containsExactly(5L, 9L);
  }

  /** Whose coordinator was started again while nobody asked: what it lacked before is no sign. */
  @Test
  void aViewThatLacksNodesLastsFromWhenItWasToldFirstNotFromAnother() throws Exception {
    watch.offer(view(5, List.of(node("n1"), node("n2"))));
    var n1 = view(6, List.of(node("n1")));
    var n2 = view(7, List.of(node("n2")));
    assertThat(told(n1)).isEqualTo(5);
    for (View other : List.of(view(1), n2, n1, view(2), n2)) {
      clock.addAndGet(SECONDS.toNanos(20));
      assertThat(told(other)).as("%s is new", other).isEqualTo(5);
    }
    clock.addAndGet(SECONDS.toNanos(10));
    assertThat(told(n2)).isEqualTo(7);
  }

  /** The epoch that is known after the coordinator has answered. */
  private long told(View answer) throws Exception {
    var asked = refresh();
    held.get(held.size() - 1).with(answer);
    return asked.get();
  }

  private static NodeAddress node(String id) {
    return new NodeAddress(new NodeId(id), "127.0.0.1", 1, "");
  }

  @Test
  void aLaterAnswerCountsThoughItsEpochIsLowerAsThatOfAnotherCoordinator() throws Exception {
    var first = refresh();
    held.get(0).with(view(7));
    first.get();
    var second = refresh();
    held.get(1).with(view(2));
    assertThat(second.get()).isEqualTo(2);
    assertThat(heard).containsExactly(7L, 2L);
  }

  @Test
  void inTheBackgroundItAsksOnceAtATimeAndNotAgainAtOnce() throws Exception {
    watch.refreshSoon();
    await().until(() -> held.size() == 1);
    watch.refreshSoon();
    held.get(0).with(view(3));
    await().until(() -> watch.known().isPresent());
    watch.refreshSoon();
    assertThat(deployment.asked(GetView.class)).isEqualTo(1);
    await()
        .until(
            () -> {
              clock.addAndGet(100_000_000); // again: that question's end may be noted only now
              watch.refreshSoon();
              return held.size() == 2;
            });
    held.get(1).with(view(4));
    await().until(() -> heard.contains(4L));
  }

  @Test
  void withoutACoordinatorNothingIsKnownAndNobodyAsked() {
    try (var alone = new ViewWatch(null, timeouts::patience, view -> heard.add(view.epoch()))) {
      alone.refreshSoon();
      assertThat(alone.refresh(timeouts.patience())).isEmpty();
      assertThat(alone.known()).isEmpty();
    }
    assertThat(heard).isEmpty();
  }
}
