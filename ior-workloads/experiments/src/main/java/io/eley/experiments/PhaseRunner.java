package io.eley.experiments;

import io.eley.laboratory.Laboratory;
import io.eley.report.ObservedPhase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One HPC application on a thread of its own: phases, pauses after each, and then nothing until it
 * is closed. Safe for several threads.
 */
final class PhaseRunner implements Laboratory.Hpc {
  private final HpcApplication application;
  private final Function<Path, IorPhase> ior;
  private final Path directory;
  private final PhaseNotices notices;
  private final IntConsumer onPhase;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;
  private final List<ObservedPhase> phases = new ArrayList<>();
  private @Nullable IorPhase running;
  private @Nullable String failure;

  /**
   * Starts nothing yet.
   *
   * @param ior one phase, given the file for its output
   * @param directory for outputs
   * @param notices is closed with this
   * @param onPhase gets the number of each phase as it begins, from 1
   */
  PhaseRunner(
      HpcApplication application,
      Function<Path, IorPhase> ior,
      Path directory,
      PhaseNotices notices,
      IntConsumer onPhase) {
    this.application = application;
    this.ior = ior;
    this.directory = directory;
    this.notices = notices;
    this.onPhase = onPhase;
    thread = new Thread(this::run, "hpc-" + application.name());
    thread.setDaemon(true);
  }

  PhaseRunner start() {
    thread.start();
    return this;
  }

  private void run() {
    try {
      boolean over = pause(application.first());
      for (int number = 1; number <= application.phases() && !over; number++) {
        onPhase.accept(number);
        phase(number);
        over = pause(application.pause());
      }
    } catch (IOException e) {
      fail(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void phase(int number) throws IOException, InterruptedException {
    var one = ior.apply(directory.resolve("ior-" + application.name() + "-" + number + ".txt"));
    synchronized (this) {
      running = one;
    }
    notices.begin(application.name());
    try {
      var observed = one.run(application.name());
      synchronized (this) {
        phases.add(observed);
      }
    } finally {
      notices.end(application.name());
      synchronized (this) {
        running = null;
      }
    }
  }

  /** Waits; true when it was closed meanwhile. */
  private boolean pause(Duration time) throws InterruptedException {
    return stopped.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized void fail(@Nullable String message) {
    if (stopped.getCount() > 0) {
      failure = message == null ? "it failed" : message;
    }
  }

  @Override
  public synchronized boolean alive() {
    return failure == null && stopped.getCount() > 0;
  }

  @Override
  public synchronized List<ObservedPhase> phases() {
    return List.copyOf(phases);
  }

  @Override
  public synchronized boolean inPhase() {
    return running != null;
  }

  @Override
  public synchronized String lastWords() {
    return application.name() + ": " + (failure == null ? "it was ended" : failure);
  }

  @Override
  public void close() {
    stopped.countDown();
    synchronized (this) {
      if (running != null) {
        running.close();
      }
    }
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    notices.close();
  }
}
