package io.eley.bb.server.node;

import static io.eley.bb.server.node.NodeFixture.BLOCK;
import static io.eley.bb.server.node.NodeFixture.read;
import static io.eley.bb.server.node.NodeFixture.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.LocalBlock;
import io.eley.bb.api.wire.BlockMessage.OpenLocal;
import io.eley.bb.api.wire.BlockMessage.ReleaseLocal;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.server.net.BlockingPeer;
import io.eley.bb.server.net.LeakCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Clients lease what they read, and room for what arrives remains. */
@ExtendWith(LeakCheck.class)
class LeasedRoomTest {
  /** Blocks in seven eighths of the RAM, which holds one more with footers. */
  private static final int LEASED = 9;

  private NodeFixture fixture;
  private List<BlockId> blocks;
  private BlockingPeer one;
  private BlockingPeer other;

  @BeforeEach
  void begin(@TempDir Path directory) throws IOException {
    fixture = new NodeFixture(directory);
    fixture.memory = (LEASED + 2) * (long) BLOCK;
    fixture.file("data", (LEASED + 2) * BLOCK);
    var node = fixture.start();
    blocks = fixture.blocks("data");
    fixture.prefetch(blocks.subList(0, LEASED + 1));
    one = fixture.client(node);
    other = fixture.client(node);
  }

  @AfterEach
  void end() throws IOException {
    fixture.close();
  }

  @Test
  void allClientsTogetherLeaveAnEighthForBlocksThatArrive() throws IOException {
    for (int i = 0; i < LEASED; i++) {
      assertThat(open(i % 2 == 0 ? one : other, i)).isInstanceOf(LocalBlock.class);
    }
    assertThat(((Failure) open(one, LEASED)).code()).isEqualTo(ErrorCode.UNAVAILABLE);

    assertThat(read(one, whole(blocks.get(LEASED))).failure()).as("read otherwise").isNull();
    // The node pins what it has just sent for a moment longer, and nothing else can leave.
    var last = whole(blocks.get(LEASED + 1));
    await().untilAsserted(() -> assertThat(read(one, last).failure()).as("arrives").isNull());
  }

  @Test
  void aBlockThatSeveralHaveLeasedCountsOnceUntilTheLastGivesItBack() throws IOException {
    for (int i = 1; i < LEASED; i++) {
      open(one, i);
    }
    var first = (LocalBlock) open(one, 0);
    var second = (LocalBlock) open(other, 0);
    release(one, first);
    release(one, first);
    assertThat(open(one, LEASED)).isInstanceOf(Failure.class);
    release(other, second);
    assertThat(open(one, LEASED)).isInstanceOf(LocalBlock.class);
    assertThat(open(other, 0)).isInstanceOf(Failure.class);
  }

  private Message open(BlockingPeer client, int block) throws IOException {
    client.send(1, new OpenLocal(blocks.get(block), BLOCK));
    return client.read().message();
  }

  private static void release(BlockingPeer client, LocalBlock lent) throws IOException {
    client.send(2, new ReleaseLocal(lent.lease(), 0));
    assertThat(client.read().message()).isEqualTo(new Ok());
  }
}
