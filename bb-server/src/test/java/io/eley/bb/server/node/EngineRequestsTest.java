package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.api.wire.BlockMessage.LocalBlock;
import io.eley.bb.api.wire.BlockMessage.OpenLocal;
import io.eley.bb.api.wire.BlockMessage.ReleaseLocal;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.server.engine.EngineLoader;
import io.eley.bb.server.engine.FaultyEngine;
import io.eley.bb.server.fetch.FetchListener;
import io.eley.bb.server.fetch.FetchOptions;
import io.eley.bb.server.net.KeptReplies;
import io.eley.bb.server.store.StoreListener;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client is told of blocks that are in another engine. */
@Timeout(60)
class EngineRequestsTest {
  private static final BlockGeometry GEOMETRY = FaultyEngine.GEOMETRY;
  private static final NodeAddress NODE = new NodeAddress(new NodeId("a"), "h", 1, "m");
  private static final BlockId BLOCK = new BlockId(new FileVersion("/f", 4 << 20, 1), 1);

  private final FaultyEngine engine = new FaultyEngine(8L << 20);
  private final PermitGate gate = new PermitGate(Duration.ofHours(1), 1, 1, System::nanoTime);
  private final KeptReplies replies = new KeptReplies();
  private final EngineRequests requests = new EngineRequests(engine, new ServedBytes());
  private EngineLoader loader;
  private long correlations;

  @BeforeEach
  void serve() {
    engine.endAll();
    loader =
        EngineLoader.start(
            engine,
            GEOMETRY,
            gate,
            new FetchOptions(1, Duration.ofSeconds(60), 1),
            new EngineLoader.Reports(StoreListener.NONE, FetchListener.NONE));
    gate.apply(new Permit(1, Lane.OPEN, Lane.OPEN, Duration.ofHours(1), "test"));
    requests.serve(loader, GEOMETRY);
    requests.setOwnership(
        new Ownership(
            NODE.id(), new ClusterView(1, GEOMETRY, BufferMode.FULL_DELAY, List.of(NODE))));
  }

  @AfterEach
  void close() {
    loader.close();
  }

  private Message answer(Message question) {
    long correlation = ++correlations;
    requests.received(replies, correlation, question);
    await().until(() -> replies.all.containsKey(correlation));
    return Objects.requireNonNull(replies.all.get(correlation));
  }

  /** It would take the bytes of this node's block for those at another place of the file. */
  @Test
  void whoCountsByAnotherBlockSizeIsToldThatItsBlocksAreNotHere() {
    for (int other : List.of(GEOMETRY.blockSize() / 2, 2 * GEOMETRY.blockSize())) {
      assertThat(answer(new OpenLocal(BLOCK, other)))
          .isInstanceOfSatisfying(
              Failure.class, f -> assertThat(f.code()).isEqualTo(ErrorCode.NOT_OWNER));
    }
    assertThat(engine.begun()).as("loaded for it").isEmpty();
  }

  @Test
  void aBlockIsLoadedForWhoCountsAlikeAndStaysUntilItIsReleased() {
    var here = (LocalBlock) answer(new OpenLocal(BLOCK, GEOMETRY.blockSize()));
    assertThat(engine.begun()).containsExactly(BLOCK);
    loader.free(List.of(BLOCK));
    assertThat(loader.inventory()).containsExactly(BLOCK);
    assertThat(answer(new ReleaseLocal(here.lease(), 1))).isEqualTo(new Ok());
    await().until(() -> loader.inventory().isEmpty());
  }
}
