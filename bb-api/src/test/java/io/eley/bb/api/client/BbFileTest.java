package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.MountedOrigin;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.LocalBlock;
import io.eley.bb.api.wire.BlockMessage.OpenLocal;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.BlockMessage.ReleaseLocal;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.Status;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file behind a node that misbehaves: the bytes are right all the same. */
@Timeout(60)
class BbFileTest {
  private static final int CHUNK = 4096;
  private static final int BLOCK = 4 * CHUNK;
  private static final int LENGTH = 10 * BLOCK;

  @TempDir private Path temp;
  private final Secret secret = Secret.random();
  private byte[] content;
  private Path origin;
  private ScriptedServer node;
  private ScriptedServer coordinator;
  private ScriptedServer.Script behaviour =
      (peer, id, request) -> peer.send(id, new Failure(ErrorCode.INTERNAL, "no behaviour"));
  private @Nullable EleyClient opened;

  @BeforeEach
  void start() throws Exception {
    content = new byte[LENGTH];
    new Random(5).nextBytes(content);
    origin = Files.createDirectory(temp.resolve("origin"));
    Files.write(origin.resolve("f"), content);
    node =
        new ScriptedServer(secret, (peer, id, request) -> behaviour.on(peer, id, request))
            .as(Identity.node(new NodeId("n")));
    coordinator = new ScriptedServer(secret, this::coordinate);
  }

  @AfterEach
  void stop() throws Exception {
    if (opened != null) {
      opened.close();
    }
    node.close();
    coordinator.close();
  }

  private EleyClient client() {
    return Objects.requireNonNull(opened, "open it first");
  }

  @Test
  void aWrongChecksumIsAskedForAgainAndThenReadFromTheOrigin() throws Exception {
    behaviour =
        (peer, id, request) -> send(peer, id, (ReadBlock) request, content, List.of(1, 2, 3, 4));
    open(Map.of("eley.client.verify", "true", "eley.client.retries", "2"));
    assertThat(read(0, 100)).isEqualTo(Arrays.copyOf(content, 100));
    assertThat(demands()).hasSize(3);
    assertThat(client().counters().bytes(Source.FALLBACK)).isEqualTo(100);
    assertThat(client().counters().fallbacks()).isEqualTo(1);
  }

  @Test
  void aNodeThatHangsUpInMidPayloadDoesNotLeaveItsBytesBehind() throws Exception {
    byte[] lies = new byte[LENGTH];
    behaviour =
        (peer, id, request) -> {
          peer.data(id, new BlockData(0, true, true, List.of()), 1000, Arrays.copyOf(lies, 500));
          peer.hangUp();
        };
    open(Map.of("eley.client.retries", "1"));
    assertThat(read(BLOCK, 1000)).isEqualTo(Arrays.copyOfRange(content, BLOCK, BLOCK + 1000));
    assertThat(client().counters().bytes(Source.FALLBACK)).isEqualTo(1000);
  }

  @Test
  void bytesOfAnotherPlaceAreNotTaken() throws Exception {
    behaviour =
        (peer, id, request) ->
            peer.data(
                id, new BlockData(0, true, true, List.of()), 100, Arrays.copyOf(content, 100));
    open(Map.of("eley.client.retries", "1"));
    assertThat(read(CHUNK, 100)).isEqualTo(Arrays.copyOfRange(content, CHUNK, CHUNK + 100));
    assertThat(client().counters().bytes(Source.REMOTE_RAM)).isZero();
  }

  @Test
  void aNodeThatHasNoRoomIsNotAskedTwice() throws Exception {
    behaviour = (peer, id, request) -> peer.send(id, new Failure(ErrorCode.NO_SPACE, "full"));
    open(Map.of());
    assertThat(read(7, 50)).isEqualTo(Arrays.copyOfRange(content, 7, 57));
    assertThat(demands()).hasSize(1);
  }

