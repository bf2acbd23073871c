package io.eley.bb.api.client;

import static io.eley.bb.api.client.FakeDeployment.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a round of many nodes takes, and what is learnt of those that do not answer. */
@Timeout(60)
class NodeRoundTest {
  private static final Duration MOST = Duration.ofSeconds(3);
  private static final DropScratch QUESTION = new DropScratch("app-1", 1);

  private FakeDeployment deployment;

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    deployment = new FakeDeployment(temp);
  }

  @AfterEach
  void stop() throws IOException {
    deployment.close();
  }

  /** Hosts that are down are dialled one after another. */
  @Test
  void aRoundTakesNoLongerForHostsThatAreDown() throws Exception {
    var nodes = new ArrayList<NodeAddress>();
    for (int i = 0; i < 10; i++) {
      ScriptedServer down = deployment.node((peer, id, request) -> {});
      down.freeze();
      nodes.add(at("down-" + i, down));
    }
    var client = client(FakeDeployment.usualPatience(Map.of()), nodes);
    var unheard = new CopyOnWriteArrayList<NodeAddress>();
    try (var lag = new Lag()) {
      var watch = lag.start();
      round(client, nodes, unheard);
      assertThat(watch.nanos()).isLessThan(TimeUnit.SECONDS.toNanos(5));
    }
    assertThat(unheard).containsExactlyElementsOf(nodes);
  }

  /** Who had too little time left to say that it lives may live or not. */
  @Test
  void aNodeForWhichTooLittleTimeWasLeftIsAsSuspectAsBefore() throws Exception {
    ScriptedServer late =
        deployment.node(
            (peer, id, request) ->
                CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS)
                    .execute(() -> answer(peer, id)));
    ScriptedServer hung = deployment.node((peer, id, request) -> {});
    hung.setDeaf(true);
    var nodes = List.of(at("late", late), at("hung", hung));
    var client = client(Map.of(ClientKeys.CONNECTIONS.name(), "1"), nodes);
    NodePool pool = client.pool(nodes.get(1));
    pool.noteOutcome(
        pool.connection(client.patience()), new LiveWait.SilentPeerException("it was silent"));
    await().until(() -> !pool.leftAlone());

    var unheard = new CopyOnWriteArrayList<NodeAddress>();
    round(client, nodes, unheard);
    assertThat(unheard).contains(nodes.get(1));
    assertThat(pool.suspect()).isTrue();
  }

  private EleyClient client(Map<String, String> options, List<NodeAddress> nodes) throws Exception {
    deployment.view(BufferMode.FULL_DELAY, nodes.toArray(NodeAddress[]::new));
    return deployment.client(options);
  }

  private static void round(EleyClient client, List<NodeAddress> nodes, List<NodeAddress> unheard) {
    new NodeRound(client, client.options().timeouts(), MOST)
        .ask(
            nodes,
            new NodeRound.Questions() {
              @Override
              public List<? extends Message> to(NodeAddress node) {
                return List.of(QUESTION);
              }

              @Override
              public void unheard(NodeAddress node, Message question) {
                unheard.add(node);
              }
            });
  }

  private static void answer(ScriptedServer.Peer peer, long id) {
    try {
      peer.send(id, new Ok());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
