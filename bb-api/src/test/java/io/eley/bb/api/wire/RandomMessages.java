package io.eley.bb.api.wire;

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
import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.Seed;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.StayCause;
import io.eley.bb.api.UnderWay;
import io.eley.bb.api.edge.NameRule;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** Messages of every type with random contents, as wild as the type allows. */
final class RandomMessages {
  private final Random random;

  RandomMessages(Random random) {
    this.random = random;
  }

  Message of(MessageType type) {
    return switch (type) {
      case HELLO -> new HandshakeMessage.Hello(int32(), bytes());
      case KEYED_HELLO ->
          new HandshakeMessage.KeyedHello(int32(), bytes(), NameRule.KEY.made("k" + text()));
      case CHALLENGE ->
          new HandshakeMessage.Challenge(
              bytes(), identity(), ends(), one(Protection.values()), bytes());
      case PROOF -> new HandshakeMessage.Proof(identity(), identity(), ends(), bytes());
      case OK -> new ReplyMessage.Ok();
      case ASK_FALLBACK -> {
        int answered = natural();
        long bytes = (long) answered + natural();
        var cause = one(new ReadCause[] {ReadCause.FALLBACK, ReadCause.DIRECT, ReadCause.WRITE});
        yield new FallbackMessage.AskFallback(
            "c" + text(), cause, bytes, answered, int64(), natural());
      }
      case FALLBACK_LANE ->
          new FallbackMessage.FallbackLane(natural(), Duration.ofMillis(natural()));
      case ASK_BOARD -> new BoardMessage.AskBoard(int64() & Long.MAX_VALUE, int64(), name());
      case BOARD_VIEW ->
          new BoardMessage.BoardView(
              int64(),
              list(this::openPhase),
              list(this::expectedPhase),
              list(() -> new BoardMessage.WatchedSource(name(), "fresh", natural())),
              int64() & Long.MAX_VALUE,
              1 + random.nextInt(1 << 20));
      case OPEN_SCRATCH,
          SCRATCH_OPENED,
          RESERVE_SCRATCH,
          SCRATCH_RESERVED,
          WRITE_SCRATCH,
          COMMIT_SCRATCH,
          ABANDON_SCRATCH,
          DROP_SCRATCH ->
          scratch(type);
      case PING -> new PingMessage();
      case FAILURE -> new ReplyMessage.Failure(one(ErrorCode.values()), text());
      case READ_BLOCK, BLOCK_DATA, OPEN_LOCAL, LOCAL_BLOCK, RELEASE_LOCAL, BLOCK_DAMAGED ->
          block(type);
      case GET_VIEW,
          VIEW,
          GET_STATUS,
          STATUS,
          GET_LISTING,
          LISTING,
          FORGET,
          STATUSES_CHANGED,
          STATUSES_SEEN ->
          metadata(type);
      case START_APPLICATION,
          WAVE_SIZE,
          PLAN_STAGE,
          TENTATIVE_STAGE,
          TASK_READ,
          OUTPUTS_STAYED,
          TASKS_ENDED,
          STAGE_ENDED,
          END_APPLICATION ->
          plan(type);
      case BEGIN_PHASE, END_PHASE, PHASE_HELD, PHASE_ENDED, GET_REPORT, REPORT, GET_WHY, WHY ->
          phase(type);
      case REGISTER,
          BLOCKS_CHANGED,
          PERMIT_APPLIED,
          GRANT_PERMIT,
          FETCH_BLOCKS,
          FREE_BLOCKS,
          ORIGIN_READ ->
          node(type);
    };
  }

  private BoardMessage.OpenPhase openPhase() {
    return new BoardMessage.OpenPhase(
        name(), name(), random.nextDouble(), random.nextInt(86_400_001), int64() & Long.MAX_VALUE);
  }

