package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Seed;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.LocalBlock;
import io.eley.bb.api.wire.BlockMessage.OpenLocal;
import io.eley.bb.api.wire.BlockMessage.ReleaseLocal;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No byte of a node's file reaches a reader before the page that it is in was checked. */
@Timeout(60)
class VerifiedLocalReadsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final ClientOptions.Timeouts TIMEOUTS =
      new ClientOptions.Timeouts(PATIENCE, PATIENCE, PATIENCE, PATIENCE, PATIENCE);
  private static final int PAGE = 4096;
  private static final int PAGES = 40;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(PAGES * PAGE, PAGE);

  /** A whole block, and one that ends within a page. */
  private static final int REST = 17 * PAGE + 100;

  private static final FileVersion FILE = new FileVersion("/f", PAGES * PAGE + REST, 1);
  private static final BlockId WHOLE = new BlockId(FILE, 0);
  private static final BlockId LAST = new BlockId(FILE, 1);

  private final Secret secret = Secret.random();

  /** Whose leases are never idle, however long a test takes. */
  private final LocalBlocks blocks =
      new LocalBlocks(new ClientOptions.Local(true, 8), TIMEOUTS, () -> 0L);

  private final byte[] content = new byte[(int) FILE.length()];
  private int missingSums;
  private Path directory;
  private ScriptedServer node;
  private NodePool pool;

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    directory = temp;
    new Random(7).nextBytes(content);
    for (BlockId block : List.of(WHOLE, LAST)) {
      // A node's file goes on behind the block.
      byte[] file = Arrays.copyOf(bytes(block), bytes(block).length + 500);
      Files.write(file(block), file);
    }
    node = new ScriptedServer(secret, this::lend).as(Identity.node(new NodeId("n")));
    var machine = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    pool =
        new NodePool(
            new NodeAddress(new NodeId("n"), "127.0.0.1", node.address().getPort(), machine),
            FakeDeployment.credentials(secret),
            1,
            PATIENCE,
            PATIENCE);
  }

  @AfterEach
  void stop() throws Exception {
    blocks.close();
    pool.close();
    node.close();
  }

  @Test
  void randomReadsGiveTheBytesAndTouchNothingElse() throws Exception {
    var random = Seed.random("the reads");
    for (int i = 0; i < 300; i++) {
      BlockId block = i % 2 == 0 ? WHOLE : LAST;
      int length = bytes(block).length;
      // Often at a page's begin or end, where the ways to read differ.
      int from = edge(random, length - 1);
      int to = Math.max(from + 1, edge(random, length));
      var target = ByteBuffer.allocate(to - from + 20).position(10).limit(to - from + 10);
      assertThat(blocks.readVerified(block, GEOMETRY, from, target, attempt())).contains(to - from);
      assertThat(target.position()).isEqualTo(to - from + 10);
      byte[] expected = new byte[to - from + 20];
      System.arraycopy(bytes(block), from, expected, 10, to - from);
      assertThat(target.array()).as("%s to %s of %s", from, to, block).isEqualTo(expected);
      if (i % 10 == 0) {
        blocks.release(FILE);
      }
    }
  }

  private static int edge(Random random, int most) {
    int page = random.nextInt(most / PAGE + 1) * PAGE;
    return Math.max(0, Math.min(most, random.nextBoolean() ? page : random.nextInt(most + 1)));
  }

  @Test
  void damageIsFoundByWhoeverReadsAByteOfItsPageAndByNobodyElse() throws Exception {
    for (BlockId block : List.of(WHOLE, LAST)) {
      int length = bytes(block).length;
      for (int page : new int[] {0, 1, 15, 16, 17, length / PAGE - 1, (length - 1) / PAGE}) {
        int begin = page * PAGE;
        int end = Math.min(length, begin + PAGE);
        damage(block, end - 1);
        assertDamaged(block, begin, begin + 1);
        assertDamaged(block, Math.max(0, begin - 1), end);
        assertDamaged(block, begin, end);
        assertDamaged(block, 0, length);
        assertDamaged(block, begin, length);
        assertDamaged(block, 0, begin + 1);
        if (begin > 0) {
          assertThat(read(block, 0, begin)).isEqualTo(Arrays.copyOf(bytes(block), begin));
        }
        if (end < length) {
          assertThat(read(block, end, length))
              .isEqualTo(Arrays.copyOfRange(bytes(block), end, length));
        }
        damage(block, end - 1); // and back
        blocks.release(FILE);
      }
    }
  }

  @Test
  void aLeaseThatShowedDamageIsGivenBackAndAnotherOneTaken() throws Exception {
    damage(WHOLE, 5);
    assertDamaged(WHOLE, 0, 10);
    await().until(() -> released().size() == 1);
    damage(WHOLE, 5);
    assertThat(read(WHOLE, 0, 10)).isEqualTo(Arrays.copyOf(content, 10));
    assertThat(node.requests().stream().filter(OpenLocal.class::isInstance)).hasSize(2);
  }

  @Test
  void aPageIsCheckedOnceALeaseAndItsNeighboursByThemselves() throws Exception {
    read(WHOLE, 3 * PAGE + 7, 3 * PAGE + 8);
    read(WHOLE, 20 * PAGE, 22 * PAGE);
    damage(WHOLE, 3 * PAGE + 100);
    damage(WHOLE, 21 * PAGE);
    assertThat(read(WHOLE, 3 * PAGE, 4 * PAGE)).as("the page was checked").hasSize(PAGE);
    assertThat(read(WHOLE, 3 * PAGE + 90, 3 * PAGE + 110)).hasSize(20);
    assertThat(read(WHOLE, 20 * PAGE, 22 * PAGE)).hasSize(2 * PAGE);
    damage(WHOLE, 4 * PAGE);
    assertDamaged(WHOLE, 3 * PAGE, 5 * PAGE);
    damage(WHOLE, 4 * PAGE);
    assertDamaged(WHOLE, 3 * PAGE, 5 * PAGE); // with the next lease
  }

  @Test
  void whatIsDamagedAfterItsStreamWasClosedIsFoundByTheNextStream() throws Exception {
    read(WHOLE, 0, 3 * PAGE);
    blocks.release(FILE);
    damage(WHOLE, PAGE + 5);
    assertThat(read(WHOLE, 0, PAGE)).hasSize(PAGE);
    assertDamaged(WHOLE, PAGE, 2 * PAGE);
  }

  @Test
  void aPageWithoutAChecksumIsDamaged() throws Exception {
    missingSums = 1;
    assertThat(read(WHOLE, 0, (PAGES - 1) * PAGE)).hasSize((PAGES - 1) * PAGE);
    assertDamaged(WHOLE, 0, PAGES * PAGE);
  }

  @Test
  void aFileThatIsCutShortIsDamaged() throws Exception {
    try (var file = FileChannel.open(file(WHOLE), StandardOpenOption.WRITE)) {
      file.truncate(10 * PAGE + 1);
    }
    assertThat(read(WHOLE, 0, 10 * PAGE)).hasSize(10 * PAGE);
    assertDamaged(WHOLE, 10 * PAGE, 10 * PAGE + 1);
  }

  @Test
  void whatWasWantedIsToldWhenTheBlockIsGivenBack() throws Exception {
    read(WHOLE, 10, 20);
    read(WHOLE, PAGE, 3 * PAGE + 1);
    blocks.readToEnd(WHOLE);
    await().until(() -> released().size() == 1);
    assertThat(released()).containsExactly(new ReleaseLocal(1, 10 + 2 * PAGE + 1));
  }

  private void lend(ScriptedServer.Peer peer, long id, Message request) throws IOException {
    if (request instanceof OpenLocal open) {
      List<Integer> sums = sums(open.block());
      sums = sums.subList(0, sums.size() - missingSums);
      peer.send(id, new LocalBlock(file(open.block()).toString(), 1, sums));
    } else {
      peer.send(id, new Ok());
    }
  }

  private List<Integer> sums(BlockId block) {
    byte[] bytes = bytes(block);
    var sums = new ArrayList<Integer>();
    for (int at = 0; at < bytes.length; at += PAGE) {
      var crc = new CRC32C();
      crc.update(bytes, at, Math.min(PAGE, bytes.length - at));
      sums.add((int) crc.getValue());
    }
    return sums;
  }

  private byte[] bytes(BlockId block) {
    int from = block.index() * PAGES * PAGE;
    return Arrays.copyOfRange(content, from, from + GEOMETRY.length(block));
  }

  private Path file(BlockId block) {
    return directory.resolve("block" + block.index());
  }

  /** Turns a byte of the node's file over; twice is back. */
  private void damage(BlockId block, long position) throws IOException {
    try (var file =
        FileChannel.open(file(block), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      var one = ByteBuffer.allocate(1);
      file.read(one, position);
      file.write(ByteBuffer.wrap(new byte[] {(byte) ~one.get(0)}), position);
    }
  }

  private NodeAttempt attempt() {
    return new NodeAttempt(pool, TIMEOUTS.patience());
  }

  private byte[] read(BlockId block, int from, int to) throws EleyException {
    var target = ByteBuffer.allocate(to - from);
    assertThat(blocks.readVerified(block, GEOMETRY, from, target, attempt())).contains(to - from);
    return target.array();
  }

  private void assertDamaged(BlockId block, int from, int to) {
    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> read(block, from, to)))
        .as("%s to %s of %s", from, to, block)
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DAMAGED));
  }

  private List<ReleaseLocal> released() {
    return node.requests().stream()
        .filter(ReleaseLocal.class::isInstance)
        .map(ReleaseLocal.class::cast)
        .toList();
  }
}
