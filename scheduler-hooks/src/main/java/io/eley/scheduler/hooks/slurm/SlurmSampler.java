package io.eley.scheduler.hooks.slurm;

import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.signal.ByteCounts;
import io.eley.scheduler.hooks.signal.PollTiming;
import io.eley.scheduler.hooks.signal.Sampler;
import io.eley.scheduler.hooks.signal.SignalException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Sees HPC jobs' I/O in Slurm's accounting: which jobs run, by {@code squeue --json} now and then;
 * what their steps have read and written, by one {@code sstat} at each call; and the phase that
 * they report in their comment, which needs no rights and has a lease ({@link SaidPhases}). Only
 * the jobs' owner, an operator and root may ask {@code sstat} (its man page).
 *
 * <p>How much it asks of Slurm is bounded: {@link JobRotation} says for how many jobs, {@link Pace}
 * how often, {@link RpcLimit} what Slurm grants a user, {@link DeniedUsers} for whose not at all;
 * and {@link SharedAnswers} has one deployment ask for all of a user's.
 *
 * <p>What it cannot see: I/O by mmap, and jobs that {@code PrivateData} hides. Reads of {@code
 * /dev/zero} and of node-local disks count like any other.
 *
 * <p>Blocks for up to two deadlines, three after a job did not answer, one more each ten minutes;
 * while another deployment asks, for some intervals; and where Slurm limits users, until it may be
 * asked again. For one thread.
 */
public final class SlurmSampler implements Sampler {
  public static final String NAME = "slurm";

  /** The confidence of its samples while they are fresh: bytes of a job are certainly its own. */
  private static final double CONFIDENCE = 0.95;

  /**
   * How often Slurm is asked, by all deployments of a user that share a directory; less often where
   * it is slow or limits users.
   *
   * @param queue between two lists of jobs
   * @param steps between two questions for what their steps have moved
   * @param shared directory of this user's deployments; empty to ask for this one alone
   */
  public record Frequency(Duration queue, Duration steps, Optional<Path> shared) {
    /** Asks for this deployment alone, whenever it is called but for the list of jobs. */
    public static Frequency alone(Duration queue) {
      return new Frequency(queue, Duration.ZERO, Optional.empty());
    }
  }

  private final SharedAnswers answers;
  private final HpcRule rule;
  private final LongSupplier clock;
  private final Questions questions;
  private final Pace queuePace = new Pace();
  private final JobRotation rotation = new JobRotation();
  private final DeniedUsers denied;
  private final SaidPhases said = new SaidPhases();
  private List<SlurmJob> jobs = List.of();

  /** By job, what its steps had moved when they were asked last. */
  private final Map<Long, Known> known = new HashMap<>();

  private long listedAt;
  private boolean listed;
  private boolean figures;
  private boolean steps;
  private final Set<Long> silent = new HashSet<>();

  /** By job, how many answers in a row told nothing of it though its nodes are not silent. */
  private final Map<Long, Integer> untold = new HashMap<>();

  private Duration rest = Duration.ZERO;
  private Blindness blindness = Blindness.NONE;

  /**
   * A job's counters.
   *
   * @param at when they were read; for a job without any, when it was not there yet
   * @param steps bytes by step
   * @param missed steps that were not told then and may have moved any number of bytes
   */
  private record Known(long at, Map<String, Long> steps, Set<String> missed) {}

  /**
   * A sampler that has not asked yet.
   *
   * @param rule which jobs count
   * @param clock nanoseconds of the coordinator's monotonic clock
   */
  public SlurmSampler(
      CommandRunner commands, HpcRule rule, Frequency frequency, LongSupplier clock) {
    this(
        new SharedAnswers(commands, SlurmClock.of(clock), frequency.shared()),
        rule,
        frequency,
        System.getProperty("user.name", ""),
        clock);
  }

