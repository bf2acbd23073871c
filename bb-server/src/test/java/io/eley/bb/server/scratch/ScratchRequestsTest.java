package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage;
import io.eley.bb.api.wire.ScratchMessage.AbandonScratch;
import io.eley.bb.api.wire.ScratchMessage.CommitScratch;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.bb.api.wire.ScratchMessage.Part;
import io.eley.bb.api.wire.ScratchMessage.ReserveScratch;
import io.eley.bb.api.wire.ScratchMessage.ScratchOpened;
import io.eley.bb.api.wire.ScratchMessage.ScratchReserved;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.server.net.KeptReplies;
import io.eley.bb.server.net.ReceivedBytes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of scratch's messages while its one thread is busy. */
@Timeout(60)
class ScratchRequestsTest {
  /** As many messages wait for a thread, and no more. */
  private static final int WAITING_MAX = 2 * PieceGrants.MOST;

  /** Of a node to which all tasks of some hosts write at once. */
  private static final int WRITERS = 240;

  /** As many that each kept a whole window would leave nothing. */
  private static final int EACH = PieceGrants.MOST / ScratchReserved.PIECES_MAX;

  private static final List<Part> PARTS = List.of(new Part("data", 100));

  @TempDir Path root;

  private final CountDownLatch starting = new CountDownLatch(1);
  private final CountDownLatch started = new CountDownLatch(1);
  private final KeptReplies replies = new KeptReplies();
  private final Room room = new Room();
  private final IncomingOutputs mine = new IncomingOutputs();
  private final AtomicLong correlations = new AtomicLong();
  private final List<FakeService> services = new CopyOnWriteArrayList<>();
  private ScratchRequests requests;

  /** No thread can be started any more. */
  private volatile boolean scarce;

  @BeforeEach
  void open() throws EleyException {
    var ledger = new ScratchLedger(new TierRule(new ScratchShare(1 << 20, 1), 0), room);
    var store =
        ScratchStore.open(
            new ScratchDirectories(root.resolve("scratch"), Optional.empty()),
            "n1",
            ledger,
            (directory, question) -> start(question),
            System::nanoTime);
    requests = new ScratchRequests(store, 1, this::thread);
  }

  private Thread thread(Runnable work) {
    if (scarce) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    return new Thread(work);
  }

