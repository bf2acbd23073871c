package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a deployment on this machine running: a coordinator or a node that ends by itself is
 * started again, with the same settings and, for a node, the same directory of blocks. Nodes and
 * drivers report again what a coordinator has lost, so this is all that its end takes to mend.
 *
 * <p>The processes do not depend on this one: should it be killed they go on, only nobody starts
 * them again. When it exits in order, even while it is still starting them, it ends them. And when
 * somebody has deleted the deployment's directory: nothing else could find them any more. One
 * thread of its own looks after them.
 */
public final class Supervisor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  /** Between two looks for the deployment's files; what two do not find is gone. */
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** A process that is kept running. Owned by the supervisor's thread. */
  private final class Kept {
    private final Part part;
    private final RestartDelay delay = new RestartDelay();
    private ChildProcess process;
    private long startedAt = System.nanoTime();
    private long addressBefore;

    Kept(Part part, ChildProcess process) {
      this.part = part;
      this.process = process;
    }

    void watch() {
      // However that is told: where the system gives the JDK no thread for it, as a failure.
      var unused =
          process.process().onExit().whenComplete((ended, e) -> hand(this::ended, Duration.ZERO));
    }

    private void ended() {
      if (forsaken.isDone()) {
        return;
      }
      var ran = Duration.ofNanos(System.nanoTime() - startedAt);
      Duration pause = delay.after(ran, cameUp());
      LOG.warn(
          "{} has ended after {} s with {}; it is started again in {} ms",
          part.name(),
          ran.toSeconds(),
          status(),
          pause.toMillis());
      hand(this::restart, pause);
    }

    /** Its exit status, for which the JDK may have to be waited for: for no time to speak of. */
    private int status() {
      try {
        return process.process().waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // Everything is being ended.
        return -1;
      }
    }

    /** A coordinator has come up when it has written its address; of a node nobody here knows. */
    private boolean cameUp() {
      long address = Readiness.addressWrittenAt(files);
      return part.name().equals(LocalDeployment.COORDINATOR)
          && address != 0
          && address != addressBefore;
    }

    private void restart() {
      startedAt = System.nanoTime();
      addressBefore = Readiness.addressWrittenAt(files);
      try {
        if (!part.name().equals(LocalDeployment.COORDINATOR)) {
          new RamDisks(files).restore();
        }
        process = ChildProcess.restart(files, part);
        watch();
      } catch (EleyException | OutOfMemoryError e) { // the JDK has a thread for each process
        Duration pause = delay.after(Duration.ZERO, false);
        LOG.warn("{}; the next try is in {} ms", e.getMessage(), pause.toMillis());
        hand(this::restart, pause);
      }
    }
  }

  private final DeploymentFiles files;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            var made = new Thread(work, "eley-supervisor");
            made.setDaemon(true);
            return made;
          });

  private final Teardown teardown;
  private final CompletableFuture<Void> forsaken = new CompletableFuture<>();
  private boolean ending;
  private boolean missing;

  private Supervisor(DeploymentFiles files, Teardown teardown) {
    this.files = files;
    this.teardown = teardown;
  }

  /**
   * Starts a deployment and waits until all nodes serve; from then on what ends is started again.
   * The JVM's exit ends it.
   *
   * @param program that has the verbs {@code coordinator} and {@code node}
   * @throws EleyException in one line; nothing is left running then
   */
  public static Supervisor start(DeploymentFiles files, DeploymentPlan plan, Program program)
      throws EleyException {
    StartChecks.require(files, plan);
    return begin(files, plan, program, Teardown.onExit());
  }

  /**
   * The same, ended by its caller's teardown: before what was added to that earlier.
   *
   * @param teardown also ends a deployment that is only being started
   */
  public static Supervisor start(
      DeploymentFiles files, DeploymentPlan plan, Program program, Teardown teardown)
      throws EleyException {
    StartChecks.require(files, plan);
    return begin(files, plan, program, teardown.nested());
  }

  private static Supervisor begin(
      DeploymentFiles files, DeploymentPlan plan, Program program, Teardown own)
      throws EleyException {
    var deployment = new LocalDeployment(files, Supervision.outlivingUs());
    var supervisor = new Supervisor(files, own);
    // Who is refused a turn has nothing to end.
    try (var turn = deployment.turn()) {
      own.add(supervisor::end);
      try {
        supervisor.launch(deployment, plan, program, turn);
        return supervisor;
      } catch (EleyException e) {
        supervisor.close();
        throw e;
      }
    }
  }

  private void launch(
      LocalDeployment deployment, DeploymentPlan plan, Program program, StartTurn turn)
      throws EleyException {
    long before = Readiness.addressWrittenAt(files);
    List<Part> parts;
    List<ChildProcess> processes;
    // The end waits for this, so that nothing is started behind its back.
    synchronized (this) {
      if (ending) {
        throw new EleyException(ErrorCode.UNAVAILABLE, "told to end while starting");
      }
      parts = deployment.prepare(plan, program);
      noteOurselves();
      turn.end();
      processes = deployment.spawn(parts);
    }
    deployment.awaitReady(processes, before, plan.nodes());
    List<String> directories = new RamDisks(files).noted();
    var kept = new ArrayList<Kept>();
    for (int i = 0; i < parts.size(); i++) {
      kept.add(new Kept(parts.get(i), processes.get(i)));
    }
    kept.forEach(Kept::watch);
    lookAgain(kept, directories);
  }

  private void lookAgain(List<Kept> kept, List<String> directories) {
    hand(() -> look(kept, directories), LOOK);
  }

  private void look(List<Kept> kept, List<String> directories) {
    boolean before = missing;
    missing = isForsaken();
    if (missing && before) {
      LOG.warn("the files of the deployment in {} are gone: it ends", files.directory());
      ProcessList.endAll(kept.stream().map(k -> k.process.process().toHandle()).toList(), FAREWELL);
      try {
        RamDisks.remove(directories);
      } catch (IOException e) {
        LOG.warn("cannot remove the blocks of a node: {}", e.getMessage());
      }
      forsaken.complete(null);
    } else {
      lookAgain(kept, directories);
    }
  }

  /** Whether our own file is gone for sure, or names the supervisor of a later deployment. */
  private boolean isForsaken() {
    Path own = files.pidFile(LocalDeployment.SUPERVISOR);
    try {
      return Files.notExists(own, LinkOption.NOFOLLOW_LINKS)
          || new PidFile(own)
              .running()
              .filter(process -> !process.equals(ProcessHandle.current()))
              .isPresent();
    } catch (EleyException e) {
      return false; // somebody else's could be there; it is still to be seen
    }
  }

  /**
   * Completes when the deployment's files were deleted while it ran, and it has been ended for
   * that: nothing is left to look after.
   */
  public CompletionStage<Void> forsaken() {
    return forsaken;
  }

  /** Whoever stops the deployment must find this process, whoever has started it. */
  private void noteOurselves() throws EleyException {
    try {
      new PidFile(files.pidFile(LocalDeployment.SUPERVISOR)).writeOwn();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot write into " + files.directory() + ": " + e, e);
    }
  }

  private void hand(Runnable work, Duration delay) {
    try {
      var unused = thread.schedule(work, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("a process ended while the deployment was being stopped");
    }
  }

  private void end() throws EleyException {
    synchronized (this) {
      ending = true;
    }
    thread.shutdownNow();
    try {
      // A restart that is under way has noted its process when it is over.
      if (!thread.awaitTermination(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("a restart is still under way");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // What was started must be ended nevertheless.
    }
    if (!forsaken.isDone()) { // or it would be another deployment's end
      LocalDeployment.stop(files, FAREWELL);
    }
  }

  /**
   * Ends the deployment, nodes first; what fails is logged. Blocks for some seconds at most. May be
   * repeated, and waits for an end that is under way.
   */
  @Override
  public void close() {
    teardown.close();
  }
}