  SlurmSampler(
      SharedAnswers answers, HpcRule rule, Frequency frequency, String user, LongSupplier clock) {
    this.answers = answers;
    this.rule = rule;
    this.clock = clock;
    denied = new DeniedUsers(user);
    questions = new Questions(rule, frequency, user, clock);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SourceKind kind(PollTiming timing) {
    return SourceKind.sampled(NAME, CONFIDENCE, timing.interval(), timing.freshness());
  }

  @Override
  public Duration rest() {
    return rest;
  }

  @Override
  public Duration interval() {
    return questions.stepsInterval();
  }

  @Override
  public Blindness blindness() {
    return blindness;
  }

  @Override
  public Map<String, String> owners() {
    return jobs.stream()
        .collect(Collectors.toMap(SlurmJob::application, SlurmJob::user, (one, other) -> ""));
  }

  @Override
  public List<Sighting> sample() throws SignalException, InterruptedException {
    rest = Duration.ZERO;
    answers.pause(questions.tooEarly());
    long now = clock.getAsLong();
    if (queuePace.due(now)) {
      list(now);
    }
    var allowed = denied.allowed(jobs, now);
    questions.noteCandidates(allowed.size());
    var again = rotation.again(allowed, now);
    Duration alone = again.isPresent() ? tryAlone(again.get()) : Duration.ZERO;
    var wanted = rotation.next(allowed);
    var sightings = new ArrayList<Sighting>();
    if (!wanted.isEmpty()) {
      SharedAnswers.Answer answer = usage(wanted);
      var asked = jobsOf(answer.command()); // another deployment may have asked for others
      var report = StepReport.parse(answer.output(), ids(asked));
      if (report.failed()) {
        throw SignalException.failed(
            "sstat ended with status "
                + answer.output().status()
                + ": "
                + answer.output().complaint());
      }
      long at = answer.ended();
      rest = restAfter(answer.took().plus(alone));
      denied.note(asked, report, at);
      sightings.addAll(sightings(asked, report, at));
      rotation.answered(asked, answer.took());
      // "No steps running" is a job between two steps, or one that has just ended.
      steps |= !report.bytes().isEmpty();
      figures |= report.figures();
      noteUnanswered(asked, report);
    }
    blindness = blind().seeing(describeSeen(now));
    sightings.addAll(announced(sightings));
    return sightings;
  }

  /** What an answer wants before the next question: a busy host is no slow Slurm. */
  private Duration restAfter(Duration took) throws InterruptedException {
    if (Pace.rest(took.toNanos()).isZero()) {
      return Duration.ZERO;
    }
    return Pace.rest(took.minus(answers.startTakes("sstat")).toNanos());
  }

  private void list(long now) throws SignalException, InterruptedException {
    SharedAnswers.Answer answer = answers.latest(questions.queue());
    var output = answer.output();
    queuePace.note(now, clock.getAsLong(), questions.frequency().queue());
    if (output.status() != 0) {
      throw SignalException.failed("squeue failed: " + output.complaint());
    }
    Set<Long> before = ids(jobs);
    jobs = SlurmQueue.parse(output.text()).stream().filter(rule::counts).toList();
    said.read(jobs, clock.getAsLong());
    Set<Long> there = ids(jobs);
    known.keySet().retainAll(there);
    silent.retainAll(there);
    untold.keySet().retainAll(there);
    rotation.keep(there);
    if (listed) {
      // One that was not there the last time has moved all its bytes since then.
      there.stream()
          .filter(job -> !before.contains(job))
          .forEach(job -> known.put(job, new Known(listedAt, Map.of(), Set.of())));
    }
    listedAt = answer.began();
    listed = true;
    questions.learnLimit(answers);
    rotation.setMost(questions.jobsAtOnce());
    denied.list(jobs, questions.limited());
  }

  private static Set<Long> ids(List<SlurmJob> jobs) {
    return jobs.stream().map(SlurmJob::id).collect(Collectors.toSet());
  }

  private SharedAnswers.Answer usage(List<SlurmJob> wanted)
      throws SignalException, InterruptedException {
    questions.noteSteps(clock.getAsLong());
    try {
      SharedAnswers.Answer answer = answers.next(questions.steps("", wanted));
      questions.noteSteps(answer.began());
      return answer;
    } catch (SignalException e) {
      rotation.timedOut(wanted, clock.getAsLong());
      throw e;
    }
  }

  /**
   * Tries a job that did not answer; how long that took. Where it answers it is asked for with the
   * others at once: a round without them would look like the end of all their phases.
   */
  private Duration tryAlone(SlurmJob job) throws SignalException, InterruptedException {
    var wanted = List.of(job);
    try {
      SharedAnswers.Answer answer = answers.latest(questions.steps("-again", wanted));
      rotation.answeredAlone(jobsOf(answer.command()));
      return answer.took();
    } catch (SignalException e) {
      rotation.timedOut(wanted, clock.getAsLong());
      throw e;
    }
  }

  /** The jobs that a command has asked for, as far as they count here. */
  private List<SlurmJob> jobsOf(List<String> command) {
    var ids = List.of(command.get(command.size() - 1).split(",", -1));
    return jobs.stream().filter(job -> ids.contains(Long.toString(job.id()))).toList();
  }

  private List<Sighting> sightings(List<SlurmJob> asked, StepReport report, long at) {
    var list = new ArrayList<Sighting>();
    for (SlurmJob job : asked) {
      if (report.lacks(job.id())) {
        known.remove(job.id());
        rotation.setBusy(job, false);
      } else {
        list.add(sighting(job, report, at));
      }
    }
    return list;
  }

  private Sighting sighting(SlurmJob job, StepReport report, long at) {
    Optional<Known> before = Optional.ofNullable(known.get(job.id()));
    Map<String, Long> now = report.stepsOf(job.id());
    known.put(job.id(), new Known(at, now, missed(before, now, report.missedOf(job.id()))));
    long moved = before.map(b -> movedSince(b, now)).orElse(0L);
    rotation.setBusy(job, moved >= SaidPhases.SOMETHING); // then the next call asks for it again
    noteSaid(job, report, before, moved, at);
    // Spread over the time since a call long ago, what it moved would say nothing of its rate.
    boolean recent = before.isPresent() && (rotation.neverAsked(job) || rotation.inLastCall(job));
    return new Sighting(
        job.application(),
        recent ? before.get().at() : at,
        at,
        recent ? moved : 0,
        said.believed(job, at));
  }

  /** What tells of no step, or of no bytes at all, says nothing of whether a job moves some. */
  private void noteSaid(
      SlurmJob job, StepReport report, Optional<Known> before, long moved, long at) {
    Set<String> now = report.stepsOf(job.id()).keySet();
    if (!report.figures() || now.isEmpty()) {
      return;
    }
    boolean whole = report.missedOf(job.id()).isEmpty();
    if (moved >= SaidPhases.SOMETHING
        || (whole && before.filter(b -> allMovesSeen(b, now)).isPresent())) {
      said.noteMoved(job, moved, at);
    } else {
      said.noteLook(job, at);
    }
  }

  /** Whether a step can have moved nothing since that the answer of now does not tell. */
  private static boolean allMovesSeen(Known before, Set<String> now) {
    return now.containsAll(before.steps().keySet()) && Collections.disjoint(before.missed(), now);
  }

  /**
   * Steps that this answer lacks though they may be there: with the next one they come back with
   * all that they have ever moved. Where it has no step at all slurmctld may not have known the
   * job's allocation just then.
   */
  private static Set<String> missed(
      Optional<Known> before, Map<String, Long> now, Set<String> complainedOf) {
    var missed = new HashSet<>(complainedOf);
    if (now.isEmpty()) {
      before.ifPresent(b -> missed.addAll(b.steps().keySet()));
      before.ifPresent(b -> missed.addAll(b.missed()));
    }
    return missed;
  }

  /** A step that was not there before has moved all its bytes since. */
  private static long movedSince(Known before, Map<String, Long> now) {
    long moved = 0;
    for (var step : now.entrySet()) {
      if (!before.missed().contains(step.getKey())) {
        long more = step.getValue() - before.steps().getOrDefault(step.getKey(), 0L);
        moved = ByteCounts.sum(moved, Math.max(0, more));
      }
    }
    return moved;
  }

  private void noteUnanswered(List<SlurmJob> asked, StepReport report) {
    for (SlurmJob job : asked) {
      if (report.untold().contains(job.id())) {
        untold.merge(job.id(), 1, Integer::sum);
      } else {
        untold.remove(job.id());
      }
    }
    silent.removeAll(ids(asked));
    silent.addAll(report.silent());
  }

  /** The phases that jobs report themselves whose bytes were not asked for. */
  private List<Sighting> announced(List<Sighting> measured) {
    long at = clock.getAsLong();
    Set<String> there = measured.stream().map(Sighting::application).collect(Collectors.toSet());
    return jobs.stream()
        .filter(job -> said.believed(job, at) && !there.contains(job.application()))
        .map(job -> new Sighting(job.application(), at, at, 0, true))
        .toList();
  }

  @Override
  public void close() {
    answers.close();
  }

  /**
   * What Slurm's limit of a user takes away, to follow how much is seen; empty where it is nothing.
   */
  public String describeLimit() {
    return questions.describeLimit(jobs.size());
  }

  /** How many jobs' bytes are known, or will be at their next turn. */
  private String describeSeen(long now) {
    var mute = rotation.silent();
    var answering =
        jobs.stream()
            .filter(job -> !denied.denied(job, now))
            .filter(job -> !silent.contains(job.id()) && !mute.contains(job.id()))
            .toList();
    long waiting = answering.stream().filter(rotation::waits).count();
    long lacking = answering.stream().filter(job -> untold.getOrDefault(job.id(), 0) > 1).count();
    long seen = steps && !figures ? 0 : answering.size() - waiting - lacking;
    long lapsed = said.lapsed(now);
    return "the I/O of "
        + seen
        + " of "
        + jobs.size()
        + " running jobs is seen"
        + (waiting == 0 ? "" : ", " + waiting + " that do I/O wait for their turn")
        + (lacking == 0 ? "" : ", sstat tells nothing of " + lacking)
        + (lapsed == 0
            ? ""
            : ", the comment of "
                + lapsed
                + " has said phase=io for "
                + SaidPhases.LEASE.toMinutes()
                + " min without I/O, or unseen for "
                + SaidPhases.UNSEEN.toMinutes()
                + ", and is not believed")
        + describeLimit();
  }

  private Blindness blind() {
    Blindness rights = denied.blindness(jobs);
    if (!rights.why().isEmpty()) {
      return rights;
    }
    if (!jobs.isEmpty() && steps && !figures) {
      return new Blindness(
          "sstat knows no bytes of any step: JobAcctGatherType in slurm.conf is none, or gathers no"
              + " fs/disk; ask for jobacct_gather/linux or jobacct_gather/cgroup",
          true);
    }
    var mute = new TreeSet<>(silent);
    mute.addAll(rotation.silent());
    return mute.isEmpty()
        ? Blindness.NONE
        : new Blindness(
            "no slurmd answers sstat for "
                + (mute.size() == 1 ? "1 job" : mute.size() + " jobs")
                + ", such as "
                + mute.first(),
            mute.size() >= jobs.size());
  }
}
