package io.eley.bb.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.MapOutput;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.StayCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {
  private static final FileVersion FILE = new FileVersion("/in/päth", 1L << 40, 1_700_000_000_123L);
  private static final BlockId BLOCK = new BlockId(FILE, 77);
  private static final NodeAddress NODE =
      new NodeAddress(new NodeId("n1"), "127.0.0.2", 4711, "boot");
  private static final Endpoints ENDS =
      new Endpoints(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 4712),
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711));
  private static final StageId STAGE = new StageId("app-1", 3, 1);
  private static final NodeCounters COUNTERS =
      new NodeCounters(9, 8, 7, 6, 5, Map.of(ReadCause.PREFETCH, 4L), 3, 2, 1, true, 0);
  private static final OriginStatus STATUS =
      new OriginStatus("/in", true, 0, 12, 0755, "ada", "users");

  private static List<Message> samples() {
    return List.of(
        new HandshakeMessage.Hello(1, new byte[32]),
        new HandshakeMessage.KeyedHello(1, new byte[32], "1000-ab"),
        new HandshakeMessage.Challenge(
            new byte[32], Identity.COORDINATOR, ENDS, Protection.ENCRYPTED, new byte[32]),
        new HandshakeMessage.Proof(
            Identity.CLIENT, Identity.node(new NodeId("n1")), ENDS, new byte[32]),
        new ReplyMessage.Ok(),
        new PingMessage(),
        new ReplyMessage.Failure(ErrorCode.NO_SPACE, "no room"),
        new BlockMessage.ReadBlock(BLOCK, 1 << 20, 5, 6, ReadCause.DEMAND, true),
        new BlockMessage.BlockData(5, true, false, List.of(1, -2)),
        new BlockMessage.OpenLocal(BLOCK, 1 << 20),
        new BlockMessage.LocalBlock("/dev/shm/x", 12, List.of(1, -2)),
        new BlockMessage.ReleaseLocal(12, 99),
        new BlockMessage.BlockDamaged(BLOCK),
        new MetadataMessage.GetView(),
        new MetadataMessage.View(
            new ClusterView(8, BlockGeometry.DEFAULT, BufferMode.NO_ACTION, List.of(NODE)), "/mnt"),
        new MetadataMessage.GetStatus("/in", true),
        new MetadataMessage.Status(STATUS, Duration.ofMillis(500)),
        new MetadataMessage.GetListing("/in", "a"),
        new MetadataMessage.Listing(List.of(STATUS), true),
        new MetadataMessage.Forget("/in"),
        new MetadataMessage.StatusesChanged(7),
        new MetadataMessage.StatusesSeen(7),
        new PlanMessage.StartApplication("app-1", "WordCount"),
        new PlanMessage.WaveSize("app-1", 512),
        new PlanMessage.PlanStage(
            STAGE,
            List.of(new Split(4, List.of(new FileSlice("/in", new ByteRange(1, 2))), true)),
            true),
        new PlanMessage.TentativeStage(STAGE),
        new PlanMessage.TaskRead(
            STAGE, 3, List.of(new FileSlice("/in", new ByteRange(1, 2))), 1_000),
        new PlanMessage.OutputsStayed("app-1", List.of(new Stayed(StayCause.NO_ROOM, 3, 1L << 33))),
        new PlanMessage.TasksEnded(STAGE, List.of(1, 2, 3)),
        new PlanMessage.StageEnded(STAGE),
        new PlanMessage.EndApplication("app-1"),
        new PhaseMessage.BeginPhase("climate", Duration.ofSeconds(3)),
        new PhaseMessage.EndPhase("climate"),
        new PhaseMessage.PhaseHeld(8, 7, 1234),
        new PhaseMessage.PhaseEnded(true),
        new PhaseMessage.GetReport(),
        new PhaseMessage.GetWhy("/in@7"),
        new PhaseMessage.Why(List.of("because")),
        new PhaseMessage.Report(
            new DeploymentReport(
                BufferMode.FULL_DELAY,
                "/mnt",
                3,
                4,
                "why",
                List.of(new DeploymentReport.PhaseReport("climate", "announced", 100, 7)),
                new DeploymentReport.Control(
                    "full-delay",
                    List.of(new DeploymentReport.SourceReport("slurm", "lost", 9, "denied")),
                    List.of(new DeploymentReport.ForecastReport("climate", -3, 9, 80)),
                    List.of("model")),
                List.of(new DeploymentReport.NodeReport("n1", "h", 1, 2, COUNTERS)),
                List.of(
                    new DeploymentReport.ApplicationReport(
                        "a",
                        "b",
                        1,
                        2,
                        3,
                        4,
                        5,
                        6,
                        List.of(new Stayed(StayCause.NO_ANSWER, 7, 1L << 33)))))),
        new NodeMessage.Register(NODE, 1L << 35),
        new NodeMessage.BlocksChanged(
            new NodeId("n1"),
            List.of(BLOCK),
            List.of(BLOCK),
            List.of(BLOCK),
            List.of(BLOCK),
            List.of(new NodeMessage.FailedFetch(BLOCK, ErrorCode.ORIGIN_HUNG))),
        new NodeMessage.PermitApplied(new NodeId("n1"), 42, COUNTERS),
        new NodeMessage.GrantPermit(
            new Permit(42, Permit.Lane.CLOSED, Permit.Lane.OPEN, Duration.ofSeconds(2), "hold")),
        new NodeMessage.OriginRead(
            new NodeId("n1"),
            List.of(new ReadTime(5_000, 30_000_000, 1 << 20, 4)),
            List.of(new ReadTime(0, 7_000_000, 1 << 20, 3.5))),
        new NodeMessage.FetchBlocks(
            List.of(BlockPart.whole(BLOCK), new BlockPart(BLOCK, PageSet.range(3, 200)))),
        new NodeMessage.FreeBlocks(List.of(BLOCK)),
        new FallbackMessage.AskFallback("c", ReadCause.DIRECT, 7, 3, -5, 6),
        new FallbackMessage.FallbackLane(9, Duration.ofMillis(500)),
        new ScratchMessage.OpenScratch("app-1", Map.of("spark.authenticate", "true"), "s"),
        new ScratchMessage.ScratchOpened("eley-n1-0", 7337, "/dev/shm/x/blocks"),
        new ScratchMessage.ReserveScratch(
            new MapOutput("app-1", 0, 5),
            "eley-n1-0",
            List.of(new ScratchMessage.Part("checksum.ADLER32", 8))),
        new ScratchMessage.ScratchReserved(3, "/ram/incoming/7.given", 8),
        new ScratchMessage.WriteScratch(3, 1, 1L << 40, 3),
        new ScratchMessage.CommitScratch(3),
        new ScratchMessage.AbandonScratch(4),
        new ScratchMessage.DropScratch("app-1", ScratchMessage.DropScratch.ALL),
        new BoardMessage.AskBoard(7, 3, "fuse:pfs"),
        new BoardMessage.BoardView(
            3,
            List.of(new BoardMessage.OpenPhase("climate", "counters+slurm", 0.5, 7, 8)),
            List.of(new BoardMessage.ExpectedPhase("climate", -3, -2, 1, 9, 0.5)),
            List.of(new BoardMessage.WatchedSource("counters", "lost", 7)),
            1L << 40,
            2));
  }

  static LongStream seeds() {
    Long replay = Long.getLong("eley.test.seed");
    return replay != null
        ? LongStream.of(replay)
        : new Random(Long.getLong("eley.test.base", System.nanoTime())).longs(200);
  }

  @Test
  void everyMessageTypeHasASampleAndComesBackEqual() throws Exception {
    assertThat(samples()).extracting(Message::type).containsExactlyInAnyOrder(MessageType.values());
    for (Message sample : samples()) {
      ByteBuffer frame = Codec.encode(sample, 99);
      FrameHeader header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
      assertThat(header.correlation()).isEqualTo(99);
      assertThat(header.bodyLength()).isEqualTo(frame.remaining());
      assertThat(Codec.decode(header, frame)).isEqualTo(sample);
    }
  }

  @Test
  void everyTruncationIsMalformed() throws Exception {
    for (Message sample : samples()) {
      ByteBuffer frame = Codec.encode(sample, 1);
      FrameHeader header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
      for (int length = 0; length < header.bodyLength(); length++) {
        ByteBuffer cut = frame.slice(frame.position(), length);
        assertThatThrownBy(() -> Codec.decode(header, cut)).satisfies(CodecTest::malformed);
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void randomBytesAreMalformedOrAMessageAndNothingElse(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      byte[] body = new byte[random.nextInt(120)];
      random.nextBytes(body);
      // Small numbers make lengths plausible, which is where a careless reader allocates.
      for (int at = 0; at + 4 <= body.length; at += 4) {
        body[at] = 0;
        body[at + 1] = 0;
      }
      var header = new FrameHeader(body.length, 0, random.nextInt(128), 1);
      try {
        assertThat(Codec.decode(header, ByteBuffer.wrap(body))).isNotNull();
      } catch (EleyException e) {
        malformed(e);
      }
    }
  }

  @Test
  void headersThatAnnounceTooMuchAreRefusedBeforeAnythingIsRead() {
    var tooLong = ByteBuffer.allocate(FrameHeader.BYTES);
    new FrameHeader(513, 0, 1, 1).encode(tooLong);
    assertThatThrownBy(() -> FrameHeader.decode(tooLong.flip(), FrameHeader.MAX_HANDSHAKE_BODY))
        .satisfies(CodecTest::malformed)
        .hasMessageContaining("513")
        .hasMessageContaining("512");
    var negative = ByteBuffer.allocate(FrameHeader.BYTES);
    negative.putInt(-1).position(0);
    assertThatThrownBy(() -> FrameHeader.decode(negative, FrameHeader.MAX_BODY))
        .satisfies(CodecTest::malformed);
    var payload = ByteBuffer.allocate(FrameHeader.BYTES);
    new FrameHeader(0, 10, MessageType.OK.number(), 1).encode(payload);
    assertThatThrownBy(() -> FrameHeader.decode(payload.flip(), FrameHeader.MAX_BODY))
        .satisfies(CodecTest::malformed);
  }

  @Test
  void trailingBytesAreMalformed() {
    byte[] extra = Arrays.copyOf(new byte[0], 1);
    assertThatThrownBy(
            () ->
                Codec.decode(
                    new FrameHeader(1, 0, MessageType.OK.number(), 1), ByteBuffer.wrap(extra)))
        .satisfies(CodecTest::malformed);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, PageSet.MOST / 64 + 1, 2, 4})
  void pagesThatNoBlockHasAreMalformed(int words) throws Exception {
    ByteBuffer frame =
        Codec.encode(
            new NodeMessage.FetchBlocks(
                List.of(new BlockPart(BLOCK, PageSet.range(128, PageSet.MOST)))),
            1);
    FrameHeader header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
    int count = frame.position() + header.bodyLength() - PageSet.MOST / 8 - 4;
    assertThat(frame.getInt(count)).isEqualTo(PageSet.MOST / 64);
    frame.putInt(count, words);
    assertThatThrownBy(() -> Codec.decode(header, frame)).satisfies(CodecTest::malformed);
  }

  private static void malformed(Throwable e) {
    assertThat(e)
        .isInstanceOfSatisfying(
            EleyException.class, x -> assertThat(x.code()).isEqualTo(ErrorCode.MALFORMED));
  }
}
