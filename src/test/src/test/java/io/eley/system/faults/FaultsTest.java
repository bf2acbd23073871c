package io.eley.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.client.BbFile;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.system.Deployments;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What may break while a job reads: the bytes are right all the same, or one clear error says why
 * not.
 */
@Timeout(60)
class FaultsTest {
  private static final int FILE_BYTES = 12 << 20;
  private static final long SEED = 20171113;

  @TempDir private Path temp;
  private Path file;
  private byte[] content;

  @BeforeEach
  void makeInput() throws Exception {
    content = new byte[FILE_BYTES];
    new Random(SEED).nextBytes(content);
    Path origin = Files.createDirectory(temp.resolve("origin"));
    file = Files.write(origin.resolve("data"), content);
  }

  @Test
  void aNodeThatIsGoneInMidReadIsReplacedByTheOthersOrTheOrigin() throws Exception {
    try (var deployment = deployment();
        var client = remote(deployment)) {
      deployment.startNode("a", "64m");
      deployment.startNode("b", "64m");
      try (var open = client.openFile("/data")) {
        assertThat(read(open, 0, FILE_BYTES / 2)).isEqualTo(slice(0, FILE_BYTES / 2));
        deployment.stopNode("a");
        assertThat(read(open, FILE_BYTES / 2, FILE_BYTES / 2))
            .isEqualTo(slice(FILE_BYTES / 2, FILE_BYTES / 2));
      }
      assertThat(
              client.counters().bytes(Source.REMOTE_RAM) + client.counters().bytes(Source.ARRIVING))
          .isGreaterThanOrEqualTo(FILE_BYTES / 2);
    }
  }

  @Test
  void allNodesGoneMeansTheOrigin() throws Exception {
    try (var deployment = deployment();
        var client = remote(deployment)) {
      deployment.startNode("a", "64m");
      try (var open = client.openFile("/data")) {
        read(open, 0, 1 << 20);
        long before = client.counters().bytes(Source.FALLBACK);
        deployment.stopNode("a");
        assertThat(read(open, 1 << 20, 2 << 20)).isEqualTo(slice(1 << 20, 2 << 20));
        assertThat(client.counters().bytes(Source.FALLBACK) - before).isEqualTo(2 << 20);
      }
      assertThat(client.counters().fallbacks()).isPositive();
    }
  }

  @Test
  void aCoordinatorThatIsGoneCostsPrefetchingButNoByte() throws Exception {
    try (var deployment = deployment();
        var client = remote(deployment)) {
      deployment.startNode("a", "64m");
      try (var open = client.openFile("/data")) {
        read(open, 0, 1 << 20);
        deployment.stopCoordinator();
        assertThat(read(open, 0, FILE_BYTES)).isEqualTo(content);
      }
      try (var openedMeanwhile = client.openFile("/data")) {
        assertThat(read(openedMeanwhile, 5, 1000)).isEqualTo(slice(5, 1000));
      }
    }
  }

