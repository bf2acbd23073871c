package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.NodeMessage.BlocksChanged;
import io.eley.bb.api.wire.NodeMessage.FetchBlocks;
import io.eley.bb.api.wire.NodeMessage.FreeBlocks;
import io.eley.bb.api.wire.NodeMessage.GrantPermit;
import io.eley.bb.api.wire.NodeMessage.PermitApplied;
import io.eley.bb.api.wire.NodeMessage.Register;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class CoordinatorLinkTest {
  private static final View VIEW =
      new View(
          new ClusterView(7, BlockGeometry.DEFAULT, BufferMode.FULL_DELAY, List.of()), "/origin");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final List<FakeUplink> uplinks = new CopyOnWriteArrayList<>();
  private final AtomicInteger dials = new AtomicInteger();
  private final Node node = new Node();
  private final BlockChanges changes = new BlockChanges();
  private volatile @Nullable EleyException refusal;
  private volatile boolean scarce;
  private volatile CompletableFuture<Message> toChange = FakeUplink.ok();
  private final CoordinatorLink link =
      new CoordinatorLink(node, this::dial, Duration.ofDays(1), changes);

  private Uplink dial(java.util.function.Consumer<Message> pushes) throws EleyException {
    dials.incrementAndGet();
    if (scarce) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    @Nullable EleyException no = refusal;
    if (no != null) {
      throw no;
    }
    var uplink = new FakeUplink(pushes, this::answer);
    uplinks.add(uplink);
    return uplink;
  }

  private CompletableFuture<Message> answer(Message message) {
    return switch (message.type()) {
      case REGISTER -> CompletableFuture.completedFuture(VIEW);
      case BLOCKS_CHANGED -> toChange;
      default -> FakeUplink.ok();
    };
  }

  private FakeUplink join() throws EleyException {
    link.start();
    link.awaitRegistered(PATIENCE);
    return uplinks.get(uplinks.size() - 1);
  }

  @AfterEach
  void close() {
    link.close();
    assertThat(uplinks).allMatch(u -> !u.isOpen());
  }

  @Test
  void registersThenReportsTheInventory() throws EleyException {
    node.inventory.add(block(3));
    var uplink = join();

    await().until(() -> !uplink.requests(BlocksChanged.class).isEmpty());

    assertThat(uplink.requests.get(0)).isEqualTo(new Register(node.address("127.0.0.9"), 42));
    assertThat(uplink.requests(BlocksChanged.class))
        .containsExactly(new BlocksChanged(node.id(), List.of(block(3)), List.of(), List.of()));
    assertThat(node.views).containsExactly(VIEW);
  }

  @Test
  void reportsAChangeAtOnce() throws EleyException {
    var uplink = join();

    changes.committed(block(1));

    await()
        .untilAsserted(
            () ->
                assertThat(uplink.requests(BlocksChanged.class))
                    .extracting(BlocksChanged::arrived)
                    .containsExactly(List.of(block(1))));
  }

  @Test
  void eachPermitIsConfirmedWithTheNodesCountersAlsoWhenItChangesNothing() throws EleyException {
    var uplink = join();

    uplink.pushes.accept(new GrantPermit(permit(5)));
    uplink.pushes.accept(new GrantPermit(permit(6)));

    assertThat(uplink.sent)
        .containsExactly(
            new PermitApplied(node.id(), 5, node.counters()),
            new PermitApplied(node.id(), 6, node.counters()));
  }

  @Test
  void aLinkThatTheSystemGivesNoThreadTriesAgain() throws EleyException {
    scarce = true;
    link.start();
    await().until(() -> dials.get() > 1);
    scarce = false;

    link.awaitRegistered(PATIENCE);

    assertThat(uplinks).hasSize(1);
  }

  @Test
  void looksAnewForACoordinatorThatFallsSilent() throws EleyException {
    try (var impatient =
        new CoordinatorLink(node, this::dial, Duration.ofMillis(50), new BlockChanges())) {
      impatient.start();
      impatient.awaitRegistered(PATIENCE);

      await().until(() -> uplinks.size() > 1 && !uplinks.get(1).requests.isEmpty());

      assertThat(uplinks.get(0).isOpen()).isFalse();
      assertThat(uplinks.get(1).requests.get(0)).isInstanceOf(Register.class);
    }
  }

  @Test
  void confirmsAPermitAtOnceThoughAnOrderIsStillBeingCarriedOut() throws EleyException {
    var uplink = join();
    uplink.pushes.accept(new FetchBlocks(BlockPart.whole(List.of(block(1)))));
    node.hold = new CountDownLatch(1);
    uplink.pushes.accept(new FreeBlocks(List.of(block(2))));
    uplink.pushes.accept(new DropScratch("app", DropScratch.ALL));

    uplink.pushes.accept(new GrantPermit(permit(5)));

    assertThat(uplink.sent).containsExactly(new PermitApplied(node.id(), 5, node.counters()));
    assertThat(node.permits).containsExactly(permit(5));
    node.hold.countDown();
    await()
        .untilAsserted(
            () ->
                assertThat(node.orders)
                    .containsExactly("forget", "fetch [1]", "free [2]", "drop app"));
  }

  @Test
  void aPermitThatIsOlderIsNotConfirmed() throws EleyException {
    var uplink = join();
    node.refusePermits = true;

    uplink.pushes.accept(new GrantPermit(permit(5)));

    assertThat(uplink.sent).isEmpty();
  }

  @Test
  void aPermitOfAFormerConnectionIsIgnored() throws EleyException {
    node.inventory.add(block(1));
    var former = join();
    former.close();
    await()
        .untilAsserted(
            () -> {
              assertThat(uplinks).hasSize(2);
              assertThat(uplinks.get(1).requests).hasSizeGreaterThan(1);
            });

    former.pushes.accept(new GrantPermit(permit(5)));

    assertThat(node.permits).isEmpty();
    assertThat(uplinks).hasSize(2).allMatch(u -> u.sent.isEmpty());
  }

  @Test
  void ordersOfAFormerConnectionAreForgottenOrIgnored() throws EleyException {
    var former = join();
    former.pushes.accept(new FetchBlocks(BlockPart.whole(List.of(block(1)))));
    former.close();
    await().untilAsserted(() -> assertThat(uplinks).hasSize(2));

    former.pushes.accept(new FetchBlocks(BlockPart.whole(List.of(block(2)))));
    uplinks.get(1).pushes.accept(new FetchBlocks(BlockPart.whole(List.of(block(3)))));

    await()
        .untilAsserted(
            () ->
                assertThat(node.orders)
                    .containsExactlyInAnyOrder("forget", "fetch [1]", "forget", "fetch [3]"));
    assertThat(node.orders.subList(0, 2)).containsExactly("forget", "fetch [1]");
  }

  @Test
  void comesBackAndRegistersAgainWhenTheConnectionIsLost() throws EleyException {
    node.inventory.add(block(1));
    join().close();

    await().untilAsserted(() -> assertThat(uplinks).hasSize(2));
    await()
        .untilAsserted(
            () ->
                assertThat(uplinks.get(1).requests(BlocksChanged.class))
                    .extracting(BlocksChanged::arrived)
                    .containsExactly(List.of(block(1))));
    assertThat(uplinks.get(1).requests.get(0)).isInstanceOf(Register.class);
    assertThat(node.coordinators).hasValue(2);
  }

  /**
   * As after a new secret: that the connection was lost is not all that there is to know. The links
   * of other tests log, too, but neither of these.
   */
  @Test
  void saysOnceOfEachReasonWhyItDoesNotComeBack() throws EleyException {
    FakeUplink first = join();
    var logger = (Logger) LoggerFactory.getLogger(CoordinatorLink.class);
    var log = new ListAppender<ILoggingEvent>();
    log.start();
    logger.addAppender(log);
    try {
      refusal = new EleyException(ErrorCode.UNAVAILABLE, "nobody listens");
      first.close();
      awaitDials(3);
      refusal = new EleyException(ErrorCode.UNAUTHENTICATED, "wrong secret");
      awaitDials(3);
    } finally {
      logger.detachAppender(log);
    }
    List<String> lines;
    synchronized (log) { // as its callers do
      lines = log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
    assertThat(lines).filteredOn(line -> line.contains("wrong secret")).hasSize(1);
    assertThat(lines).as("it was lost").noneMatch(line -> line.contains("nobody listens"));
  }

  private void awaitDials(int more) {
    int before = dials.get();
    await().until(() -> dials.get() >= before + more);
  }

  @Test
  void registersAgainWhenTheCoordinatorDoesNotKnowIt() throws EleyException {
    toChange = FakeUplink.failure(ErrorCode.NOT_REGISTERED);
    node.inventory.add(block(1));
    join();

    await().untilAsserted(() -> assertThat(uplinks).hasSizeGreaterThan(1));
    toChange = FakeUplink.ok();
    await()
        .untilAsserted(
            () -> assertThat(uplinks.get(uplinks.size() - 1).requests).hasSizeGreaterThan(1));
  }

  @Test
  void waitsForACoordinatorThatIsNotThereYet() throws EleyException {
    refusal = new EleyException(ErrorCode.UNAVAILABLE, "connection refused");
    link.start();
    await().untilAsserted(() -> assertThat(dials).hasValueGreaterThan(2));

    refusal = null;

    link.awaitRegistered(PATIENCE);
    assertThat(node.views).hasSize(1);
  }

  @Test
  void givesUpAfterItsPatienceAndSaysWhatItMet() {
    refusal = new EleyException(ErrorCode.UNAVAILABLE, "connection refused by 127.0.0.1:9");
    link.start();
    // The link notes what it met when a dial has ended, before the next.
    await().untilAsserted(() -> assertThat(dials).hasValueGreaterThan(1));

    assertThatThrownBy(() -> link.awaitRegistered(Duration.ofMillis(100)))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("could not join a coordinator")
        .hasMessageContaining("connection refused by 127.0.0.1:9");
  }

  @Test
  void givesUpAtOnceWhenTheSecretIsWrong() {
    refusal = new EleyException(ErrorCode.UNAUTHENTICATED, "wrong secret");
    link.start();

    assertThatThrownBy(() -> link.awaitRegistered(Duration.ofDays(1)))
        .hasMessageContaining("wrong secret");
  }

  @Test
  void givesUpAtOnceWhenTheNodeCannotWorkInThisDeployment() {
    node.unusable = new EleyException(ErrorCode.NOT_FOUND, "the origin does not exist");
    link.start();

    assertThatThrownBy(() -> link.awaitRegistered(Duration.ofDays(1)))
        .hasMessageContaining("the origin does not exist");
  }

  private static Permit permit(long sequence) {
    return new Permit(
        sequence, Permit.Lane.CLOSED, Permit.Lane.CLOSED, Duration.ofSeconds(2), "a phase");
  }

  private static BlockId block(int index) {
    return new BlockId(new FileVersion("/f", 1L << 40, 1), index);
  }

  private static final class Node implements LinkedNode {
    final List<BlockId> inventory = new CopyOnWriteArrayList<>();
    final List<View> views = new CopyOnWriteArrayList<>();
    final List<Permit> permits = new CopyOnWriteArrayList<>();
    final List<String> orders = new CopyOnWriteArrayList<>();
    final AtomicInteger coordinators = new AtomicInteger();
    volatile boolean refusePermits;
    volatile @Nullable EleyException unusable;
    volatile CountDownLatch hold = new CountDownLatch(0);

    @Override
    public List<ReadTime> readsUnderWay() {
      return List.of();
    }

    @Override
    public NodeId id() {
      return new NodeId("n1");
    }

    @Override
    public NodeAddress address(String localHost) {
      return new NodeAddress(id(), localHost, 4711, "machine");
    }

    @Override
    public long capacityBytes() {
      return 42;
    }

    @Override
    public void acceptNewCoordinator() {
      coordinators.incrementAndGet();
    }

    @Override
    public void setView(View view) throws EleyException {
      @Nullable EleyException no = unusable;
      if (no != null) {
        throw no;
      }
      views.add(view);
    }

    @Override
    public boolean permit(Permit permit) {
      return !refusePermits && permits.add(permit);
    }

    @Override
    public void fetch(List<BlockPart> parts) {
      orders.add("fetch " + parts.stream().map(p -> p.block().index()).toList());
    }

    @Override
    public void free(List<BlockId> blocks) {
      try {
        hold.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      orders.add("free " + blocks.stream().map(BlockId::index).toList());
    }

    @Override
    public void forgetOrders() {
      orders.add("forget");
    }

    @Override
    public void dropScratch(DropScratch which) {
      orders.add("drop " + which.application());
    }

    @Override
    public NodeCounters counters() {
      return new NodeCounters(42, 0, 0, 0, 0, Map.of(), 0, 0, 0, false, 0);
    }

    @Override
    public Collection<BlockId> inventory() {
      return inventory;
    }
  }
}
