package io.eley.scheduler.hooks.job;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.PlanMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Files into the buffer before anybody reads them: to the coordinator this is an application whose
 * only wave is these files. They are fetched under permits, as much as fits. For one thread;
 * blocks.
 */
public final class StageIn {
  /** The coordinator, as far as staging needs it. */
  public interface Coordinator {
    DeploymentReport report() throws EleyException;

    /** Tells a part of the plan and waits until it is known. */
    void tell(PlanMessage message) throws EleyException;
  }

  /**
   * What was staged.
   *
   * @param bytesInRam of the files, which may be fewer than asked for
   * @param bytes of all files
   * @param files how many
   */
  public record Staged(long bytesInRam, long bytes, int files) {}

  /**
   * How far it is.
   *
   * @param bytesInRam of the files
   * @param bytes of all files
   * @param files how many
   * @param held whether a node must not fetch now, as while an HPC application does I/O
   */
  public record Progress(long bytesInRam, long bytes, int files, boolean held) {}

  /** The first pauses between two looks, the longest, and what of the time until now each is. */
  private static final Duration SHORTEST = Duration.ofMillis(200);

  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final int PART_OF_THE_TIME = 8;

  private static final Duration POLL_WHILE_KEPT = Duration.ofSeconds(1);

  /** Time without progress, with nothing under way, after which more does not fit. */
  private static final Duration TIME_TO_SETTLE = Duration.ofSeconds(2);

  /**
   * The same with reads under way: a read of ours may take as long, or somebody else's may follow
   * one another for ever.
   */
  private static final Duration TIME_OF_A_READ = Duration.ofMinutes(2);

  private static final int SPLITS_IN_A_MESSAGE = 256;

  /** What the names of all stagings begin with; none of Spark's does. */
  private static final String PREFIX = "stage-in-";

  private final Coordinator coordinator;
  private final String application;
  private final Pause pause;
  private final Consumer<Progress> watcher;

  /**
   * Tells nothing yet.
   *
   * @param application see {@link #name}
   * @param watcher is told at each look, once a second or oftener, on the staging thread
   */
  public StageIn(
      Coordinator coordinator, String application, Pause pause, Consumer<Progress> watcher) {
    this.coordinator = coordinator;
    this.application = application;
    this.pause = pause;
    this.watcher = watcher;
  }

  /** A name that nobody else uses, on this host or another. */
  public static String name() {
    return PREFIX + UUID.randomUUID().toString().substring(0, 8);
  }

  /**
   * Fetches files, until all are in RAM, or no more come though nothing is under way.
   *
   * @throws EleyException {@code UNAVAILABLE} when there are no nodes, or the coordinator was
   *     restarted meanwhile
   */
  public Staged stage(List<OriginStatus> files) throws EleyException {
    coordinator.tell(new PlanMessage.StartApplication(application, "stage-in"));
    coordinator.tell(new PlanMessage.WaveSize(application, files.size()));
    for (int from = 0; from < files.size(); from += SPLITS_IN_A_MESSAGE) {
      plan(files, from, Math.min(files.size(), from + SPLITS_IN_A_MESSAGE));
    }
    long bytes = files.stream().mapToLong(f -> f.version().length()).sum();
    return new Staged(await(files.size(), bytes), bytes, files.size());
  }

  /** A file is a split, and all of them are one wave, in the order of their names. */
  private void plan(List<OriginStatus> files, int from, int to) throws EleyException {
    var splits = new ArrayList<Split>();
    for (int i = from; i < to; i++) {
      OriginStatus file = files.get(i);
      var whole = new ByteRange(0, file.version().length());
      splits.add(new Split(i, List.of(new FileSlice(file.path(), whole))));
    }
    coordinator.tell(
        new PlanMessage.PlanStage(new StageId(application, 0, 0), splits, to == files.size()));
  }

  /** The bytes that are there in the end. */
  private long await(int splits, long bytes) throws EleyException {
    long before = -1;
    var waited = Duration.ZERO;
    var still = Duration.ZERO;
    var settled = Duration.ZERO;
    while (true) {
      DeploymentReport report = coordinator.report();
      ApplicationReport own = own(report);
      // The coordinator asks for the versions of a message's files before it plans them, so
      // splits become known one message after another.
      if (own.plannedSplits() == splits && own.windowBytesInRam() >= own.windowBytes()) {
        return own.windowBytesInRam();
      }
      watcher.accept(new Progress(own.windowBytesInRam(), bytes, splits, !mayFetch(report)));
      var rest = rest(waited);
      boolean idle =
          own.plannedSplits() > 0 && own.windowBytesInRam() == before && nothingWaits(report);
      boolean done = idle && bytesUnderWay(report) == 0;
      if ((done && settled.compareTo(TIME_TO_SETTLE) >= 0)
          || (idle && still.compareTo(TIME_OF_A_READ) >= 0)) {
        return before;
      }
      still = idle ? still.plus(rest) : Duration.ZERO;
      settled = done ? settled.plus(rest) : Duration.ZERO;
      before = own.windowBytesInRam();
      waited = waited.plus(rest);
      pause.forTime(rest);
    }
  }

  /** An eighth of the time until now: short stagings are seen at once, long ones asked for less. */
  private static Duration rest(Duration waited) {
    var part = waited.dividedBy(PART_OF_THE_TIME);
    return part.compareTo(SHORTEST) < 0 ? SHORTEST : part.compareTo(LONGEST) > 0 ? LONGEST : part;
  }

  private static boolean mayFetch(DeploymentReport report) {
    return report.nodes().stream().allMatch(n -> n.counters().permitOpen());
  }

  /** Whether every node may fetch, and none has anything left to begin. */
  private static boolean nothingWaits(DeploymentReport report) {
    return mayFetch(report)
        && report.nodes().stream().allMatch(n -> n.counters().queuedFetches() == 0);
  }

  private static long bytesUnderWay(DeploymentReport report) {
    return report.nodes().stream().mapToLong(n -> n.counters().underWay().bytes()).sum();
  }

  private ApplicationReport own(DeploymentReport report) throws EleyException {
    if (report.nodes().stream().mapToLong(n -> n.counters().capacityBytes()).sum() == 0) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "the buffer has no nodes");
    }
    return report.applications().stream()
        .filter(a -> a.application().equals(application))
        .findFirst()
        .orElseThrow(
            () ->
                new EleyException(
                    ErrorCode.UNAVAILABLE, "the coordinator was restarted; stage in again"));
  }

  /**
   * Keeps the files in RAM until an application that reads has a plan of its own: then ours must
   * not take half of the RAM.
   */
  public void keep() throws EleyException {
    while (coordinator.report().applications().stream()
        .allMatch(a -> a.application().startsWith(PREFIX) || a.plannedSplits() == 0)) {
      pause.forTime(POLL_WHILE_KEPT);
    }
  }

  /** Ends the application; the files may be evicted from then on. */
  public void end() throws EleyException {
    coordinator.tell(new PlanMessage.EndApplication(application));
  }
}
