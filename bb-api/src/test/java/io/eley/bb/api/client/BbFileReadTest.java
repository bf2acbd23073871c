package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static io.eley.bb.api.client.FakeDeployment.BLOCK;
import static io.eley.bb.api.client.FakeDeployment.CHUNK;
import static io.eley.bb.api.client.FakeDeployment.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.Seed;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockDamaged;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a file asks of nodes that behave, and what of those that say no. */
@Timeout(60)
class BbFileReadTest {
  private static final int LENGTH = 5 * BLOCK + CHUNK + 100;
  private final byte[] content = new byte[LENGTH];
  private FakeDeployment deployment;
  private ScriptedServer node;
  private @Nullable EleyClient opened;
  private volatile ScriptedServer.Script behaviour = this::serve;

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    new Random(9).nextBytes(content);
    deployment = new FakeDeployment(temp);
    Files.write(deployment.origin.resolve("f"), content);
    node = deployment.node((peer, id, request) -> behaviour.on(peer, id, request));
    deployment.view(BufferMode.FULL_DELAY, at("n", node));
  }

  @AfterEach
  void stop() throws Exception {
    deployment.close();
  }

  @Test
  void aReadAsksForItsRangeOfTheBlockAndNeverBeyondIt() throws Exception {
    try (var file = open(Map.of())) {
      var target = ByteBuffer.allocate(1000).position(10);
      assertThat(file.read(2L * BLOCK - 30, target)).isEqualTo(30);
      assertThat(target.position()).isEqualTo(40);
      assertThat(Arrays.copyOfRange(target.array(), 10, 40)).isEqualTo(bytes(2 * BLOCK - 30, 30));
      assertThat(reads()).hasSize(1);
      ReadBlock read = reads().get(0);
      assertThat(read.block().file()).isEqualTo(file.status().version());
      assertThat(read.block().index()).isEqualTo(1);
      assertThat(read.offset()).isEqualTo(BLOCK - 30);
      assertThat(read.length()).isEqualTo(30);
      assertThat(read.cause()).isEqualTo(ReadCause.DEMAND);
      assertThat(read.verify()).isFalse();
    }
  }

  @Test
  void aVectoredReadAsksForManySmallRangesBeforeTheFirstHasCome() throws Exception {
    int many = RangeReads.IN_FLIGHT;
    Files.write(deployment.origin.resolve("g"), new byte[(many + 2) * 3 * BLOCK]);
    var waiting = new ArrayList<Message>();
    var answers = new ArrayList<Answer>();
    var peers = new HashSet<ScriptedServer.Peer>();
    behaviour =
        (peer, id, request) -> {
          synchronized (answers) {
            peers.add(peer);
            waiting.add(request);
            answers.add(() -> zeros(peer, id, (ReadBlock) request));
            if (waiting.size() >= many) {
              for (Answer answer : answers) {
                answer.send();
              }
              answers.clear();
            }
          }
        };
    opened = deployment.client(Map.of());
    try (var file = opened.openFile("/g")) {
      List<ByteRange> ranges =
          IntStream.range(0, many + 2).mapToObj(i -> new ByteRange(i * 3L * BLOCK, 10)).toList();
      for (var part : file.readVectored(ranges, ByteBuffer::allocate)) {
        assertThat(part.get(20, TimeUnit.SECONDS).remaining()).isEqualTo(10);
      }
    }
    assertThat(waiting).hasSize(many + 2);
    assertThat(peers).as("over the connection that the call was lent").hasSize(1);
  }

  /** An answer that is sent later. */
  private interface Answer {
    void send() throws IOException;
  }

  private static void zeros(ScriptedServer.Peer peer, long id, ReadBlock read) throws IOException {
    var data = new BlockData(read.offset(), true, true, List.of());
    peer.data(id, data, read.length(), new byte[read.length()]);
  }

  @Test
  void whatWasStartedIsUnderWayWithAnotherReadAndHasTheBytes() throws Exception {
    try (var file = open(Map.of())) {
      var first = ByteBuffer.allocate(100);
      var second = ByteBuffer.allocate(2 * BLOCK);
      var dropped = new CountDownLatch(1);
      var one = file.start(50, first);
      var other = file.start(BLOCK + 5, second);
      file.start(7, ByteBuffer.allocate(10)).drop(dropped::countDown);
      assertThat(one.underWay()).isTrue();
      assertThat(readFully(file, 300, 10)).isEqualTo(bytes(300, 10));
      assertThat(other.await()).as("to the block's end").isEqualTo(BLOCK - 5);
      assertThat(one.await()).isEqualTo(100);
      assertThat(first.array()).isEqualTo(bytes(50, 100));
      assertThat(Arrays.copyOf(second.array(), BLOCK - 5)).isEqualTo(bytes(BLOCK + 5, BLOCK - 5));
      assertThat(dropped.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(file.start(LENGTH, first.clear()).await()).isEqualTo(-1);
      assertThat(client().counters().fallbacks()).isZero();
    }
  }

  @Test
  void theBufferOfAReadThatIsDroppedIsFreeOnceItsAnswerHasCome() throws Exception {
    var goOn = new CountDownLatch(1);
    behaviour =
        (peer, id, request) -> {
          try {
            assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          serve(peer, id, request);
        };
    try (var file = open(Map.of())) {
      var free = new CountDownLatch(1);
      file.start(7, ByteBuffer.allocate(10)).drop(free::countDown);
      assertThat(free.getCount()).as("the node may still send").isEqualTo(1);
      goOn.countDown();
      assertThat(free.await(20, TimeUnit.SECONDS)).isTrue();
      var atOnce = new CountDownLatch(1);
      var behind = file.start(LENGTH, ByteBuffer.allocate(10));
      assertThat(behind.underWay()).isFalse();
      behind.drop(atOnce::countDown);
      assertThat(atOnce.getCount()).as("nobody was asked").isZero();
    }
  }

  @Test
  void whatWasStartedAndRefusedIsReadAsIfItHadNotBeenStarted() throws Exception {
    try (var file = open(Map.of())) {
      behaviour = (peer, id, request) -> peer.send(id, new Failure(ErrorCode.NO_SPACE, "full"));
      var target = ByteBuffer.allocate(100);
      var read = file.start(50, target);
      assertThat(read.underWay()).isTrue();
      assertThat(read.await()).isEqualTo(100);
      assertThat(target.array()).isEqualTo(bytes(50, 100));
      assertThat(bytesFrom(Source.FALLBACK)).isEqualTo(100);
    }
  }

  @Test
  void theFileEndsWhereItsVersionDoes() throws Exception {
    try (var file = open(Map.of())) {
      assertThat(file.read(LENGTH - 3, ByteBuffer.allocate(100))).isEqualTo(3);
      assertThat(file.read(LENGTH, ByteBuffer.allocate(1))).isEqualTo(-1);
      assertThat(file.read(Long.MAX_VALUE, ByteBuffer.allocate(1))).isEqualTo(-1);
      assertThat(file.read(0, ByteBuffer.allocate(0))).isZero();
      assertThatThrownBy(() -> file.read(-1, ByteBuffer.allocate(1)))
          .isInstanceOf(IllegalArgumentException.class);
      failsWith(ErrorCode.MALFORMED, () -> file.readFully(LENGTH - 10, ByteBuffer.allocate(11)))
          .hasMessage("end of /f before byte " + (LENGTH + 1));
      assertThat(reads()).as("reads that reached the node").hasSize(2);
    }
  }

  @Test
  void bytesAreCountedByWhetherTheyWereThere() throws Exception {
    behaviour =
        (peer, id, request) -> {
          var read = (ReadBlock) request;
          int half = read.length() / 2;
          peer.data(
              id, new BlockData(read.offset(), false, true, List.of()), half, of(read, 0, half));
          peer.data(
              id,
              new BlockData(read.offset() + half, true, false, List.of()),
              read.length() - half,
              of(read, half, read.length() - half));
        };
    try (var file = open(Map.of())) {
      assertThat(readFully(file, 100, 301)).isEqualTo(bytes(100, 301));
      assertThat(bytesFrom(Source.REMOTE_RAM)).isEqualTo(150);
      assertThat(bytesFrom(Source.ARRIVING)).isEqualTo(151);
      assertThat(bytesFrom(Source.FALLBACK)).isZero();
    }
  }

  @Test
  void randomReadsGiveTheBytesOfTheFile() throws Exception {
    var random = Seed.random("the reads");
    for (boolean verify : new boolean[] {false, true}) {
      try (var file = open(Map.of("eley.client.verify", String.valueOf(verify)))) {
        for (int i = 0; i < 100; i++) {
          int at = random.nextInt(LENGTH);
          int length = 1 + random.nextInt(Math.min(LENGTH - at, 3 * BLOCK));
          assertThat(readFully(file, at, length)).isEqualTo(bytes(at, length));
        }
        assertThat(client().counters().fallbacks()).isZero();
        assertThat(client().counters().retries()).isZero();
      }
    }
  }

  @Test
  void aVerifiedReadTakesWholeChunksAroundWhatIsWanted() throws Exception {
    try (var file = open(Map.of("eley.client.verify", "true"))) {
      assertThat(readFully(file, BLOCK + CHUNK + 10, CHUNK))
          .isEqualTo(bytes(BLOCK + CHUNK + 10, CHUNK));
      assertThat(readFully(file, 5 * BLOCK + CHUNK + 50, 20))
          .isEqualTo(bytes(5 * BLOCK + CHUNK + 50, 20));
      assertThat(readFully(file, 2 * BLOCK, CHUNK)).isEqualTo(bytes(2 * BLOCK, CHUNK));
      assertThat(reads()).allMatch(ReadBlock::verify);
      assertThat(reads()).extracting(ReadBlock::offset).containsExactly(CHUNK, CHUNK, 0);
      assertThat(reads())
          .extracting(ReadBlock::length)
          .as("the last chunk of the file is a short one")
          .containsExactly(2 * CHUNK, 100, CHUNK);
    }
  }

  @Test
  void aVerifiedScanAsksForEachByteOnceHoweverItIsCut() throws Exception {
    try (var file = open(Map.of("eley.client.verify", "true"))) {
      for (int at = 0; at < LENGTH; ) {
        var target = ByteBuffer.allocate(Math.min(LENGTH - at, BLOCK + 1000));
        int count = file.read(at, target);
        assertThat(Arrays.copyOf(target.array(), count)).isEqualTo(bytes(at, count));
        at += count;
      }
      assertThat(reads().stream().mapToInt(ReadBlock::length).sum()).isEqualTo(LENGTH);
    }
  }

  @Test
  void checksumsThatAreMissingOrTooManyAreDamage() throws Exception {
    for (int wrong : new int[] {-1, 1}) {
      behaviour =
          (peer, id, request) -> {
            if (request instanceof BlockDamaged) {
              peer.send(id, new Ok());
              return;
            }
            var read = (ReadBlock) request;
            var sums = new ArrayList<>(checksums(read));
            if (wrong < 0) {
              sums.remove(sums.size() - 1);
            } else {
              sums.add(1);
            }
            peer.data(
                id,
                new BlockData(read.offset(), true, true, sums),
                read.length(),
                of(read, 0, read.length()));
          };
      try (var file = open(Map.of("eley.client.verify", "true", "eley.client.retries", "1"))) {
        assertThat(readFully(file, 0, 2 * CHUNK)).isEqualTo(bytes(0, 2 * CHUNK));
        assertThat(client().counters().retries()).isEqualTo(1);
        assertThat(client().counters().damages()).isEqualTo(2);
        assertThat(bytesFrom(Source.FALLBACK)).isEqualTo(2 * CHUNK);
      }
    }
    assertThat(reads()).hasSize(4);
    assertThat(damageReports()).as("the node knows each time").isEqualTo(4);
  }

  @Test
  void damageThatTheNodeItselfHasFoundIsNotToldToIt() throws Exception {
    behaviour = (peer, id, request) -> peer.send(id, new Failure(ErrorCode.DAMAGED, "a bit"));
    try (var file = open(Map.of("eley.client.retries", "1"))) {
      assertThat(readFully(file, 0, 10)).isEqualTo(bytes(0, 10));
      assertThat(client().counters().damages()).isZero();
    }
    assertThat(damageReports()).isZero();
  }

  private long damageReports() {
    return node.requests().stream().filter(BlockDamaged.class::isInstance).count();
  }

  @ParameterizedTest
  @EnumSource(names = {"NOT_OWNER", "UNAVAILABLE", "DAMAGED", "NOT_REGISTERED"})
  void whatARetryMayMendIsTriedAFewTimesAndThenReadFromTheOrigin(ErrorCode code) throws Exception {
    behaviour = (peer, id, request) -> peer.send(id, new Failure(code, "no"));
    try (var file = open(Map.of("eley.client.retries", "3"))) {
      assertThat(readFully(file, 7, 50)).isEqualTo(bytes(7, 50));
      assertThat(reads()).hasSize(4);
      assertThat(client().counters().retries()).isEqualTo(3);
      assertThat(client().counters().fallbacks()).isEqualTo(1);
      assertThat(deployment.asked(GetView.class)).as("a newer view each time").isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DEADLINE", "NO_SPACE", "ORIGIN_HUNG", "INTERNAL", "MALFORMED"})
  void whatNoRetryMendsIsReadFromTheOriginAtOnce(ErrorCode code) throws Exception {
    behaviour = (peer, id, request) -> peer.send(id, new Failure(code, "no"));
    try (var file = open(Map.of("eley.client.retries", "3"))) {
      assertThat(readFully(file, 7, 50)).isEqualTo(bytes(7, 50));
      assertThat(reads()).hasSize(1);
      assertThat(client().counters().retries()).isZero();
      assertThat(bytesFrom(Source.FALLBACK)).isEqualTo(50);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ORIGIN_FAILED", "NOT_FOUND", "STALE_VERSION", "ACCESS_DENIED"})
  void theOriginsOwnErrorIsTheCallers(ErrorCode code) throws Exception {
    behaviour = (peer, id, request) -> peer.send(id, new Failure(code, "the origin's"));
    try (var file = open(Map.of())) {
      failsWith(code, () -> file.read(0, ByteBuffer.allocate(1))).hasMessage("the origin's");
      assertThat(reads()).hasSize(1);
      assertThat(client().counters().fallbacks()).isZero();
    }
  }

  @Test
  void aNodeThatIsNotTheOwnerAnyMoreLeadsToTheNewOne() throws Exception {
    var heir = deployment.node(this::serve);
    behaviour =
        (peer, id, request) -> {
          deployment.view(BufferMode.FULL_DELAY, at("heir", heir));
          peer.send(id, new Failure(ErrorCode.NOT_OWNER, "epoch 3"));
        };
    try (var file = open(Map.of())) {
      assertThat(readFully(file, 0, 500)).isEqualTo(bytes(0, 500));
      assertThat(readFully(file, 500, 500)).isEqualTo(bytes(500, 500));
      assertThat(reads()).hasSize(1);
      assertThat(heir.requests()).hasSize(2);
      assertThat(client().counters().retries()).isEqualTo(1);
      assertThat(client().counters().fallbacks()).isZero();
    }
  }

  @Test
  void withoutNodesTheOriginIsReadAndANodeThatComesIsFound() throws Exception {
    deployment.view(BufferMode.FULL_DELAY);
    try (var file = open(Map.of())) {
      assertThat(readFully(file, 0, 10)).isEqualTo(bytes(0, 10));
      assertThat(bytesFrom(Source.FALLBACK)).isEqualTo(10);
      assertThat(file.read(LENGTH - 5, ByteBuffer.allocate(9))).as("bytes read").isEqualTo(5);
      deployment.view(BufferMode.FULL_DELAY, at("n", node));
      assertThat(readFully(file, 10, 10)).isEqualTo(bytes(10, 10));
      assertThat(reads()).hasSize(1);
      assertThat(client().counters().fallbacks()).isEqualTo(2);
    }
  }

  @Test
  void whenTheLastNodeLeavesUnderAReadTheOriginIsRead() throws Exception {
    behaviour =
        (peer, id, request) -> {
          deployment.view(BufferMode.FULL_DELAY);
          peer.send(id, new Failure(ErrorCode.UNAVAILABLE, "stopping"));
        };
    try (var file = open(Map.of("eley.client.retries", "5"))) {
      assertThat(readFully(file, 0, 10)).isEqualTo(bytes(0, 10));
      assertThat(reads()).hasSize(1);
      assertThat(client().counters().retries()).isEqualTo(1);
      assertThat(bytesFrom(Source.FALLBACK)).isEqualTo(10);
    }
  }

  @Test
  void aFallbackNeverMixesVersions() throws Exception {
    behaviour = (peer, id, request) -> peer.send(id, new Failure(ErrorCode.NO_SPACE, "full"));
    try (var file = open(Map.of())) {
      Path path = deployment.origin.resolve("f");
      Files.setLastModifiedTime(path, FileTime.fromMillis(file.status().modifiedMillis() + 60_000));
      failsWith(ErrorCode.STALE_VERSION, () -> file.read(0, ByteBuffer.allocate(1)));
    }
  }

  @Test
  void withoutABufferOnTheReadPathNoNodeIsAsked() throws Exception {
    deployment.view(BufferMode.NAIVE_BB, at("n", node));
    try (var file = open(Map.of())) {
      assertThat(readFully(file, 3, LENGTH - 3)).isEqualTo(bytes(3, LENGTH - 3));
      assertThat(bytesFrom(Source.DIRECT)).isEqualTo(LENGTH - 3);
      assertThat(file.read(LENGTH - 5, ByteBuffer.allocate(9))).as("bytes read").isEqualTo(5);
      assertThat(client().counters().fallbacks()).isZero();
      assertThat(node.connections()).isZero();
    }
  }

  @Test
  void vectoredReadsComeInTheOrderTheyWereAskedFor() throws Exception {
    var ranges =
        List.of(
            new ByteRange(4L * BLOCK - 5, 10), new ByteRange(0, 1), new ByteRange(77, 2L * BLOCK));
    var allocated = new ArrayList<Integer>();
    try (var file = open(Map.of())) {
      var reads =
          file.readVectored(
              ranges,
              length -> {
                synchronized (allocated) {
                  allocated.add(length);
                }
                return ByteBuffer.allocate(length);
              });
      for (int i = 0; i < ranges.size(); i++) {
        ByteBuffer got = reads.get(i).join();
        assertThat(got.remaining()).isEqualTo((int) ranges.get(i).length());
        byte[] content = new byte[got.remaining()];
        got.get(content);
        assertThat(content)
            .isEqualTo(bytes((int) ranges.get(i).offset(), (int) ranges.get(i).length()));
      }
      assertThat(allocated).containsExactlyInAnyOrder(10, 1, 2 * BLOCK);
      var beyond = file.readVectored(List.of(new ByteRange(LENGTH, 1)), ByteBuffer::allocate);
      assertThatThrownBy(() -> beyond.get(0).join())
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(EleyException.class);
    }
  }

  @Test
  void vectoredRangesThatAreNearEachOtherAreOneRequest() throws Exception {
    try (var file = open(Map.of())) {
      var ranges = new ArrayList<ByteRange>();
      for (int i = 0; i < 16; i++) {
        ranges.add(new ByteRange(BLOCK + 20L * i, 10));
      }
      var reads = file.readVectored(ranges, ByteBuffer::allocate);
      for (int i = 0; i < 16; i++) {
        assertThat(reads.get(i).join().array()).isEqualTo(bytes(BLOCK + 20 * i, 10));
      }
      assertThat(reads()).hasSize(1);
      assertThat(reads().get(0).length()).isEqualTo(310);
    }
  }

  /** Or the nodes would fetch from the file system one after the other. */
  @Test
  void rangesOfOneCallAreAskedOfAllNodesBeforeOneIsWaitedFor() throws Exception {
    var both = new CyclicBarrier(2);
    ScriptedServer.Script meeting =
        (peer, id, request) -> {
          if (request instanceof ReadBlock) {
            meet(both);
          }
          serve(peer, id, request);
        };
    behaviour = meeting;
    deployment.view(BufferMode.FULL_DELAY, at("n", node), at("m", deployment.node(meeting)));
    try (var file = open(Map.of())) {
      var ranges = List.of(new ByteRange(7, 10), new ByteRange(BLOCK + CHUNK, 10));
      var reads = file.readVectored(ranges, ByteBuffer::allocate);
      for (int i = 0; i < 2; i++) {
        byte[] bytes = reads.get(i).get(30, TimeUnit.SECONDS).array();
        assertThat(bytes).isEqualTo(bytes((int) ranges.get(i).offset(), 10));
      }
    }
    assertThat(node.requests().stream().filter(ReadBlock.class::isInstance)).hasSize(1);
  }

  private static void meet(CyclicBarrier both) throws IOException {
    try {
      both.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IOException(e);
    }
  }

  @Test
  void rangesThatHaveNotBegunWhenTheFileIsClosedFail() throws Exception {
    var file = open(Map.of());
    file.close();
    var large = new ByteRange(0, RangeReads.LARGE);
    for (var ranges : List.of(List.of(new ByteRange(7, 10)), List.of(large))) {
      var read = file.readVectored(ranges, ByteBuffer::allocate).get(0);
      assertThatThrownBy(() -> read.get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(EleyException.class)
          .hasMessageContaining("closed");
    }
    assertThat(reads()).isEmpty();
  }

  @Test
  void aScanAsksForEachFurtherBlockOnceAndForNoneBehindTheEnd() throws Exception {
    try (var file = open(Map.of("eley.client.read-ahead", "true"))) {
      for (int at = 0; at < LENGTH; at += CHUNK) {
        int length = Math.min(CHUNK, LENGTH - at);
        assertThat(readFully(file, at, length)).isEqualTo(bytes(at, length));
      }
      // Nobody waits for them, and connections overtake each other on the way to the node.
      await().until(() -> readsAhead().size() >= 5);
      assertThat(readsAhead())
          .extracting(r -> r.block().index())
          .containsExactlyInAnyOrder(1, 2, 3, 4, 5);
      assertThat(readsAhead()).allMatch(r -> r.offset() == 0 && r.length() == 1 && !r.verify());
    }
  }

  @Test
  void aStreamThatAsksForNothingAheadReadsWhatItIsTold() throws Exception {
    try (var file = open(Map.of("eley.client.read-ahead", "false"))) {
      readFully(file, 0, LENGTH);
      assertThat(reads()).hasSize(6).allMatch(r -> r.cause() == ReadCause.DEMAND);
    }
  }

  private BbFile open(Map<String, String> more) throws Exception {
    opened = deployment.client(more);
    return opened.openFile("/f");
  }

  private EleyClient client() {
    return Objects.requireNonNull(opened);
  }

  private long bytesFrom(Source source) {
    return client().counters().bytes(source);
  }

  /** A node that has everything, and checksums where they are asked for. */
  private void serve(ScriptedServer.Peer peer, long id, Message request) throws IOException {
    var read = (ReadBlock) request;
    var sums = read.verify() ? checksums(read) : List.<Integer>of();
    peer.data(
        id,
        new BlockData(read.offset(), true, true, sums),
        read.length(),
        of(read, 0, read.length()));
  }

  private List<Integer> checksums(ReadBlock read) {
    var sums = new ArrayList<Integer>();
    for (int at = 0; at < read.length(); at += CHUNK) {
      var crc = new CRC32C();
      crc.update(of(read, at, Math.min(CHUNK, read.length() - at)));
      sums.add((int) crc.getValue());
    }
    return sums;
  }

  private byte[] of(ReadBlock read, int from, int length) {
    return bytes(read.block().index() * BLOCK + read.offset() + from, length);
  }

  private byte[] bytes(int at, int length) {
    return Arrays.copyOfRange(content, at, at + length);
  }

  private List<ReadBlock> reads() {
    return node.requests().stream()
        .filter(ReadBlock.class::isInstance)
        .map(ReadBlock.class::cast)
        .toList();
  }

  private List<ReadBlock> readsAhead() {
    return reads().stream().filter(r -> r.cause() == ReadCause.READ_AHEAD).toList();
  }

  private static byte[] readFully(BbFile file, int position, int length) throws Exception {
    var target = ByteBuffer.allocate(length);
    file.readFully(position, target);
    return target.array();
  }
}
