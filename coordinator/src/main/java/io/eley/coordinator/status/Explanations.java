package io.eley.coordinator.status;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.controller.loop.PlanLoop;
import io.eley.coordinator.members.BlockHistory;
import io.eley.coordinator.members.BlockHistory.What;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.plan.BlockFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Why something is, or is not, in the buffer: from the plan, the permits, and the last event that
 * nodes have reported of each block. The agent owns it.
 */
public final class Explanations {
  private static final int MOST_LINES = 40;
  private static final Pattern TASK = Pattern.compile("([^/]+)/(\\d{1,9})/(\\d{1,9})");
  private static final Pattern BYTE = Pattern.compile("(/.*)@(\\d{1,18})");
  private static final double MIB = 1 << 20;

  private final PlanLoop plans;
  private final BlockGeometry geometry;
  private final Supplier<Decision> decision;
  private final BlockHistory history;
  private final Reports reports;

  /**
   * What the deployment's report has of them, at the moment of the question.
   *
   * @param mode of the deployment
   * @param applications with their plans
   * @param nodes with their last counters
   */
  public record Reports(
      BufferMode mode,
      Supplier<List<ApplicationReport>> applications,
      Supplier<List<NodeReport>> nodes) {}

  /** Explanations by the present plan, decision and reports. */
  public Explanations(
      PlanLoop plans,
      BlockGeometry geometry,
      Supplier<Decision> decision,
      BlockHistory history,
      Reports reports) {
    this.reports = reports;
    this.plans = plans;
    this.geometry = geometry;
    this.decision = decision;
    this.history = history;
  }

  /** Lines for people; see {@link io.eley.bb.api.wire.PhaseMessage.GetWhy}. */
  public List<String> why(String target, long now) {
    Matcher task = TASK.matcher(target);
    if (!target.startsWith("/") && task.matches()) {
      return task(task, now);
    }
    Matcher one = BYTE.matcher(target);
    if (one.matches()) {
      int index =
          (int) Math.min(Integer.MAX_VALUE, Long.parseLong(one.group(2)) / geometry.blockSize());
      return blocks(
          plans.blocksOfFile(one.group(1)).stream()
              .filter(f -> f.block().index() == index)
              .toList(),
          "no live stage has a task that reads byte " + one.group(2) + " of " + one.group(1),
          now);
    }
    return target.startsWith("/") ? file(target, now) : application(target);
  }

  private List<String> file(String path, long now) {
    List<BlockFacts> planned = plans.blocksOfFile(path);
    String none = "no live stage has a task that reads " + path;
    return planned.isEmpty() ? unplanned(path, none, now) : blocks(planned, none, now);
  }

  /** What nobody plans to read may be in RAM all the same: from a stage before, or for a reader. */
  private List<String> unplanned(String path, String none, long now) {
    var events = history.ofFile(path);
    if (events.isEmpty()) {
      return List.of(none + "; what nobody plans to read is not prefetched");
    }
    var lines = new ArrayList<String>();
    long there = events.values().stream().filter(e -> e.what() == What.ARRIVED).count();
    String lie = there == 1 ? " of its blocks lies" : " of its blocks lie";
    lines.add(none + "; " + there + lie + " in RAM until others need the room.");
    events.entrySet().stream()
        .limit(MOST_LINES - 2L)
        .forEach(e -> lines.add(unplanned(e.getKey(), e.getValue(), now)));
    if (events.size() > MOST_LINES - 2) {
      lines.add("… and " + (events.size() - MOST_LINES + 2) + " more");
    }
    return lines;
  }

  private static String unplanned(BlockId block, BlockHistory.Event event, long now) {
    double seconds = (now - event.at()) / 1e9;
    return event.what() == What.ARRIVED
        ? String.format(
            Locale.ROOT,
            "block %d is in RAM on %s since %.1f s.",
            block.index(),
            event.node(),
            seconds)
        : String.format(
            Locale.ROOT,
            "block %d is not in the buffer: %.1f s ago it %s.",
            block.index(),
            seconds,
            event.words());
  }

  /**
   * Why an application's tasks find their input in RAM, or read without a plan, and where its
   * intermediate data is.
   */
  private List<String> application(String target) {
    List<ApplicationReport> all = reports.applications.get();
    List<NodeReport> nodes = reports.nodes.get();
    var found = new ArrayList<String>();
    for (ApplicationReport a : all) {
      if (a.application().equals(target) || a.name().equals(target)) {
        found.add(plan(a));
        found.addAll(ScratchLines.of(a.application(), nodes));
        found.addAll(ScratchLines.stayed(a));
      }
    }
    if (found.isEmpty()) {
      found.addAll(ScratchLines.of(target, nodes)); // of one that has ended
    }
    if (found.isEmpty()) {
      return List.of(
          "'"
              + target
              + "' is neither a path on the origin (/in/part-0), nor a byte of one"
              + " (/in/part-0@1048576), nor a task (APPLICATION/STAGE/PARTITION), nor an application"
              + (all.isEmpty()
                  ? ": there is none now"
                  : " of "
                      + all.stream()
                          .map(ApplicationReport::application)
                          .collect(Collectors.joining(", "))));
    }
    return found;
  }

  private String plan(ApplicationReport a) {
    String who = a.application() + " (" + a.name() + ")";
    if (prefetchesNothing()) {
      return who + " reads the origin itself: " + naive() + ".";
    }
    if (a.plannedSplits() == 0) {
      return who
          + " has no plan now: no stage of it that reads runs, or it reads no bb:// path, or by a"
          + " source whose splits are not known beforehand; the driver's log says which (\"Eley"
          + " cannot\"). What it reads without a plan is fetched on demand.";
    }
    return String.format(
        Locale.ROOT,
        "%s reads by a plan: %d of %d tasks have ended%s.",
        who,
        a.endedSplits(),
        a.plannedSplits(),
        window(a));
  }

