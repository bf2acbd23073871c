package io.eley.bb.server.node;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.error.Remedy;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.NodeMessage.FetchBlocks;
import io.eley.bb.api.wire.NodeMessage.FreeBlocks;
import io.eley.bb.api.wire.NodeMessage.GrantPermit;
import io.eley.bb.api.wire.NodeMessage.OriginRead;
import io.eley.bb.api.wire.NodeMessage.PermitApplied;
import io.eley.bb.api.wire.NodeMessage.Register;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's place in the deployment: connects, registers, reports, obeys; and does it again when
 * the connection is lost.
 *
 * <p>Permits are renewed all the time, and each is confirmed with the node's counters: that is the
 * heartbeat of both sides. No permit for {@code silence} means that the coordinator is gone.
 *
 * <p>Threads. The connection's reader applies permits itself, at once: a hold is as late as the
 * slowest node's confirmation, so nothing may stand before a permit. Views, fetch and free orders
 * go to a thread of their own ({@code orders}), in their order. The link's own thread ({@code
 * link}) dials, registers, sends changes; what it sends is small, so a confirmation never waits
 * long for the socket.
 *
 * <p>States: dialling → registered → lost → dialling … → closed. While not registered nothing needs
 * to be told to the node: its permit expires by itself.
 */
final class CoordinatorLink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CoordinatorLink.class);
  private static final Duration ANSWER = Duration.ofSeconds(5);

  /** Between two reports of reads that are under way. */
  private static final Duration READS = Duration.ofMillis(40);

  private final LinkedNode node;
  private final Uplink.Dialer dialer;
  private final Duration silence;
  private final BlockChanges changes;
  private final RetryDelay backoff =
      new RetryDelay(Duration.ofMillis(100), Duration.ofSeconds(1), new SplittableRandom());
  private final CompletableFuture<Void> registered = new CompletableFuture<>();
  private final ExecutorService orders;
  private final Thread link;

  /** Held while a permit is applied, and while a new connection makes those of former ones void. */
  private final Object issuing = new Object();

  /**
   * Held while counters are read and sent, so that they are sent in the order in which they were
   * read; sending may wait for the socket.
   */
  private final Object confirming = new Object();

  /** Guarded by {@code issuing}. */
  private int generation;

  /** The link's thread alone. */
  private long readsReportedAt = System.nanoTime();

  private volatile boolean closed;
  private volatile long heardAt;
  private volatile @Nullable Uplink current;
  private volatile @Nullable EleyException problem;

  /**
   * A link that is not started.
   *
   * @param silence see {@link NodeKeys#COORDINATOR_SILENCE}
   * @param changes to which store and fetcher report changes of blocks
   */
  CoordinatorLink(LinkedNode node, Uplink.Dialer dialer, Duration silence, BlockChanges changes) {
    this.node = node;
    this.dialer = dialer;
    this.silence = silence;
    this.changes = changes;
    this.orders = Executors.newSingleThreadExecutor(task -> daemon(task, "eley-node-orders"));
    this.link = daemon(this::run, "eley-node-link");
  }

  private static Thread daemon(Runnable task, String name) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Starts both threads: later the system may give none. */
  void start() {
    orders.execute(() -> {});
    link.start();
  }

  /**
   * Waits for the first registration.
   *
   * @throws EleyException {@code UNAVAILABLE} after {@code patience}, saying what the last try met;
   *     at once what no further try would mend
   */
  void awaitRegistered(Duration patience) throws EleyException {
    try {
      registered.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      EleyException last = problem;
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "could not join a coordinator for "
              + patience.toSeconds()
              + " s: "
              + (last == null ? "no answer" : last.getMessage()),
          last);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted while joining", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof EleyException ours
          ? ours
          : new EleyException(ErrorCode.INTERNAL, "defect while joining", e.getCause());
    }
  }

  private void run() {
    while (!closed) {
      int mine = nextGeneration();
      try (Uplink uplink = dialer.dial(message -> pushed(mine, message))) {
        current = uplink;
        register(uplink);
        report(uplink);
        noteLost(new EleyException(ErrorCode.UNAVAILABLE, "the connection has ended"));
      } catch (EleyException e) {
        noteLost(e);
      } catch (OutOfMemoryError e) {
        noteLost(new EleyException(ErrorCode.UNAVAILABLE, e.getMessage() + "", e));
      } catch (RuntimeException e) {
        LOG.error("defect in the link to the coordinator", e);
      } finally {
        current = null;
        changes.discard();
      }
      pause(backoff.next());
    }
  }

  /**
   * A permit or an order that a former connection's reader still holds must not pass for a newer
   * one.
   */
  private int nextGeneration() {
    synchronized (issuing) {
      node.acceptNewCoordinator();
      return ++generation;
    }
  }

  private boolean former(int from) {
    synchronized (issuing) {
      return from != generation;
    }
  }

  private void register(Uplink uplink) throws EleyException {
    // Before the view is applied: changes from here on are newer than the inventory.
    changes.keep();
    // Whoever registers the node knows of no former order, and would free nothing that came of one.
    order(node::forgetOrders);
    NodeAddress address = node.address(uplink.localHost());
    Message answer = answer(uplink.request(new Register(address, node.capacityBytes())));
    if (!(answer instanceof View view)) {
      throw new EleyException(ErrorCode.MALFORMED, "Register was answered by " + answer.type());
    }
    noteJoined(view);
    tellThatItServes(uplink);
    changes.addInventory(node.inventory());
    backoff.reset();
    problem = null;
    LOG.info(
        "node {} at {}:{} has joined in the view of epoch {}",
        address.id(),
        address.host(),
        address.port(),
        view.view().epoch());
  }

  private void noteJoined(View view) throws EleyException {
    try {
      node.setView(view);
    } catch (EleyException e) {
      registered.completeExceptionally(e);
      throw e;
    }
    registered.complete(null);
  }

  /**
   * Permits come and are confirmed while the storage is being opened. Who waits for the node need
   * not wait for the next one, half a second later.
   */
  private void tellThatItServes(Uplink uplink) throws EleyException {
    synchronized (confirming) {
      NodeCounters counters = node.counters();
      if (counters.permitSequence() > 0) {
        uplink.send(new PermitApplied(node.id(), counters.permitSequence(), counters));
      }
    }
  }

  /** Reports changes until the connection ends or has been silent for too long. */
  private void report(Uplink uplink) throws EleyException {
    uplink.onClose(changes::wake);
    heardAt = System.nanoTime();
    while (!closed && uplink.isOpen()) {
      boolean reading = reportReads(uplink);
      for (var batch = changes.take(node.id());
          batch.isPresent();
          batch = changes.take(node.id())) {
        closeOnFailure(uplink, uplink.request(batch.get()));
      }
      long silent = System.nanoTime() - heardAt;
      if (silent >= silence.toNanos()) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE, "it has granted no permit for " + silence.toSeconds() + " s");
      }
      Duration rest = silence.minusNanos(silent);
      pause(reading && READS.compareTo(rest) < 0 ? READS : rest);
    }
  }

  /**
   * Reports how long reads took, and from time to time how long those take that have not ended: a
   * burst of somebody's is felt there first.
   *
   * @return whether reads are under way
   */
  private boolean reportReads(Uplink uplink) throws EleyException {
    long now = System.nanoTime();
    List<ReadTime> ended = changes.takeReads();
    List<ReadTime> underWay = node.readsUnderWay();
    boolean due = !underWay.isEmpty() && now - readsReportedAt >= READS.toNanos();
    if (!ended.isEmpty() || due) {
      uplink.send(new OriginRead(node.id(), ended, due ? underWay : List.of()));
    }
    readsReportedAt = due ? now : readsReportedAt;
    return !underWay.isEmpty();
  }

  /** An unanswered or refused report: only a new registration puts both sides in step again. */
  private void closeOnFailure(Uplink uplink, CompletableFuture<Message> answer) {
    var unused =
        answer
            .copy()
            .orTimeout(ANSWER.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete(
                (message, error) -> {
                  if (error != null) {
                    uplink.close();
                  }
                });
  }

  /** On the connection's reader thread. */
  private void pushed(int from, Message message) {
    if (message instanceof GrantPermit grant) {
      apply(from, grant);
    } else if (former(from)) {
      LOG.debug("{} of a former connection is dropped", message.type());
    } else if (message instanceof FetchBlocks fetch) {
      order(() -> node.fetch(fetch.parts()));
    } else if (message instanceof FreeBlocks free) {
      order(() -> node.free(free.blocks()));
    } else if (message instanceof DropScratch drop) {
      order(() -> node.dropScratch(drop));
    } else if (message instanceof View view) {
      order(() -> review(view));
    } else {
      LOG.warn("the coordinator pushes {}, which a node does not know", message.type());
    }
  }

  private void apply(int from, GrantPermit grant) {
    Uplink uplink = current;
    heardAt = System.nanoTime();
    synchronized (issuing) {
      if (uplink == null || from != generation || !node.permit(grant.permit())) {
        return;
      }
    }
    try {
      synchronized (confirming) {
        uplink.send(new PermitApplied(node.id(), grant.permit().sequence(), node.counters()));
      }
    } catch (EleyException e) {
      uplink.close();
    }
  }

  private void review(View view) {
    try {
      node.setView(view);
    } catch (EleyException e) {
      LOG.error("the coordinator's view cannot be used: {}", e.getMessage());
    }
  }

  /** Orders given between the registration and the opening of the store wait for the latter. */
  private void order(Runnable order) {
    try {
      orders.execute(() -> carryOut(order));
    } catch (RejectedExecutionException e) {
      LOG.debug("closed: an order is dropped");
    }
  }

  private void carryOut(Runnable order) {
    try {
      registered.join();
      order.run();
    } catch (CompletionException e) {
      LOG.debug("the node never joined: an order is dropped");
    } catch (RuntimeException e) {
      LOG.error("defect while carrying out an order of the coordinator", e);
    }
  }

  private void noteLost(EleyException why) {
    EleyException before = problem;
    boolean news = before == null || before.code() != why.code();
    problem = why;
    if (closed) {
      return;
    }
    if (news && registered.isDone()) {
      LOG.warn("lost the coordinator: {}; trying again", why.getMessage());
    }
    boolean hopeless =
        why.code() == ErrorCode.UNAUTHENTICATED || why.code() == ErrorCode.INCOMPATIBLE;
    if (hopeless || why.remedy() == Remedy.FAIL) {
      registered.completeExceptionally(why);
    }
  }

  private static Message answer(CompletableFuture<Message> future) throws EleyException {
    try {
      return future.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof EleyException ours
          ? ours
          : new EleyException(ErrorCode.UNAVAILABLE, "no answer to Register", e.getCause());
    } catch (TimeoutException e) {
      throw new EleyException(ErrorCode.DEADLINE, "no answer to Register", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted", e);
    }
  }

  private void pause(Duration atMost) {
    try {
      if (!closed) {
        changes.await(atMost);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed = true;
    }
  }

  /** Ends the connection and the threads; waits for the order that is being carried out. */
  @Override
  public void close() {
    closed = true;
    registered.completeExceptionally(new EleyException(ErrorCode.UNAVAILABLE, "closed"));
    Uplink uplink = current;
    if (uplink != null) {
      uplink.close();
    }
    changes.wake();
    orders.shutdown();
    try {
      link.join(ANSWER.toMillis());
      if (!orders.awaitTermination(ANSWER.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("an order of the coordinator is still being carried out");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
