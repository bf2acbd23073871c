package io.eley.scheduler.hooks.probe;

import java.util.HashMap;
import java.util.Map;

/**
 * Decides by the probe's latencies whether others load the file system.
 *
 * <p><b>Baseline.</b> Our own fetching slows the probe down as well (eight readers of ours more
 * than somebody's IOR), so there is a baseline for each load of ours: the mean and the deviation of
 * the latency's logarithm, learned slowly, and only from what does not look foreign. Loads are told
 * apart by powers of two, 0 by itself. A load without a baseline gives no verdict: nobody is there
 * until it has one. Slow latencies that are no somebody yet are learned as if they were as slow as
 * the allowance: to leave them out would make the deviation smaller and smaller, and each next one
 * an alarm; to take them whole would teach somebody's first latencies.
 *
 * <p><b>Change.</b> A one-sided CUSUM (Page, "Continuous Inspection Schemes", Biometrika 1954) adds
 * up by how many deviations the latency exceeds the baseline, less an allowance; somebody is there
 * when it exceeds a threshold. Nobody is there any more after some latencies in a row that are
 * within the allowance: the hysteresis.
 *
 * <p>Not thread-safe.
 */
final class ProbeDetector {
  private static final int LEAST_SAMPLES = 10;

  /** The weight of the newest sample, once the baseline is known. */
  private static final double LEARNING = 0.02;

  private static final double ALLOWANCE = 1.5;
  private static final double THRESHOLD = 4;

  /** A latency this many deviations above the mean is not learned at all. */
  private static final double SUSPECT = 2.5;

  /**
   * The most that one sample counts, in deviations: two samples are needed, so one slow disk flush
   * is no phase.
   */
  private static final double MOST_OF_ONE = 3;

  private static final int CALM_SAMPLES = 2;

  /** The least deviation of a latency's logarithm; a smaller one is taken as this. */
  private static final double LEAST_DEVIATION = 0.1;

  private static final double ONE_LOAD = 4e6;

  private final Map<Integer, Baseline> baselines = new HashMap<>();
  private double sum;
  private int calm;
  private boolean somebody;

  private static final class Baseline {
    private int samples;
    private double mean;
    private double variance;

    void learn(double value) {
      samples++;
      double weight = Math.max(LEARNING, 1.0 / samples);
      double off = value - mean;
      mean += weight * off;
      variance = (1 - weight) * (variance + weight * off * off);
    }

    boolean known() {
      return samples >= LEAST_SAMPLES;
    }

    double deviations(double value) {
      return (value - mean) / deviation();
    }

    /** The value this many deviations above the mean. */
    double at(double deviations) {
      return mean + deviations * deviation();
    }

    private double deviation() {
      return Math.max(LEAST_DEVIATION, Math.sqrt(variance));
    }
  }

  /**
   * Takes a latency.
   *
   * @param nanos positive
   * @param ours bytes a second that we moved meanwhile
   * @return whether others load the file system
   */
  boolean observe(long nanos, double ours) {
    double value = Math.log((double) Math.max(1, nanos));
    Baseline baseline = baselines.computeIfAbsent(load(ours), l -> new Baseline());
    if (!baseline.known()) {
      somebody = false;
      sum = 0;
      calm = 0;
      baseline.learn(value);
      return false;
    }
    double deviations = baseline.deviations(value);
    sum = Math.max(0, sum + Math.min(MOST_OF_ONE, deviations - ALLOWANCE));
    calm = deviations <= ALLOWANCE ? calm + 1 : 0;
    if (somebody && calm >= CALM_SAMPLES) {
      somebody = false;
      sum = 0;
    } else if (sum > THRESHOLD) {
      somebody = true;
      sum = THRESHOLD;
    }
    if (!somebody && deviations <= SUSPECT) {
      baseline.learn(Math.min(value, baseline.at(ALLOWANCE)));
    }
    return somebody;
  }

  private static int load(double ours) {
    return ours < ONE_LOAD / 2 ? 0 : 1 + (int) Math.round(Math.log(ours / ONE_LOAD) / Math.log(2));
  }
}
