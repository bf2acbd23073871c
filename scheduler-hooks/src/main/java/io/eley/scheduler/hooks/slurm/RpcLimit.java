package io.eley.scheduler.hooks.slurm;

import io.eley.scheduler.hooks.slurm.SlurmSampler.Frequency;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How many RPCs slurmctld grants each user ({@code rl_enable}, slurm.conf(5), from 23.02 on): a
 * bucket of tokens, one an RPC, which fills at a rate. Whoever finds it empty is told to come back,
 * and Slurm's programs sleep a second and more before they do. Root and SlurmUser are not limited.
 *
 * <p>A user's deployments take half of the rate, and of a full bucket at a time, so that there is
 * one for what he types. One {@code squeue} is an RPC, {@code sstat} three for each job that it
 * asks for, or from 23.11 on two. A quarter of the half is for the former where that is less than
 * what is wanted of it.
 *
 * <p>Example, Slurm's defaults, 2 RPCs a second and a bucket of 30: each 4 s one {@code squeue} and
 * one {@code sstat} for one job are 1 RPC a second; where jobs take turns {@code sstat} is each 4.5
 * s, and for two jobs in one call of eight. Of 20 a second, each second one {@code squeue} and
 * {@code sstat} for 3 jobs are 10.
 *
 * @param perSecond RPCs of one user
 * @param bucket of them at once
 */
record RpcLimit(double perSecond, int bucket) {
  private static final Pattern PARAMETERS =
      Pattern.compile("(?mi)^SlurmctldParameters[ \\t]*=(.*)$");
  private static final Pattern SLURM_USER =
      Pattern.compile("(?mi)^SlurmUser[ \\t]*=[ \\t]*([^(\\s]+)");
  private static final Pattern ENABLED = Pattern.compile("(?i)rl_enable");
  private static final Pattern RATE = number("rl_refill_rate");
  private static final Pattern PERIOD = number("rl_refill_period");
  private static final Pattern BUCKET = number("rl_bucket_size");

  /** Slurm's defaults, of which the period is in seconds. */
  private static final int DEFAULT_RATE = 2;

  private static final int DEFAULT_PERIOD = 1;
  private static final int DEFAULT_BUCKET = 30;

  private static final int SHARE = 2;
  private static final int OF_QUEUE = 4;
  private static final int OF_A_JOB = 3;
  private static final Duration LONGEST = Duration.ofHours(1);

  /**
   * The limit of a user; empty where there is none.
   *
   * @param config what {@code scontrol show config} has printed
   */
  static Optional<RpcLimit> of(String config, String user) {
    var slurmUser = SLURM_USER.matcher(config);
    var parameters = PARAMETERS.matcher(config);
    if (user.equals("root")
        || (slurmUser.find() && slurmUser.group(1).equals(user))
        || !parameters.find()
        || !ENABLED.matcher(parameters.group(1)).find()) {
      return Optional.empty();
    }
    String words = parameters.group(1);
    int bucket = read(BUCKET, words, DEFAULT_BUCKET);
    double rate = Math.min(read(RATE, words, DEFAULT_RATE), bucket); // what flows over is lost
    return Optional.of(new RpcLimit(rate / read(PERIOD, words, DEFAULT_PERIOD), bucket));
  }

  private static Pattern number(String name) {
    return Pattern.compile("(?i)" + name + "=([1-9]\\d{0,8})(?!\\d)");
  }

  private static int read(Pattern number, String words, int otherwise) {
    var found = number.matcher(words);
    return found.find() ? Integer.parseInt(found.group(1)) : otherwise;
  }

  /** As often as wanted, or as this allows for one job at a time, where no other takes turns. */
  Frequency within(Frequency wanted) {
    Duration queue = longer(wanted.queue(), OF_QUEUE * SHARE / perSecond);
    Duration steps = longer(wanted.steps(), OF_A_JOB / ofSteps(queue));
    return new Frequency(queue, steps, wanted.shared());
  }

  /**
   * Between two {@code sstat} where that is for one job, and for one more in one call of {@value
   * JobRotation#BESIDE}.
   */
  Duration withTurns(Frequency within) {
    double jobs = 1 + 1.0 / JobRotation.BESIDE;
    return longer(within.steps(), jobs * OF_A_JOB / ofSteps(within.queue()));
  }

  /**
   * For how many jobs one {@code sstat} may ask, 1 at least, at a frequency that is within this.
   */
  int jobs(Frequency within) {
    double ofRate = ofSteps(within.queue()) * seconds(within.steps()) / OF_A_JOB;
    int ofBucket = (bucket / SHARE - 1) / OF_A_JOB;
    return Math.max(1, (int) Math.min(Math.min(ofRate, ofBucket), JobRotation.MOST));
  }

  /** RPCs a second that are left for {@code sstat}: three quarters of the half at least. */
  private double ofSteps(Duration queue) {
    double half = perSecond / SHARE;
    return Math.max(half - half / OF_QUEUE, half - 1 / seconds(queue));
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  private static Duration longer(Duration wanted, double seconds) {
    Duration least = Duration.ofNanos((long) Math.ceil(1e9 * Math.min(seconds, seconds(LONGEST))));
    return least.compareTo(wanted) > 0 ? least : wanted;
  }
}