  private FakeService start(OpenScratch question) throws EleyException {
    if (question.application().equals("failing")) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "told to fail");
    }
    if (question.application().equals("scarce")) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    if (question.application().equals("slow")) {
      try {
        starting.countDown();
        started.await();
      } catch (InterruptedException e) {
        throw new EleyException(ErrorCode.INTERRUPTED, "interrupted", e);
      }
    }
    services.add(new FakeService(1));
    return services.get(services.size() - 1);
  }

  @AfterEach
  void close() {
    started.countDown();
    room.goOn.countDown();
    requests.close();
  }

  /** Room that is given at once, but to one output that has to wait for it, in vain. */
  private static final class Room implements ScratchRoom {
    final AtomicLong reserved = new AtomicLong();
    final CountDownLatch waiting = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    volatile boolean slow;

    @Override
    public boolean reserve(long bytes) {
      if (slow) {
        waiting.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        return false;
      }
      reserved.addAndGet(bytes);
      return true;
    }

    @Override
    public void release(long bytes) {
      reserved.addAndGet(-bytes);
    }

    @Override
    public void refuse(long bytes) {}
  }

  private long ask(ScratchMessage message) {
    long correlation = correlations.incrementAndGet();
    requests.received(replies, mine, correlation, message);
    return correlation;
  }

  private long write(long handle) {
    return write(handle, 1);
  }

  private long write(long handle, int bytes) {
    long correlation = correlations.incrementAndGet();
    var piece = new WriteScratch(handle, 0, 0, bytes);
    requests.received(replies, mine, correlation, piece, ReceivedBytes.of(new byte[bytes]));
    return correlation;
  }

  private Message answer(long correlation) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> replies.all.containsKey(correlation));
    return Objects.requireNonNull(replies.all.get(correlation));
  }

  private static ReserveScratch reserve(int map, ScratchOpened service) {
    return new ReserveScratch(new MapOutput("app-1", 0, map), service.executor(), PARTS);
  }

  private long count(ErrorCode code) {
    return replies.all.values().stream()
        .filter(m -> m instanceof Failure failure && failure.code() == code)
        .count();
  }

  /** Keeps the only thread busy; returns the question that it is busy with. */
  private long occupy(ScratchOpened service) {
    room.slow = true;
    long slow = ask(reserve(1, service));
    await().until(() -> room.waiting.getCount() == 0);
    return slow;
  }

  /** Until no more is taken; returns the question that the thread is busy with. */
  private long fill(ScratchOpened service, ScratchReserved given) {
    long slow = occupy(service);
    for (int i = 0; i < WAITING_MAX; i++) {
      write(given.handle());
    }
    assertThat(answer(write(given.handle())))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    return slow;
  }

  /** A wave of equal map tasks ends, and the node has its hands full. */
  @Test
  void nobodyIsRefusedWhoHasNoMoreUnderWayThanGranted() {
    var service = (ScratchOpened) answer(ask(new OpenScratch("app-1", Map.of(), "")));
    var writers = new ArrayList<ScratchReserved>();
    for (int map = 2; map < WRITERS + 2; map++) {
      writers.add((ScratchReserved) answer(ask(reserve(map, service))));
    }
    assertThat(writers.get(0).pieces()).isEqualTo(ScratchReserved.PIECES_MAX);
    occupy(service);
    for (ScratchReserved writer : writers) {
      for (int i = 0; i < writer.pieces(); i++) {
        write(writer.handle());
      }
    }
    assertThat(replies.all.values())
        .as("while it is busy")
        .doesNotHaveAnyElementsOfTypes(Failure.class);
    room.goOn.countDown();
  }

  @Test
  void whoeverEndsGivesItsPiecesToOthers() {
    var service = (ScratchOpened) answer(ask(new OpenScratch("app-1", Map.of(), "")));
    for (int i = 0; i < EACH; i++) {
      assertThat(commit(0, service).pieces()).isEqualTo(ScratchReserved.PIECES_MAX);
      var given = (ScratchReserved) answer(ask(reserve(0, service)));
      assertThat(given.pieces()).isEqualTo(ScratchReserved.PIECES_MAX);
      assertThat(answer(ask(new AbandonScratch(given.handle())))).isEqualTo(new Ok());
      var halfWay = (ScratchReserved) answer(ask(reserve(0, service)));
      assertThat(answer(ask(new CommitScratch(halfWay.handle())))).isInstanceOf(Failure.class);
      answer(ask(new ReserveScratch(new MapOutput("app-2", 0, 0), "unknown", PARTS)));
    }
    int left = 0;
    while (answer(ask(reserve(left + 1, service))) instanceof ScratchReserved) {
      left++;
    }
    assertThat(left).isGreaterThan(WRITERS);
    requests.closed(mine);
    await().until(() -> room.reserved.get() == IncomingOutput.footprint(PARTS));
    var next = new IncomingOutputs();
    requests.received(replies, next, -1, reserve(0, service));
    assertThat(answer(-1))
        .isInstanceOfSatisfying(
            ScratchReserved.class,
            r -> assertThat(r.pieces()).isEqualTo(ScratchReserved.PIECES_MAX));
  }

  @Test
  void whatIsDroppedIsGivenBackThoughTooMuchIsWaiting() throws Exception {
    var service = (ScratchOpened) answer(ask(new OpenScratch("app-1", Map.of(), "")));
    var whole = (ScratchReserved) answer(ask(reserve(0, service)));
    assertThat(answer(write(whole.handle(), 100))).isEqualTo(new Ok());
    assertThat(answer(ask(new CommitScratch(whole.handle())))).isEqualTo(new Ok());
    var given = (ScratchReserved) answer(ask(reserve(2, service)));
    long slow = fill(service, given);
    assertThat(room.reserved).hasValue(2 * IncomingOutput.footprint(PARTS));

    assertThat(answer(ask(new DropScratch("app-1", 0)))).isEqualTo(new Ok());
    assertThat(room.reserved)
        .as("of the one that is being written, while the thread is busy still")
        .hasValue(IncomingOutput.footprint(PARTS));
    room.goOn.countDown();
    assertThat(answer(slow)).isInstanceOf(Failure.class);
  }

  @Test
  void whatIsGivenUpIsGivenBackThoughTooMuchIsWaiting() throws Exception {
    var service = (ScratchOpened) answer(ask(new OpenScratch("app-1", Map.of(), "")));
    var given = (ScratchReserved) answer(ask(reserve(0, service)));
    assertThat(room.reserved).hasValue(IncomingOutput.footprint(PARTS));
    long slow = fill(service, given);

    assertThat(answer(ask(new AbandonScratch(given.handle())))).isEqualTo(new Ok());
    assertThat(room.reserved).as("while the thread is busy still").hasValue(0);
    room.goOn.countDown();

    assertThat(answer(slow)).isInstanceOf(Failure.class);
    await().until(() -> count(ErrorCode.NOT_FOUND) == WAITING_MAX);
    assertThat(mine.end()).as("left for the end of the connection").isEmpty();
    assertThat(room.reserved).hasValue(0);
    try (var files = Files.walk(root)) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
  }

  @Test
  void whatIsLeftOrDroppedIsGivenBackThoughNoThreadCanBeStarted() throws Exception {
    var service = (ScratchOpened) answer(ask(new OpenScratch("app-1", Map.of(), "")));
    var whole = (ScratchReserved) answer(ask(reserve(0, service)));
    assertThat(answer(write(whole.handle(), 100))).isEqualTo(new Ok());
    assertThat(answer(ask(new CommitScratch(whole.handle())))).isEqualTo(new Ok());
    var half = (ScratchReserved) answer(ask(reserve(1, service)));
    assertThat(answer(write(half.handle(), 50))).isEqualTo(new Ok());
    assertThat(room.reserved).hasValue(2 * IncomingOutput.footprint(PARTS));
    scarce = true;

    requests.closed(mine);
    await().until(() -> room.reserved.get() == IncomingOutput.footprint(PARTS));
    assertThat(answer(ask(new DropScratch("app-1", 0)))).isEqualTo(new Ok());
    assertThat(room.reserved).hasValue(0);
    try (var files = Files.walk(root)) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
  }

  @Test
  void whatIsGivenUpTwiceIsGivenBackOnce() {
    var service = (ScratchOpened) answer(ask(new OpenScratch("app-1", Map.of(), "")));
    var given = (ScratchReserved) answer(ask(reserve(0, service)));
    long one = ask(new AbandonScratch(given.handle()));
    long other = ask(new AbandonScratch(given.handle()));
    assertThat(List.of(answer(one), answer(other))).contains(new Ok());
    assertThat(count(ErrorCode.NOT_FOUND)).isEqualTo(1);
    assertThat(room.reserved).hasValue(0);
  }

  /** Its writer has waited for the answer in vain, and has put it on another node. */
  @Test
  void whatIsGivenUpBehindItsCommitIsGivenBack() throws Exception {
    var service = (ScratchOpened) answer(ask(new OpenScratch("app-1", Map.of(), "")));
    var given = commit(0, service);
    assertThat(room.reserved).hasValue(IncomingOutput.footprint(PARTS));
    assertThat(answer(ask(new AbandonScratch(given.handle())))).isEqualTo(new Ok());
    assertThat(room.reserved).hasValue(0);
    try (var files = Files.walk(root)) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
    assertThat(requests.counters().applications().get(0).outputs()).isZero();
  }

  @Test
  void whatIsGivenUpInItsCommitIsGivenBack() throws Exception {
    var service = (ScratchOpened) answer(ask(new OpenScratch("app-1", Map.of(), "")));
    var given = (ScratchReserved) answer(ask(reserve(0, service)));
    assertThat(answer(write(given.handle(), 100))).isEqualTo(new Ok());
    var abandoned = new CompletableFuture<Long>();
    services.get(0).behindAnswer =
        () -> {
          if (!abandoned.isDone()) { // on its thread, once the commit lets the store go
            abandoned.complete(ask(new AbandonScratch(given.handle())));
          }
        };
    ask(new CommitScratch(given.handle()));
    assertThat(answer(abandoned.get(30, TimeUnit.SECONDS))).isEqualTo(new Ok());
    await().until(() -> room.reserved.get() == 0);
    try (var files = Files.walk(root)) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
  }

  @Test
  void whoGivesUpAnOutputLeavesTheOneThatHasTakenItsPlace() throws Exception {
    var service = (ScratchOpened) answer(ask(new OpenScratch("app-1", Map.of(), "")));
    var first = commit(0, service);
    commit(0, service);
    assertThat(answer(ask(new AbandonScratch(first.handle())))).isEqualTo(new Ok());
    assertThat(room.reserved).hasValue(IncomingOutput.footprint(PARTS));
    try (var files = Files.walk(root)) {
      assertThat(files.filter(Files::isRegularFile)).hasSize(1);
    }
  }

  /** The coordinator's other orders wait behind it. */
  @Test
  void anApplicationsEndIsKnownAtOnceThoughItsServiceTakesItsTime() throws Exception {
    var service = (ScratchOpened) answer(ask(new OpenScratch("app-1", Map.of(), "")));
    commit(0, service);
    var goOn = new CountDownLatch(1);
    services.get(0).inClose =
        () -> {
          try {
            goOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    requests.drop(new DropScratch("app-1", DropScratch.ALL));
    answer(ask(reserve(1, service)));
    assertThat(count(ErrorCode.ENDED)).isEqualTo(1);
    assertThat(room.reserved).as("its service is ending").hasValue(IncomingOutput.footprint(PARTS));
    goOn.countDown();
    await().until(() -> room.reserved.get() == 0);
  }

  private ScratchReserved commit(int map, ScratchOpened service) {
    var given = (ScratchReserved) answer(ask(reserve(map, service)));
    assertThat(answer(write(given.handle(), 100))).isEqualTo(new Ok());
    assertThat(answer(ask(new CommitScratch(given.handle())))).isEqualTo(new Ok());
    return given;
  }

  @Test
  void aServiceThatTheSystemHasNoThreadForIsRefusedAndLeavesNothing() {
    assertThat(answer(ask(new OpenScratch("scarce", Map.of(), ""))))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    assertThat(root.resolve("scratch")).isEmptyDirectory();
  }

  @Test
  void whoseServiceIsKnownDoesNotWaitForAnothersStart() throws Exception {
    Message up = answer(ask(new OpenScratch("app-1", Map.of(), "")));
    Message down = answer(ask(new OpenScratch("failing", Map.of(), "")));
    long slow = ask(new OpenScratch("slow", Map.of(), ""));
    starting.await();

    assertThat(answer(ask(new OpenScratch("app-1", Map.of(), "")))).isEqualTo(up);
    for (Message failed : List.of(down, answer(ask(new OpenScratch("failing", Map.of(), ""))))) {
      assertThat(failed)
          .isInstanceOfSatisfying(
              Failure.class, f -> assertThat(f.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    }
    assertThat(replies.all).as("it is starting still").doesNotContainKey(slow);
    started.countDown();
    assertThat(answer(slow)).isInstanceOf(ScratchOpened.class);
  }
}
