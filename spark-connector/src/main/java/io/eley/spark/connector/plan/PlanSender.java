package io.eley.spark.connector.plan;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.StageId;
import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.PlanMessage;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that reports to the coordinator. Spark's listener bus only puts events into its {@link
 * PlanQueue} and never waits. No change of the model is lost there: without the end of a task its
 * split would be in the window for the rest of the stage.
 *
 * <p>The thread alone owns the {@link PlanModel}. When the coordinator is away it tries again every
 * second; a new connection means a coordinator that may know nothing, so everything is reported to
 * it. A driver with nothing to say asks it something every few seconds: only who sends notices that
 * the other host is gone, and who does not come back in time is taken for dead. An error of the JVM
 * ends the thread and the plan, and never the job.
 */
final class PlanSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlanSender.class);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration FAREWELL = Duration.ofSeconds(3);

  private static final Duration ROOM_RETRY = Duration.ofSeconds(10);

  /** Of {@code eley.driver-grace} it leaves time to come back several times. */
  private static final Duration BEAT = Duration.ofSeconds(5);

  /**
   * How long a coordinator may say nothing. Nobody waits for the answer, unlike a reader's: a host
   * that stands still for a moment costs nothing, and one that is gone is noticed within the grace.
   */
  static final Duration SILENCE = Duration.ofSeconds(3);

  private final CoordinatorClient coordinator;
  private final PlanModel model;
  private final Duration roomRetry;
  private final Duration beat;
  private final PlanAttempts attempts;
  private final PlanQueue events = new PlanQueue();
  private final Thread thread;
  private volatile boolean closing;
  private long reported = -1;
  private boolean silent;

  /** Whether the coordinator that everything is reported to makes use of plans. */
  private boolean prefetches;

  /** Whether the coordinator has no room for this application's plan, and when it said so. */
  private boolean roomless;

  private long roomAsked;

  /** When the coordinator has last answered. */
  private long answered;

  private PlanSender(
      CoordinatorClient coordinator, PlanModel model, Duration roomRetry, Duration beat) {
    this.coordinator = coordinator;
    this.model = model;
    this.roomRetry = roomRetry;
    this.beat = beat;
    attempts = new PlanAttempts(model);
    thread = new Thread(this::run, "eley-plan");
    thread.setDaemon(true);
    model.setTaken(false);
  }

  static PlanSender start(CoordinatorClient coordinator, PlanModel model) {
    return start(coordinator, model, ROOM_RETRY, BEAT);
  }

  /**
   * Starts one.
   *
   * @param roomRetry between two questions whether there is room for the plan
   * @param beat how long the coordinator is left without a word
   */
  static PlanSender start(
      CoordinatorClient coordinator, PlanModel model, Duration roomRetry, Duration beat) {
    var sender = new PlanSender(coordinator, model, roomRetry, beat);
    sender.thread.start();
    return sender;
  }

  /** Queues a change of the model. Never blocks; any thread. */
  void post(Function<PlanModel, List<PlanMessage>> event) {
    events.add(event);
  }

  /** Reports what is queued and that the application is over; waits for at most three seconds. */
  @Override
  public void close() {
    closing = true;
    try {
      thread.join(FAREWELL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    coordinator.close();
  }

  private void run() {
    try {
      while (!closing || !events.isEmpty()) {
        step(events.take(closing ? Duration.ZERO : RETRY));
      }
      coordinator.send(new PlanMessage.EndApplication(model.application()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (EleyException e) {
      LOG.debug("the end of the application could not be reported to the coordinator", e);
    } catch (Error e) {
      // Of the JVM, such as a full heap: whoever plans on would be in the job's way.
      LOG.warn("Eley plans no more for this application, whose input is read without a plan", e);
      events.close();
      coordinator.close();
    }
  }

  private void step(@Nullable Function<PlanModel, List<PlanMessage>> event) {
    try {
      List<PlanMessage> news = event == null ? List.of() : attempts.apply(event);
      endOver();
      if (coordinator.connected() && reported == coordinator.generation()) {
        report(news);
        reportRefused();
        askForRoom();
        askForLife();
      }
      if (!coordinator.connected() || reported != coordinator.generation()) {
        reportEverything();
      }
      model.setTaken(prefetches && !roomless);
      silent = false;
    } catch (EleyException e) {
      reported = -1;
      model.setTaken(false);
      if (!silent) {
        silent = true;
        LOG.info(
            "Eley's coordinator does not answer ({}); input is read without a plan",
            e.getMessage());
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Eley cannot report what this application reads", e);
    }
  }

  /** Behind all that waits: the ends of a stage's last tasks may be there. */
  private void endOver() {
    for (StageId stage : model.overForLong(System.nanoTime())) {
      events.add(behind -> behind.endStage(stage));
    }
  }

  /**
   * Reports everything. The generation is read before and after: if the connection has changed
   * meanwhile, the coordinator has received only a part.
   */
  private void reportEverything() throws EleyException {
    prefetches = coordinator.view().view().mode() != BufferMode.NAIVE_BB;
    long generation = coordinator.generation();
    report(model.everything());
    reported = coordinator.generation() == generation ? generation : -1;
  }

  /** Part by part, until one finds no room again. */
  private void reportRefused() throws EleyException {
    for (var part = model.offer(); part.isPresent(); part = model.offer()) {
      report(List.of(part.get()));
    }
  }

  /** When there is room all is to be reported, since the coordinator has kept nothing. */
  private void askForRoom() throws EleyException {
    if (roomless && System.nanoTime() - roomAsked >= roomRetry.toNanos()) {
      report(List.of(model.start()));
      reported = roomless ? reported : -1;
    }
  }

  /**
   * One that says nothing for a moment has forgotten nothing, and a second report of everything
   * would take the plan away that it has. The client ends a connection that stays silent: that is
   * what must be reported to anew.
   */
  private void askForLife() throws EleyException {
    if (System.nanoTime() - answered < beat.toNanos()) {
      return;
    }
    try {
      coordinator.view();
      answered = System.nanoTime();
    } catch (EleyException e) {
      if (!coordinator.connected() || reported != coordinator.generation()) {
        throw e;
      }
    }
  }

  private void noteRoomless(EleyException why) {
    if (!roomless) {
      LOG.info("Eley does not plan this application now: {}", why.getMessage());
    }
    roomless = true;
    roomAsked = System.nanoTime();
  }

  private void report(List<PlanMessage> messages) throws EleyException {
    StageId full = null;
    for (PlanMessage message : messages) {
      StageId planned = message instanceof PlanMessage.PlanStage m ? m.stage() : null;
      if (planned != null && (roomless || planned.equals(full))) {
        continue;
      }
      boolean starts = message instanceof PlanMessage.StartApplication;
      try {
        coordinator.send(message);
        answered = System.nanoTime();
        roomless = roomless && !starts;
      } catch (EleyException e) {
        if (e.code() != ErrorCode.NO_SPACE || !(starts || planned != null)) {
          throw e;
        }
        if (starts) {
          noteRoomless(e);
          continue;
        }
        if (model.refuse((PlanMessage.PlanStage) message)) {
          LOG.info("Eley plans a part of the input at a time: {}", e.getMessage());
        }
        full = planned;
      }
    }
  }
}