  private BoardMessage.ExpectedPhase expectedPhase() {
    long from = random.nextInt(1000) - 500L;
    long begin = from + random.nextInt(1000);
    return new BoardMessage.ExpectedPhase(
        name(),
        from,
        begin,
        begin + random.nextInt(1000),
        random.nextInt(86_400_001),
        random.nextDouble());
  }

  private Identity identity() {
    return new Identity(one(Identity.Role.values()), longName());
  }

  /** As long as a name may be, but not both in one message: only nodes have names. */
  private String longName() {
    return "n".repeat(random.nextInt(129));
  }

  private Endpoints ends() {
    return new Endpoints(end(), end());
  }

  private InetSocketAddress end() {
    byte[] address = new byte[random.nextBoolean() ? 4 : 16];
    random.nextBytes(address);
    try {
      return new InetSocketAddress(InetAddress.getByAddress(address), random.nextInt(1 << 16));
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private Message scratch(MessageType type) {
    return switch (type) {
      case OPEN_SCRATCH -> new ScratchMessage.OpenScratch(name(), Map.of(text(), text()), text());
      case SCRATCH_OPENED ->
          new ScratchMessage.ScratchOpened(text(), 1 + random.nextInt(65535), text());
      case RESERVE_SCRATCH ->
          new ScratchMessage.ReserveScratch(
              new MapOutput(name(), natural(), natural()),
              text(),
              List.of(
                  new ScratchMessage.Part("data", int64() & (ScratchMessage.Part.BYTES_MAX - 1)),
                  new ScratchMessage.Part("index", natural())));
      case SCRATCH_RESERVED ->
          new ScratchMessage.ScratchReserved(int64(), text(), 1 + random.nextInt(8));
      case WRITE_SCRATCH ->
          new ScratchMessage.WriteScratch(
              int64(),
              natural(),
              int64() & Long.MAX_VALUE,
              1 + random.nextInt(ScratchMessage.PIECE_MAX));
      case COMMIT_SCRATCH -> new ScratchMessage.CommitScratch(int64());
      case ABANDON_SCRATCH -> new ScratchMessage.AbandonScratch(int64());
      case DROP_SCRATCH -> new ScratchMessage.DropScratch(name(), natural() - 1);
      default -> throw new AssertionError(type);
    };
  }

  private Message block(MessageType type) {
    return switch (type) {
      case READ_BLOCK -> {
        int offset = random.nextInt(1 << 30);
        yield new BlockMessage.ReadBlock(
            block(),
            1 + random.nextInt(1 << 30),
            offset,
            1 + random.nextInt(1 << 30),
            random.nextInt(1 << 30),
            cause(),
            flag());
      }
      case BLOCK_DATA -> new BlockMessage.BlockData(int32(), flag(), flag(), list(this::int32));
      case OPEN_LOCAL -> new BlockMessage.OpenLocal(block(), 1 + random.nextInt(1 << 30));
      case LOCAL_BLOCK -> new BlockMessage.LocalBlock(text(), int64(), list(this::int32));
      case BLOCK_DAMAGED -> new BlockMessage.BlockDamaged(block());
      default -> new BlockMessage.ReleaseLocal(int64(), int64());
    };
  }

  private Message metadata(MessageType type) {
    return switch (type) {
      case GET_VIEW -> new MetadataMessage.GetView();
      case VIEW -> new MetadataMessage.View(view(), text());
      case GET_STATUS -> new MetadataMessage.GetStatus(path(), flag());
      case STATUS ->
          new MetadataMessage.Status(status(), Duration.ofMillis(random.nextInt(60_001)));
      case GET_LISTING -> new MetadataMessage.GetListing(path(), text());
      case LISTING -> new MetadataMessage.Listing(list(this::status), flag());
      case STATUSES_CHANGED -> new MetadataMessage.StatusesChanged(int64());
      case STATUSES_SEEN -> new MetadataMessage.StatusesSeen(int64());
      default -> new MetadataMessage.Forget(path());
    };
  }

  private Message plan(MessageType type) {
    return switch (type) {
      case START_APPLICATION -> new PlanMessage.StartApplication(name(), text());
      case WAVE_SIZE -> new PlanMessage.WaveSize(name(), natural());
      case PLAN_STAGE -> new PlanMessage.PlanStage(stage(), list(this::split), flag());
      case TASKS_ENDED -> new PlanMessage.TasksEnded(stage(), list(this::int32));
      case TENTATIVE_STAGE -> new PlanMessage.TentativeStage(stage());
      case TASK_READ -> new PlanMessage.TaskRead(stage(), int32(), list(this::slice), natural());
      case STAGE_ENDED -> new PlanMessage.StageEnded(stage());
      case OUTPUTS_STAYED -> new PlanMessage.OutputsStayed(name(), List.of(stayed()));
      default -> new PlanMessage.EndApplication(name());
    };
  }

  private Message phase(MessageType type) {
    return switch (type) {
      case BEGIN_PHASE -> new PhaseMessage.BeginPhase(name(), Duration.ofMillis(1 + natural()));
      case END_PHASE -> new PhaseMessage.EndPhase(name());
      case PHASE_HELD -> new PhaseMessage.PhaseHeld(int32(), int32(), int64());
      case PHASE_ENDED -> new PhaseMessage.PhaseEnded(flag());
      case GET_REPORT -> new PhaseMessage.GetReport();
      case REPORT -> new PhaseMessage.Report(report());
      case GET_WHY -> new PhaseMessage.GetWhy(text());
      default -> new PhaseMessage.Why(list(this::text));
    };
  }

  private Message node(MessageType type) {
    return switch (type) {
      case REGISTER -> new NodeMessage.Register(address("n" + natural()), int64());
      case BLOCKS_CHANGED ->
          new NodeMessage.BlocksChanged(
              new NodeId("n" + natural()),
              list(this::block),
              list(this::block),
              list(this::block),
              list(this::block),
              list(() -> new NodeMessage.FailedFetch(block(), one(ErrorCode.values()))));
      case PERMIT_APPLIED ->
          new NodeMessage.PermitApplied(new NodeId("n" + natural()), int64(), counters());
      case GRANT_PERMIT ->
          new NodeMessage.GrantPermit(
              new Permit(int64(), lane(), lane(), Duration.ofMillis(1 + natural()), text()));
      case ORIGIN_READ ->
          new NodeMessage.OriginRead(
              new NodeId("n" + natural()), list(this::readTime), list(this::readTime));
      case FETCH_BLOCKS -> new NodeMessage.FetchBlocks(list(this::part));
      default -> new NodeMessage.FreeBlocks(list(this::block));
    };
  }

  private DeploymentReport report() {
    return new DeploymentReport(
        one(BufferMode.values()),
        text(),
        int64(),
        int64(),
        text(),
        list(() -> new DeploymentReport.PhaseReport(text(), text(), int32(), int64())),
        new DeploymentReport.Control(
            text(),
            list(() -> new DeploymentReport.SourceReport(text(), text(), int64(), text())),
            list(() -> new DeploymentReport.ForecastReport(text(), int64(), int64(), int32())),
            list(this::text)),
        list(() -> new DeploymentReport.NodeReport(text(), text(), int32(), int64(), counters())),
        list(
            () ->
                new DeploymentReport.ApplicationReport(
                    text(),
                    text(),
                    int32(),
                    int64(),
                    int64(),
                    int32(),
                    int32(),
                    int64(),
                    list(this::stayed))),
        new DeploymentReport.Totals(
            int32(), int32(), int64(), int64(), int64(), int64(), int64(), int64()));
  }

  private Stayed stayed() {
    return new Stayed(one(StayCause.values()), natural(), natural());
  }

  NodeCounters counters() {
    var causes = new EnumMap<ReadCause, Long>(ReadCause.class);
    for (var cause : ReadCause.values()) {
      if (flag()) {
        causes.put(cause, int64());
      }
    }
    return new NodeCounters(
        int64(),
        int64(),
        int32(),
        int64(),
        int64(),
        causes,
        int64(),
        int32(),
        int64(),
        flag(),
        int32(),
        int32(),
        flag(),
        int64(),
        new NodeCounters.Scratch(
            int64(),
            int64(),
            int64(),
            int64(),
            new NodeCounters.Overflow(int64(), int64(), int64()),
            list(() -> new NodeCounters.Held(text(), int64(), int64(), int32(), int32(), int64()))),
        flag(),
        int64(),
        new UnderWay(int64(), int64()));
  }

  private ClusterView view() {
    int chunk = 4096 << random.nextInt(13);
    var nodes = new ArrayList<NodeAddress>();
    for (int i = random.nextInt(5); i > 0; i--) {
      nodes.add(address("n" + i));
    }
    return new ClusterView(
        int64() & Long.MAX_VALUE,
        new BlockGeometry(chunk * (1 + random.nextInt(64)), chunk),
        one(BufferMode.values()),
        nodes);
  }

  private NodeAddress address(String id) {
    return new NodeAddress(new NodeId(id), name(), 1 + random.nextInt(65535), text());
  }

  private OriginStatus status() {
    return new OriginStatus(
        path(),
        flag(),
        int64() & Long.MAX_VALUE,
        int64(),
        random.nextInt(01000),
        text(),
        text(),
        stamp());
  }

  private Split split() {
    return new Split(natural(), list(this::slice), flag());
  }

  private FileSlice slice() {
    long offset = int64() & Long.MAX_VALUE;
    long most = Long.MAX_VALUE - offset;
    return new FileSlice(path(), new ByteRange(offset, Math.min(most, natural())));
  }

  private BlockId block() {
    return new BlockId(
        new FileVersion(path(), int64() & Long.MAX_VALUE, int64(), stamp()), natural());
  }

  private BlockPart part() {
    int first = random.nextInt(PageSet.MOST / 64);
    var pages = PageSet.range(first, first + 1 + random.nextInt(99));
    return flag() ? BlockPart.whole(block()) : new BlockPart(block(), pages);
  }

  private FileVersion.Stamp stamp() {
    return new FileVersion.Stamp(int64(), int64());
  }

  private StageId stage() {
    return new StageId("app-" + natural(), int32(), int32());
  }

  private ReadTime readTime() {
    return new ReadTime(
        int64() & Long.MAX_VALUE,
        int64() & Long.MAX_VALUE,
        1 + natural(),
        1 + 100 * random.nextDouble());
  }

  private Permit.Lane lane() {
    return new Permit.Lane(int64() & Long.MAX_VALUE, natural(), int64() & Long.MAX_VALUE);
  }

  private String path() {
    return OriginPaths.normalise("/" + text().replaceAll("\\.{2,}", "."));
  }

  private ReadCause cause() {
    return one(ReadCause.values());
  }

  /** A name as it may be, of odd characters. */
  private String name() {
    return NameRule.NODE.made("n" + text());
  }

  private String text() {
    return Seed.text(random, 30);
  }

  private byte[] bytes() {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return bytes;
  }

  private boolean flag() {
    return random.nextBoolean();
  }

  private int int32() {
    return (int) Seed.number(random);
  }

  private int natural() {
    return (int) (Seed.number(random) & Integer.MAX_VALUE - 1);
  }

  private long int64() {
    return Seed.number(random);
  }

  private <T> T one(T[] values) {
    return values[random.nextInt(values.length)];
  }

  private <T> List<T> list(Supplier<T> element) {
    var list = new ArrayList<T>();
    for (int n = random.nextInt(5); n > 0; n--) {
      list.add(element.get());
    }
    return list;
  }
}