  private static String window(ApplicationReport a) {
    if (a.windowBytes() == 0) {
      return a.endedSplits() < a.plannedSplits() ? "; the others read on demand" : "";
    }
    return String.format(
        Locale.ROOT,
        "; of its window %.1f of %.1f MiB are in RAM",
        a.windowBytesInRam() / MIB,
        a.windowBytes() / MIB);
  }

  private boolean prefetchesNothing() {
    return reports.mode == BufferMode.NAIVE_BB;
  }

  private String naive() {
    return "this deployment prefetches nothing (" + reports.mode + ")";
  }

  private List<String> task(Matcher task, long now) {
    return blocks(
        plans.blocksOfTask(
            task.group(1), Integer.parseInt(task.group(2)), Integer.parseInt(task.group(3))),
        "no live stage "
            + task.group(2)
            + " of "
            + task.group(1)
            + " has a task "
            + task.group(3)
            + " that reads files; see the applications in `eley status`",
        now);
  }

  private List<String> blocks(List<BlockFacts> facts, String none, long now) {
    if (facts.isEmpty()) {
      return List.of(none);
    }
    var lines = new ArrayList<String>();
    if (facts.size() > 1) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%d blocks are planned: %d in RAM, %d ordered, %d left to demand, %d not in the"
                  + " buffer.",
              facts.size(),
              count(facts, BlockFacts.State.PRESENT),
              count(facts, BlockFacts.State.ORDERED),
              count(facts, BlockFacts.State.GIVEN_UP),
              count(facts, BlockFacts.State.ABSENT)));
    }
    facts.stream().limit(MOST_LINES - 2L).forEach(f -> lines.add(line(f, now)));
    if (facts.size() > MOST_LINES - 2) {
      lines.add("… and " + (facts.size() - MOST_LINES + 2) + " more");
    }
    return lines;
  }

  private static long count(List<BlockFacts> facts, BlockFacts.State state) {
    return facts.stream().filter(f -> f.state() == state).count();
  }

  private String line(BlockFacts f, long now) {
    ByteRange range = geometry.range(f.block());
    var event = history.last(f.block());
    return String.format(
        Locale.ROOT,
        "block %d of %s (MiB %.1f to %.1f%s) %s%s.",
        f.block().index(),
        f.block().file().path(),
        range.offset() / MIB,
        range.end() / MIB,
        f.bytes() < range.length() ? ", " + f.bytes() / 1024 + " KiB of it" : "",
        reason(f),
        event
                .map(
                    e ->
                        String.format(
                            Locale.ROOT, "; %.1f s ago it %s", (now - e.at()) / 1e9, e.words()))
                .orElse("")
            + readers(f));
  }

  /** How often it was read, of those tasks that have it in their plan. */
  private static String readers(BlockFacts f) {
    long ended = f.tasks().stream().filter(BlockFacts.Task::ended).count();
    return ended == 0 ? "" : "; " + ended + " of " + f.tasks().size() + " tasks have read it";
  }

  private String reason(BlockFacts f) {
    var waiting = f.tasks().stream().filter(t -> !t.ended()).findFirst();
    String reader =
        waiting
            .map(
                t ->
                    "task "
                        + t.partition()
                        + " of stage "
                        + t.stage()
                        + " of "
                        + t.application()
                        + ", which "
                        + (t.ahead() == 0 ? "is next" : "has " + t.ahead() + " before it"))
            .orElse("");
    if (f.node().isEmpty()) {
      return "is not in the buffer, for there is no node";
    }
    if (prefetchesNothing() && f.state() == BlockFacts.State.ABSENT) {
      return "is not in the buffer, for "
          + naive()
          + (reader.isEmpty() ? "" : "; it is for " + reader);
    }
    var unread = waiting.flatMap(BlockFacts.Task::unread);
    if (unread.isPresent() && f.state() == BlockFacts.State.ABSENT) {
      return "is left to be read on demand by " + reader + ": " + because(unread.get());
    }
    return switch (f.state()) {
      case PRESENT ->
          "is in RAM on "
              + f.node().get()
              + (reader.isEmpty() ? ", and all tasks that read it have ended" : " for " + reader);
      case ORDERED ->
          "was ordered from "
              + f.node().get()
              + " for "
              + reader
              + ", and has not arrived"
              + (decision.get().held() ? ": " + decision.get().reason() : "");
      case GIVEN_UP ->
          "failed " + f.failures() + " times and is left to be read on demand by " + reader;
      case ABSENT -> absent(f, reader);
    };
  }

  private static String because(BlockFacts.Unread unread) {
    return unread.tasks() == 0
        ? "its job runs some of the stage's tasks only, as take and limit do, and none of them has"
            + " read its split yet"
        : "the last "
            + unread.tasks()
            + " tasks of its stage read "
            + unread.readPercent()
            + " % of what was planned for them";
  }

  private static String absent(BlockFacts f, String reader) {
    if (reader.isEmpty()) {
      return "is not in the buffer any more, for all tasks that read it have ended";
    }
    return f.inWindow()
        ? "is not in the buffer though it is in the window of "
            + reader
            + ": there is no room for it yet, or it is tried again soon"
        : "is not in the buffer yet: it is beyond the window, for " + reader;
  }
}
