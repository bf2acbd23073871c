package io.eley.bb.server.node;

import static io.eley.bb.server.node.NodeFixture.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.client.EleyClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A RAM-disk that others fill; needs the right to mount one. */
@Timeout(120)
class FullRamDiskTest {
  private static final Map<String, String> OVER_TCP =
      Map.of("eley.client.local", "false", "eley.client.read-ahead", "false");
  private static final int BLOCKS = 8;
  private NodeFixture fixture;
  private boolean mounted;

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    fixture = new NodeFixture(directory);
    fixture.memory = 16L << 20;
    Files.createDirectories(fixture.ramDisk);
    mounted = run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", fixture.ramDisk.toString());
    assumeTrue(mounted, "this user may not mount a RAM-disk");
  }

  @AfterEach
  void end() throws Exception {
    fixture.close();
    if (mounted) {
      run("umount", "-l", fixture.ramDisk.toString());
    }
  }

  @Test
  void aReaderCostsTheOriginEachByteOnceAndTheNodeRecovers() throws Exception {
    byte[] bytes = fixture.file("data", BLOCKS * BLOCK);
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("data").subList(0, 2));
    Path others = fill();
    var client = fixture.eleyClient(OVER_TCP);

    for (int reading = 1; reading <= 3; reading++) {
      assertThat(read(client, bytes.length)).isEqualTo(bytes);
      assertThat(origin(node) + client.counters().bytes(Source.FALLBACK))
          .as(
              "bytes of the origin after reading %s, but for what was met by the shrinking",
              reading)
          .isLessThanOrEqualTo((long) reading * bytes.length + BLOCK);
    }
    // Whoever asks while the fetch that met it is just ending is given room by an eviction, so the
    // origin is not always read by the client.
    assertThat(node.counters().squeezed()).as("it has met the full disk").isTrue();
    assertThat(node.counters().capacityBytes()).isLessThan(fixture.memory);
    assertThat(node.counters().usedBytes()).isLessThanOrEqualTo(node.counters().capacityBytes());

    Files.delete(others);
    await().until(() -> !node.counters().squeezed());
    await()
        .untilAsserted(() -> assertThat(node.counters().capacityBytes()).isEqualTo(fixture.memory));
    read(client, bytes.length);
    long settled = origin(node) + client.counters().bytes(Source.FALLBACK);
    assertThat(read(client, bytes.length)).isEqualTo(bytes);
    assertThat(origin(node) + client.counters().bytes(Source.FALLBACK))
        .as("all of it is in RAM now")
        .isEqualTo(settled);
  }

  private Path fill() throws IOException {
    Path others = fixture.ramDisk.resolve("others");
    try (var out = Files.newOutputStream(others)) {
      byte[] zeros = new byte[4096];
      while (true) {
        out.write(zeros);
      }
    } catch (IOException e) {
      return others; // It is full.
    }
  }

  private static long origin(NodeServer node) {
    return node.counters().originBytes().values().stream().mapToLong(b -> b).sum();
  }

  private static byte[] read(EleyClient client, int length) throws IOException {
    try (var file = client.openFile("/data")) {
      var target = ByteBuffer.allocate(length);
      // As a stream reads: a piece at a time.
      while (target.hasRemaining()) {
        target.limit(Math.min(length, target.position() + BLOCK / 4));
        file.readFully(target.position(), target);
        target.limit(length);
      }
      return Arrays.copyOf(target.array(), length);
    }
  }

  private static boolean run(String... command) throws Exception {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    return process.waitFor() == 0;
  }
}
