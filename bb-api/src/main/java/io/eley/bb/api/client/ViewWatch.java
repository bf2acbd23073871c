package io.eley.bb.api.client;

import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.MetadataMessage.View;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The newest view that a client knows. Safe for several threads. */
final class ViewWatch implements AutoCloseable {
  /** Readers of a node that is gone ask for a view with each read; the coordinator is spared. */
  private static final long LEAST_PAUSE_NANOS = 100_000_000;

  private final @Nullable CoordinatorClient coordinator;
  private final Supplier<Patience> patience;
  private final Consumer<ClusterView> listener;
  private final ThreadPoolExecutor thread;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private final AtomicLong questions = new AtomicLong();
  private volatile @Nullable View view;

  /** The latest question that was answered. Guarded by this. */
  private long answered;

  /** A coordinator that was just started hears of its nodes one by one. */
  private static final long GATHERING_NANOS = 10_000_000_000L;

  /** Whether the view is what somebody else was told, perhaps long ago. */
  private volatile boolean borrowed;

  /** What the coordinator knew last, when fewer than the borrowed view has. Guarded by this. */
  private @Nullable Set<NodeId> fewer;

  /** When it was first heard to know just those. Guarded by this. */
  private long fewerSince;

  private final LongSupplier clock;
  private volatile long refreshedAt;

  /**
   * A watch that knows no view yet.
   *
   * @param coordinator null when there is nobody to ask
   * @param patience of what is asked in the background
   * @param listener takes each view that becomes the known one; on any thread, must not block
   */
  ViewWatch(
      @Nullable CoordinatorClient coordinator,
      Supplier<Patience> patience,
      Consumer<ClusterView> listener) {
    this(coordinator, patience, listener, System::nanoTime);
  }

  /**
   * The same by another clock.
   *
   * @param clock in nanoseconds, from any origin
   */
  ViewWatch(
      @Nullable CoordinatorClient coordinator,
      Supplier<Patience> patience,
      Consumer<ClusterView> listener,
      LongSupplier clock) {
    this.clock = clock;
    refreshedAt = clock.getAsLong() - LEAST_PAUSE_NANOS;
    this.coordinator = coordinator;
    this.patience = patience;
    this.listener = listener;
    thread =
        new ThreadPoolExecutor(
            1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), ViewWatch::daemon);
    thread.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Runnable task) {
    var made = new Thread(task, "eley-view");
    made.setDaemon(true);
    return made;
  }

  /** The newest view that is known. Does not block. */
  Optional<View> known() {
    return Optional.ofNullable(view);
  }

  /** The newest view that is known, or else what the coordinator says. Blocks for that alone. */
  Optional<View> latest(Patience patience) {
    if (borrowed) {
      refreshSoon();
    }
    return known().or(() -> refresh(patience));
  }

  /** Asks the coordinator; the last view when it does not answer within the patience. Blocks. */
  Optional<View> refresh(Patience patience) {
    if (coordinator == null) {
      return Optional.empty();
    }
    long question = questions.incrementAndGet();
    try {
      keep(question, coordinator.view(patience));
      return known();
    } catch (EleyException e) {
      return known();
    } finally {
      refreshedAt = clock.getAsLong();
    }
  }

  /**
   * Keeps an answer, unless that to a later question has come before it: two threads that ask must
   * not leave the older view behind. Whose epoch is higher does not matter: another coordinator's
   * may be lower.
   */
  private synchronized void keep(long question, View answer) {
    if (question < answered) {
      return;
    }
    answered = question;
    if (borrowed && !isComplete(answer)) {
      return;
    }
    view = answer;
    borrowed = false;
    listener.accept(answer.view());
  }

  /** In the place of a borrowed view one with fewer nodes must have lasted, and that very one. */
  private boolean isComplete(View answer) {
    int known = view == null ? 0 : view.view().nodes().size();
    if (answer.view().nodes().size() >= known) {
      return true;
    }
    long now = clock.getAsLong();
    var nodes = answer.view().nodes().stream().map(NodeAddress::id).collect(Collectors.toSet());
    if (!nodes.equals(fewer)) {
      fewer = nodes;
      fewerSince = now;
    }
    return now - fewerSince >= GATHERING_NANOS;
  }

  /**
   * Keeps a view that somebody else was told, while none is known here; the coordinator is asked
   * for a newer one with each {@link #latest}. Does not block.
   */
  synchronized void offer(View told) {
    if (view == null) {
      view = told;
      borrowed = true;
      listener.accept(told.view());
    }
  }

  /** Asks the coordinator in the background, unless that was done just now. Does not block. */
  void refreshSoon() {
    if (coordinator == null || !underWay.compareAndSet(false, true)) {
      return;
    }
    // Behind that: whether it is due is known only when no other question can end meanwhile.
    if (clock.getAsLong() - refreshedAt < LEAST_PAUSE_NANOS) {
      underWay.set(false);
      return;
    }
    try {
      thread.execute(
          () -> {
            refresh(patience.get());
            underWay.set(false);
          });
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      underWay.set(false); // The client is closed, or no thread can be started now.
    }
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