  /** The nodes' blocks have the numbers that are asked for, and are other bytes of the file. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void aBlockSizeThatChangesWithoutTheNodesCostsTheBufferButNoByte(String local) throws Exception {
    try (var deployment = deployment();
        var before = deployment.client(ClientKeys.LOCAL.name(), local)) {
      deployment.startNode("a", "64m");
      try (var open = before.openFile("/data")) {
        assertThat(read(open, 0, FILE_BYTES)).isEqualTo(content);
        deployment.stopCoordinator();
        deployment.startCoordinator(CoordinatorKeys.BLOCK_SIZE.name(), "512k");
        await().until(() -> !deployment.report().nodes().isEmpty());
        try (var after = deployment.client(ClientKeys.LOCAL.name(), local)) {
          try (var anew = after.openFile("/data")) {
            assertThat(read(anew, 0, FILE_BYTES)).isEqualTo(content);
          }
          assertThat(after.counters().bytes(Source.FALLBACK)).isEqualTo(FILE_BYTES);
        }
        assertThat(read(open, 0, FILE_BYTES)).isEqualTo(content);
      }
    }
  }

  @Test
  void inputLargerThanTheBufferIsReadThroughIt() throws Exception {
    try (var deployment = deployment();
        var client = remote(deployment)) {
      var node = deployment.startNode("a", "3m");
      try (var open = client.openFile("/data")) {
        assertThat(read(open, 0, FILE_BYTES)).isEqualTo(content);
      }
      assertThat(node.counters().usedBytes()).isLessThanOrEqualTo(3 << 20);
      assertThat(node.counters().evictedBlocks()).isPositive();
    }
  }

  @Test
  void aFileThatIsReplacedWhileItIsReadIsOneClearErrorAndThenTheNewFile() throws Exception {
    byte[] other = new byte[FILE_BYTES];
    new Random(SEED + 1).nextBytes(other);
    try (var deployment = deployment();
        var client = remote(deployment)) {
      deployment.startNode("a", "64m");
      try (var open = client.openFile("/data")) {
        read(open, 0, 1 << 20);
        replace(other);
        assertThatThrownBy(() -> read(open, 4 << 20, 1 << 20))
            .isInstanceOfSatisfying(
                EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_VERSION))
            .hasMessageContaining("/data");
      }
      try (var again = client.openFile("/data")) {
        assertThat(read(again, 0, FILE_BYTES)).isEqualTo(other);
      }
    }
  }

  @Test
  void aFileThatIsTruncatedWhileItIsReadIsOneClearError() throws Exception {
    try (var deployment = deployment();
        var client = remote(deployment)) {
      deployment.startNode("a", "64m");
      try (var open = client.openFile("/data")) {
        read(open, 0, 1 << 20);
        replace(java.util.Arrays.copyOf(content, 2 << 20));
        assertThatThrownBy(() -> read(open, 8 << 20, 1 << 20))
            .isInstanceOfSatisfying(
                EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_VERSION));
      }
    }
  }

  @Test
  void aDamagedBlockIsFetchedAgainAfterARestart() throws Exception {
    try (var deployment = deployment();
        var client = remote(deployment)) {
      var node = deployment.startNode("a", "64m");
      int blocks = FILE_BYTES / Deployments.GEOMETRY.blockSize();
      try (var open = client.openFile("/data")) {
        read(open, 0, FILE_BYTES);
      }
      // Readers have the bytes of a block before it is complete; only complete ones are kept.
      await().until(() -> node.counters().blocks() == blocks);
      deployment.stopNode("a");
      int damaged = damage(deployment.blocks("a"));
      assertThat(damaged).isEqualTo(blocks);
      deployment.startNode("a", "64m");
      try (var open = client.openFile("/data")) {
        assertThat(read(open, 0, FILE_BYTES)).isEqualTo(content);
      }
    }
  }

  @Test
  void sameHostReadersTakeTheBytesFromTheNodesFiles() throws Exception {
    try (var deployment = deployment();
        var client = deployment.client()) {
      deployment.startNode("a", "64m");
      try (var open = client.openFile("/data")) {
        // The first pass makes the node fetch; a block's file can be had once the block is
        // complete.
        await()
            .untilAsserted(
                () -> {
                  assertThat(read(open, 0, FILE_BYTES)).isEqualTo(content);
                  assertThat(client.counters().bytes(Source.LOCAL_RAM))
                      .isGreaterThanOrEqualTo(FILE_BYTES);
                });
      }
    }
  }

  @Test
  void verifiedReadsSeeTheSameBytes() throws Exception {
    try (var deployment = deployment();
        var client = deployment.client(ClientKeys.VERIFY.name(), "true")) {
      deployment.startNode("a", "64m");
      try (var open = client.openFile("/data")) {
        assertThat(read(open, 12345, 3 << 20)).isEqualTo(slice(12345, 3 << 20));
      }
    }
  }

  @Test
  void aMissingFileIsSaidToBeMissing() throws Exception {
    try (var deployment = deployment();
        var client = deployment.client()) {
      assertThatThrownBy(() -> client.openFile("/none"))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }
  }

  @Test
  void aSecondCoordinatorOnTheSameDirectoryIsRefused() throws Exception {
    try (var deployment = deployment()) {
      assertThatThrownBy(deployment::startCoordinator)
          .isInstanceOf(EleyException.class)
          .hasMessageContaining(deployment.deploymentDirectory().toString());
    }
  }

  private Deployments deployment() throws Exception {
    return new Deployments(temp, temp.resolve("origin"), BufferMode.NO_ACTION);
  }

  /** A client that goes over connections although it is on the nodes' machine. */
  private static EleyClient remote(Deployments deployment) throws Exception {
    return deployment.client(ClientKeys.LOCAL.name(), "false");
  }

  private static byte[] read(BbFile open, long position, int length) throws EleyException {
    var target = ByteBuffer.allocate(length);
    open.readFully(position, target);
    return target.array();
  }

  private byte[] slice(int offset, int length) {
    return java.util.Arrays.copyOfRange(content, offset, offset + length);
  }

  private void replace(byte[] other) throws Exception {
    Path fresh = Files.write(file.resolveSibling("fresh"), other);
    Files.setLastModifiedTime(fresh, FileTime.fromMillis(1_000_000_000_000L));
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Flips the first byte of every block file. */
  private static int damage(Path directory) throws Exception {
    int count = 0;
    try (var files = Files.walk(directory)) {
      for (Path block : files.filter(f -> sizeOf(f) >= Deployments.GEOMETRY.blockSize()).toList()) {
        try (var channel =
            Files.newByteChannel(
                block,
                java.nio.file.StandardOpenOption.READ,
                java.nio.file.StandardOpenOption.WRITE)) {
          var one = ByteBuffer.allocate(1);
          channel.read(one);
          one.put(0, (byte) ~one.get(0)).flip();
          channel.position(0).write(one);
        }
        count++;
      }
    }
    return count;
  }

  private static long sizeOf(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
