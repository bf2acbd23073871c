package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.wire.BlockMessage.LocalBlock;
import io.eley.bb.api.wire.BlockMessage.ReleaseLocal;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which leases are kept, with files of this machine and a node that counts what it is given. */
@Timeout(120)
class KeptLeasesTest {
  private static final BlockId A = block("/a", 0);
  private static final BlockId A_NEXT = block("/a", 1);
  private static final BlockId B = block("/b", 0);
  private static final BlockId C = block("/c", 0);
  private static final BlockId D = block("/d", 0);

  @TempDir private Path directory;

  private final AtomicLong now = new AtomicLong();
  private final Map<BlockId, FileChannel> files = new HashMap<>();
  private final Secret secret = Secret.random();
  private ScriptedServer node;
  private Connection connection;

  @BeforeEach
  void connect() throws Exception {
    node = new ScriptedServer(secret, (peer, id, request) -> peer.send(id, new Ok()));
    connection =
        Connection.open(
            node.address(),
            new Credentials(secret, Identity.CLIENT),
            ConnectionOptions.toCoordinator("test", Duration.ofSeconds(20)),
            PushHandler.IGNORE);
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    node.close();
  }

  private static BlockId block(String path, int index) {
    return new BlockId(new FileVersion(path, 1 << 20, 1), index);
  }

  /** Keeps a block's file; its lease is numbered as it comes. */
  private void keep(KeptLeases leases, BlockId block) throws Exception {
    var channel = FileChannel.open(Files.createTempFile(directory, "block", ""));
    files.put(block, channel);
    var leased = new LocalBlock("/block", files.size(), List.of());
    leases.keep(
        block,
        new LeasedFile(block, 1 << 20, new LeasedFile.OfChannel(channel), connection, leased));
  }

  private boolean open(BlockId block) {
    return Objects.requireNonNull(files.get(block)).isOpen();
  }

  private static void read(KeptLeases leases, BlockId block) {
    leases.use(block).orElseThrow().release();
  }

  private List<Long> givenBack() {
    return node.requests().stream().map(request -> ((ReleaseLocal) request).lease()).toList();
  }

  @Test
  void theLeastRecentlyUsedIsGivenBackOnceForEachThatComes() throws Exception {
    var leases = new KeptLeases(2, now::get);
    keep(leases, A);
    keep(leases, B);
    read(leases, A);
    keep(leases, C);
    assertThat(open(B)).isFalse();
    assertThat(leases.use(B)).isEmpty();
    keep(leases, D);
    assertThat(open(A)).isFalse();
    assertThat(open(C)).isTrue();
    leases.close();
    assertThat(open(C)).isFalse();
    assertThat(open(D)).isFalse();
    await().until(() -> givenBack().size() >= 4);
    assertThat(givenBack()).as("A is 1").containsExactly(2L, 1L, 3L, 4L);
  }

  @Test
  void aFileThatIsReadAgainKeepsItsLeasesWhileOthersThatWereClosedLoseTheirs() throws Exception {
    try (var leases = new KeptLeases(10, now::get)) {
      // How soon is soon depends on the machine: once in a while it is.
      await()
          .until(
              () -> {
                keep(leases, A);
                keep(leases, B);
                leases.fileClosed(A.file());
                leases.fileClosed(B.file());
                var again = leases.use(A);
                again.ifPresent(LeasedFile::release);
                return again.isPresent();
              });
      await().until(() -> !open(B));
      awaitSweep(leases);
      assertThat(open(A)).isTrue();
      await()
          .until(
              () -> {
                keep(leases, A);
                leases.fileClosed(A.file());
                keep(leases, A_NEXT); // its next block is leased: it is open again
                awaitSweep(leases);
                return open(A);
              });
      assertThat(open(A_NEXT)).isTrue();
    }
  }

  /** A file that is closed now, and its leases given back, after those that were closed before. */
  private void awaitSweep(KeptLeases leases) throws Exception {
    keep(leases, C);
    leases.fileClosed(C.file());
    await().until(() -> !open(C));
  }

  @Test
  void whatIsNotIdleYetIsLookedAtAgain() throws Exception {
    try (var leases = new KeptLeases(10, now::get)) {
      keep(leases, A);
      keep(leases, B);
      now.set(TimeUnit.MILLISECONDS.toNanos(1));
      read(leases, B);
      now.set(KeptLeases.IDLE.toNanos());
      await().until(() -> !open(A));
      assertThat(open(B)).isTrue();
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
      await().until(() -> !open(B));
    }
  }
}
