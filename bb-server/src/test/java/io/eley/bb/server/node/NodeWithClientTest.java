package io.eley.bb.server.node;

import static io.eley.bb.server.node.NodeFixture.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.server.net.LeakCheck;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Node and client together: the bytes of the origin, and the counts that tell where from. */
@ExtendWith(LeakCheck.class)
class NodeWithClientTest {
  private static final Map<String, String> OVER_TCP = Map.of("eley.client.local", "false");
  private static final int LENGTH = 9 * BLOCK + 777;

  private NodeFixture fixture;
  private byte[] bytes;

  @BeforeEach
  void begin(@TempDir Path directory) throws IOException {
    fixture = new NodeFixture(directory);
    bytes = fixture.file("data", LENGTH);
  }

  @AfterEach
  void end() throws IOException {
    fixture.close();
  }

  @Test
  void readsAFileThatNobodyOrdered() throws IOException {
    var node = fixture.start();
    fixture.coordinator.open();

    assertThat(readAll(fixture.eleyClient(OVER_TCP))).isEqualTo(bytes);

    assertThat(originBytes(node)).isEqualTo(LENGTH);
  }

  @Test
  void readsAFileThatWasOrderedWithoutTouchingTheOrigin() throws IOException {
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("data"));

    assertThat(readAll(fixture.eleyClient(OVER_TCP))).isEqualTo(bytes);

    assertThat(node.counters().originBytes().get(ReadCause.PREFETCH)).isEqualTo(LENGTH);
    assertThat(originBytes(node)).isEqualTo(LENGTH);
    assertThat(node.counters().hitBytes()).isEqualTo(LENGTH);
  }

  @ParameterizedTest
  @EnumSource
  void readsTheSameBytesHoweverTheyAreProtected(NetworkProtection protection) throws IOException {
    fixture.protection = protection;
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("data"));

    assertThat(readAll(fixture.eleyClient(OVER_TCP))).isEqualTo(bytes);

    assertThat(node.counters().hitBytes()).isEqualTo(LENGTH);
  }

  @Test
  void aClientThatWantsEverythingEncryptedReadsNothingFromANodeThatOffersLess() throws IOException {
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("data"));
    var settings = new HashMap<>(OVER_TCP);
    settings.put("eley.network.protection", "encrypt");
    settings.put("eley.client.origin", fixture.origin.toString());

    assertThat(readAll(fixture.eleyClient(settings))).as("from the origin").isEqualTo(bytes);

    assertThat(node.counters().servedBytes()).isZero();
  }

  @Test
  void readsOnTheSameMachineComeFromTheFilesAndAreCounted() throws IOException {
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("data"));
    try (var client = fixture.eleyClient(Map.of())) {
      assertThat(readAll(client)).isEqualTo(bytes);
    }
    await().untilAsserted(() -> assertThat(node.counters().servedBytes()).isEqualTo(LENGTH));
    assertThat(originBytes(node)).isEqualTo(LENGTH);
  }

  @Test
  void readsAnyRangeVerified() throws IOException {
    fixture.start();
    fixture.prefetch(fixture.blocks("data").subList(0, 4));
    var random = new Random(7);
    var client =
        fixture.eleyClient(Map.of("eley.client.local", "false", "eley.client.verify", "true"));
    try (var file = client.openFile("/data")) {
      for (int i = 0; i < 100; i++) {
        int from = random.nextInt(LENGTH);
        int length = 1 + random.nextInt(Math.min(3 * BLOCK, LENGTH - from));
        var target = ByteBuffer.allocate(length);
        file.readFully(from, target);
        assertThat(target.array()).isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBlockThatIsDamagedWhileItLiesThereIsFoundWhenItIsServedAndFetchedAnew(boolean local)
      throws IOException {
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("data"));
    flipOneBit();
    var client = fixture.eleyClient(Map.of("eley.client.local", Boolean.toString(local)));

    assertThat(readAll(client)).isEqualTo(bytes);

    assertThat(client.counters().bytes(Source.LOCAL_RAM))
        .isBetween(local ? (long) LENGTH - BLOCK : 0, local ? LENGTH - 1L : 0);
    assertThat(client.counters().damages()).isEqualTo(1);
    assertThat(client.counters().fallbacks()).isZero();
    assertThat(node.counters().damagedBlocks()).isEqualTo(1);
    assertThat(originBytes(node))
        .as("one block was fetched anew")
        .isBetween(LENGTH + 1L, LENGTH + (long) BLOCK);
    assertThat(readAll(client)).isEqualTo(bytes);
    assertThat(client.counters().damages()).isEqualTo(1);
  }

  @Test
  void aLeaseIsVerifiedPageByPageOnceAndAnyRangeOfItIsReadable() throws IOException {
    fixture.start();
    fixture.prefetch(fixture.blocks("data"));
    var random = new Random(8);
    var client = fixture.eleyClient(Map.of());
    try (var file = client.openFile("/data")) {
      for (int i = 0; i < 200; i++) {
        int from = random.nextInt(LENGTH);
        int length = 1 + random.nextInt(Math.min(i % 2 == 0 ? 100 : 2 * BLOCK, LENGTH - from));
        var target = i % 3 == 0 ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
        file.readFully(from, target);
        assertThat(target.flip())
            .isEqualTo(ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, from + length)));
      }
    }
    assertThat(client.counters().damages()).isZero();
    assertThat(client.counters().bytes(Source.REMOTE_RAM)).isZero();
  }

  private void flipOneBit() throws IOException {
    try (var files = Files.walk(fixture.ramDisk)) {
      Path block =
          files
              .filter(f -> f.toString().contains("/blocks/") && Files.isRegularFile(f))
              .findFirst()
              .orElseThrow();
      try (var out = new RandomAccessFile(block.toFile(), "rw")) {
        int was = out.read();
        out.seek(0);
        out.write(was ^ 1);
      }
    }
  }

  @Test
  void readsGoOnFromTheOriginWhenTheNodeIsGone() throws IOException {
    var node = fixture.start();
    fixture.coordinator.open();
    var client = fixture.eleyClient(OVER_TCP);
    try (var file = client.openFile("/data")) {
      var first = ByteBuffer.allocate(BLOCK);
      file.readFully(0, first);
      node.close();

      var rest = ByteBuffer.allocate(LENGTH - BLOCK);
      file.readFully(BLOCK, rest);

      assertThat(rest.array()).isEqualTo(Arrays.copyOfRange(bytes, BLOCK, LENGTH));
    }
  }

  @Test
  void aNodeFindsItsDeploymentThroughTheDirectory() throws IOException {
    fixture.eleyClient(Map.of());
    var settings =
        Settings.of(
            Map.of(
                "eley.deployment", fixture.deployment.toString(),
                "eley.node.directory", fixture.ramDisk.resolve("own").toString(),
                "eley.node.memory", "4m"));
    try (var node = NodeServer.start(NodeOptions.from(settings))) {
      assertThat(node.address().host())
          .as("where it reaches the coordinator from")
          .isEqualTo("127.0.0.1");
      assertThat(Files.isDirectory(fixture.ramDisk.resolve("own"))).isTrue();
      assertThat(fixture.coordinator.nodes).containsKey(node.address().id());
    }
  }

  private static long originBytes(NodeServer node) {
    return node.counters().originBytes().values().stream().mapToLong(b -> b).sum();
  }

  private static byte[] readAll(EleyClient client) throws IOException {
    var target = ByteBuffer.allocate(LENGTH);
    try (var file = client.openFile("/data")) {
      file.readFully(0, target);
    }
    return target.array();
  }
}