  @Test
  void aReadAheadThatFailsNeitherFailsNorSpoilsTheRead() throws Exception {
    behaviour =
        (peer, id, request) -> {
          var read = (ReadBlock) request;
          if (read.cause() == ReadCause.READ_AHEAD) {
            peer.hangUp();
          } else {
            send(peer, id, read, content, List.of());
          }
        };
    open(Map.of("eley.client.read-ahead", "true"));
    try (var file = client().openFile("/f")) {
      for (int at = 0; at < 2 * BLOCK; at += CHUNK) {
        var target = ByteBuffer.allocate(CHUNK);
        file.readFully(at, target);
        assertThat(target.array()).isEqualTo(Arrays.copyOfRange(content, at, at + CHUNK));
      }
    }
    // Nobody waits for one, so it may come when all is read.
    await()
        .until(
            () ->
                node.requests().stream()
                    .anyMatch(r -> r instanceof ReadBlock b && b.cause() == ReadCause.READ_AHEAD));
  }

  @Test
  void aLeasedBlockIsGivenBackWhenItWasReadToItsEndOrItsFileIsClosed() throws Exception {
    behaviour =
        (peer, id, request) -> {
          if (request instanceof OpenLocal m) {
            int index = m.block().index();
            Path file = temp.resolve("block" + index);
            Files.write(file, Arrays.copyOfRange(content, index * BLOCK, (index + 1) * BLOCK));
            peer.send(id, new LocalBlock(file.toString(), 100 + index, List.of()));
          } else {
            peer.send(id, new Ok());
          }
        };
    open(Map.of("eley.client.local", "true"));
    try (var file = client().openFile("/f")) {
      assertThat(read(file, 0, BLOCK)).isEqualTo(Arrays.copyOf(content, BLOCK));
      await().until(() -> released().size() == 1);
      assertThat(released()).containsExactly(new ReleaseLocal(100, BLOCK));
      assertThat(read(file, BLOCK + 10, 20))
          .isEqualTo(Arrays.copyOfRange(content, BLOCK + 10, BLOCK + 30));
      assertThat(released()).hasSize(1);
    }
    await().until(() -> released().size() == 2);
    assertThat(released().get(1)).isEqualTo(new ReleaseLocal(101, 20));
    assertThat(client().counters().bytes(Source.LOCAL_RAM)).isEqualTo(BLOCK + 20);
    assertThat(demands()).isEmpty();
  }

  @Test
  void aReadThatJumpsToABlocksEndKeepsItsLeaseAndAScanThatComesThereGivesItBack() throws Exception {
    behaviour = this::lend;
    open(Map.of("eley.client.local", "true"));
    try (var file = client().openFile("/f")) {
      read(file, 2 * BLOCK - 10, 10);
      read(file, BLOCK + 5, 10);
      assertThat(node.requests())
          .containsExactly(new OpenLocal(new BlockId(file.status().version(), 1), BLOCK));
      read(file, BLOCK + 15, BLOCK - 15);
      await().until(() -> released().size() == 1);
      assertThat(released()).containsExactly(new ReleaseLocal(1, 10 + 10 + BLOCK - 15));
    }
  }

  @Test
  void onlySoManyBlocksAreLeasedAtOnce() throws Exception {
    behaviour = this::lend;
    open(Map.of("eley.client.local", "true", "eley.client.local.leases", "8"));
    List<Long> released;
    do {
      released = releasedForTenBlocksBeforeAnyIsIdle();
    } while (released.isEmpty());
    assertThat(released)
        .as("two connections may overtake each other")
        .containsExactlyInAnyOrder(0L, 1L);
  }

