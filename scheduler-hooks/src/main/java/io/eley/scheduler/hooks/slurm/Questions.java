package io.eley.scheduler.hooks.slurm;

import io.eley.scheduler.hooks.command.CommandRunner.Keeping;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import io.eley.scheduler.hooks.signal.SignalException;
import io.eley.scheduler.hooks.slurm.SlurmSampler.Frequency;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Slurm is asked, how often, and for how many jobs at a time: as the configuration says, or
 * less where slurmctld limits a user ({@link RpcLimit}). Whether it does is asked once in {@value
 * #LIMIT_MINUTES} minutes; while it does not say, what it said last holds, and it is asked each
 * minute until it has said anything.
 *
 * <p>For one thread. Times are nanoseconds.
 */
final class Questions {
  private static final Logger LOG = LoggerFactory.getLogger(Questions.class);
  private static final long LIMIT_MINUTES = 10;
  private static final Duration LIMIT_UNKNOWN = Duration.ofMinutes(1);

  /** Where a slow Slurm is left alone for longest. */
  private static final int MOST_INTERVALS = 4;

  private final HpcRule rule;
  private final Frequency wanted;
  private final String user;
  private final LongSupplier clock;
  private final Pace limitPace = new Pace();
  private Optional<RpcLimit> limit = Optional.empty();
  private boolean limitSaid;
  private Frequency frequency;
  private int candidates;
  private long stepsAskedAt;
  private boolean stepsAsked;

  /**
   * Questions at the wanted frequency.
   *
   * @param user who asks
   */
  Questions(HpcRule rule, Frequency wanted, String user, LongSupplier clock) {
    this.rule = rule;
    this.wanted = wanted;
    this.user = user;
    this.clock = clock;
    frequency = wanted;
  }

  /** Asks Slurm for its limit, when it is time; blocks for a command. */
  void learnLimit(SharedAnswers answers) throws InterruptedException {
    long began = clock.getAsLong();
    if (!limitPace.due(began)) {
      return;
    }
    try {
      Output config = answers.unshared(List.of("scontrol", "show", "config"));
      if (config.status() == 0) {
        limit = RpcLimit.of(config.text(), user);
        frequency = limit.map(l -> l.within(wanted)).orElse(wanted);
        limitSaid = true;
      }
    } catch (SignalException e) {
      LOG.debug("Slurm does not say whether it limits users", e);
    }
    var again = limitSaid ? Duration.ofMinutes(LIMIT_MINUTES) : LIMIT_UNKNOWN;
    limitPace.note(began, clock.getAsLong(), again);
  }

  /** Whether Slurm limits who asks. */
  boolean limited() {
    return limit.isPresent();
  }

  /** How often Slurm is asked now. */
  Frequency frequency() {
    return frequency;
  }

  /** For how many jobs' steps it is asked at a time, at most. */
  int jobsAtOnce() {
    return limit.map(l -> l.jobs(frequency)).orElse(JobRotation.MOST);
  }

  /** Notes of how many jobs those are chosen that Slurm is asked for. */
  void noteCandidates(int jobs) {
    candidates = jobs;
  }

  /** Between two questions for steps. */
  Duration stepsInterval() {
    return limit
        .filter(l -> candidates > jobsAtOnce())
        .map(l -> l.withTurns(frequency))
        .orElse(frequency.steps());
  }

  /** Notes when Slurm was asked for steps, by this deployment or another of the user. */
  void noteSteps(long at) {
    stepsAsked = true;
    stepsAskedAt = at;
  }

  /** How long it is too early for steps again by Slurm's limit; zero where it has none. */
  Duration tooEarly() {
    if (limit.isEmpty() || !stepsAsked) {
      return Duration.ZERO;
    }
    long passed = clock.getAsLong() - stepsAskedAt;
    return Duration.ofNanos(Math.max(0, stepsInterval().toNanos() - passed));
  }

  /** What Slurm's limit takes away from so many jobs, for people; empty where that is nothing. */
  String describeLimit(int running) {
    if (limit.isEmpty() || (frequency.equals(wanted) && running <= jobsAtOnce())) {
      return "";
    }
    return ", "
        + jobsAtOnce()
        + " at a time each "
        + number(stepsInterval().toNanos() / 1e9)
        + " s: Slurm grants a user "
        + number(limit.get().perSecond())
        + " RPCs a second (rl_enable), ask for a board";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value).replaceFirst("\\.?0+$", "");
  }

  /** Which jobs there are. */
  SharedAnswers.Question queue() {
    return new SharedAnswers.Question(
        "squeue",
        List.of("squeue", "--json", "--states=RUNNING"),
        frequency.queue(),
        Pace.LONGEST,
        SlurmQueue::abridged);
  }

  /** What their steps have moved. */
  SharedAnswers.Question steps(String kind, List<SlurmJob> jobs) {
    var command =
        List.of("sstat", "-n", "-P", "-a", "--noconvert", "--format=" + StepUsage.FORMAT, "-j");
    var whole = new ArrayList<>(command);
    whole.add(jobs.stream().map(j -> Long.toString(j.id())).collect(Collectors.joining(",")));
    return new SharedAnswers.Question(
        "sstat-" + Integer.toHexString(rule.text().hashCode()) + kind,
        whole,
        stepsInterval(),
        wanted.steps().multipliedBy(MOST_INTERVALS),
        Keeping.ALL);
  }
}