  /** Nothing when a thread stood still for so long that leases may have become idle, too. */
  private List<Long> releasedForTenBlocksBeforeAnyIsIdle() throws Exception {
    node.requests().clear();
    List<Long> released;
    try (var file = client().openFile("/f")) {
      long began = System.nanoTime();
      for (int block = 0; block < 10; block++) {
        read(file, block * BLOCK, 1);
      }
      await().until(() -> released().size() >= 2);
      released = released().stream().map(ReleaseLocal::lease).toList();
      if (System.nanoTime() - began >= KeptLeases.IDLE.toNanos()) {
        released = List.of();
      }
    }
    await().until(() -> released().size() == 10);
    return released;
  }

  /** Lends zeros; the lease is the block's index. */
  private void lend(ScriptedServer.Peer peer, long id, Message request) throws IOException {
    if (request instanceof OpenLocal m) {
      Path file = temp.resolve("block" + m.block().index());
      Files.write(file, new byte[BLOCK]);
      peer.send(id, new LocalBlock(file.toString(), m.block().index(), List.of()));
    } else {
      peer.send(id, new Ok());
    }
  }

  private void open(Map<String, String> more) throws Exception {
    Path deployment = Files.createDirectory(temp.resolve("deployment"));
    var field = Secret.class.getDeclaredMethod("key");
    field.setAccessible(true);
    Path secretFile = deployment.resolve("secret");
    Files.createFile(
        secretFile,
        java.nio.file.attribute.PosixFilePermissions.asFileAttribute(
            java.nio.file.attribute.PosixFilePermissions.fromString("rw-------")));
    Files.writeString(
        secretFile, java.util.HexFormat.of().formatHex((byte[]) field.invoke(secret)));
    var address = coordinator.address();
    Files.writeString(
        deployment.resolve("coordinator.address"), "127.0.0.1:" + address.getPort() + "\n");
    var values = new HashMap<>(Map.of("eley.client.read-ahead", "false"));
    values.put("eley.client.local", "false");
    values.put("eley.client.verify", "false");
    values.put("eley.client.connect-timeout", "20s");
    values.put("eley.client.silence", "10s");
    values.put("eley.deployment", deployment.toString());
    values.putAll(more);
    opened = EleyClient.open(ClientOptions.from(Settings.of(values)));
  }

  private void coordinate(ScriptedServer.Peer peer, long id, Message request) throws IOException {
    if (request instanceof GetView) {
      String machine = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
      var address =
          new NodeAddress(new NodeId("n"), "127.0.0.1", node.address().getPort(), machine);
      var view =
          new ClusterView(
              1, new BlockGeometry(BLOCK, CHUNK), BufferMode.NO_ACTION, List.of(address));
      peer.send(id, new View(view, origin.toString()));
    } else if (request instanceof GetStatus m) {
      try (var mounted = MountedOrigin.open(origin)) {
        peer.send(id, new Status(mounted.stat(m.path()), Duration.ZERO));
      }
    } else {
      peer.send(id, new Ok());
    }
  }

  private static void send(
      ScriptedServer.Peer peer, long id, ReadBlock read, byte[] from, List<Integer> checksums)
      throws IOException {
    int at = read.block().index() * BLOCK + read.offset();
    peer.data(
        id,
        new BlockData(read.offset(), true, false, checksums),
        read.length(),
        Arrays.copyOfRange(from, at, at + read.length()));
  }

  private List<ReadBlock> demands() {
    return node.requests().stream()
        .filter(ReadBlock.class::isInstance)
        .map(ReadBlock.class::cast)
        .filter(r -> r.cause() == ReadCause.DEMAND)
        .toList();
  }

  private List<ReleaseLocal> released() {
    return node.requests().stream()
        .filter(ReleaseLocal.class::isInstance)
        .map(ReleaseLocal.class::cast)
        .toList();
  }

  private byte[] read(int position, int length) throws Exception {
    try (var file = client().openFile("/f")) {
      return read(file, position, length);
    }
  }

  private static byte[] read(BbFile file, int position, int length) throws Exception {
    var target = ByteBuffer.allocate(length);
    file.readFully(position, target);
    return target.array();
  }
}
