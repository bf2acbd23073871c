package io.eley.coordinator;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.command.Commands;
import io.eley.scheduler.hooks.counters.CounterReaders;
import io.eley.scheduler.hooks.counters.CounterSampler;
import io.eley.scheduler.hooks.probe.FileProbe;
import io.eley.scheduler.hooks.probe.IorProbe;
import io.eley.scheduler.hooks.signal.Poller;
import io.eley.scheduler.hooks.signal.Sampler;
import io.eley.scheduler.hooks.slurm.SlurmSampler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pollers of the sources that are on. Each looks on a thread of its own and hands what it saw
 * to the agent.
 */
final class Signals implements AutoCloseable {
  /**
   * Their word, while it is fresh. Bytes of a job are its own; a counter may be somebody's backup.
   */
  private static final double SLURM_CONFIDENCE = 0.95;

  private static final double COUNTERS_CONFIDENCE = 0.8;
  private static final double PROBE_CONFIDENCE = 0.6;

  /** Intervals without a word after which a source is lost, beside its deadline. */
  private static final int LOST_AFTER = 4;

  /** Environment variable: the job that this deployment serves, when it is not part of it. */
  private static final String SERVED_JOB = "ELEY_SERVED_JOB";

  private final List<Poller> pollers = new ArrayList<>();

  private Signals() {}

  /**
   * Starts the sources that the options name. Blocks no longer than it takes to start threads: what
   * is not there shows in the report.
   *
   * @throws EleyException in one line for the operator, when an option makes no sense
   */
  static Signals start(CoordinatorOptions options, Agent agent, Coordinator coordinator)
      throws EleyException {
    var signals = new Signals();
    var wanted = options.signals();
    try {
      wanted
          .slurm()
          .ifPresent(
              s ->
                  signals.poll(
                      new SlurmSampler(
                          new Commands(
                              wanted.deadline(),
                              s.conf().isBlank() ? Map.of() : Map.of("SLURM_CONF", s.conf())),
                          s.rule().butFor(ourJobs(System.getenv())),
                          s.queueInterval(),
                          agent::now),
                      s.interval(),
                      wanted.deadline(),
                      SLURM_CONFIDENCE,
                      false,
                      agent,
                      coordinator));
      wanted
          .counters()
          .ifPresent(
              c ->
                  signals.poll(
                      new CounterSampler(
                          CounterReaders.of(c.specification(), wanted.deadline()), agent::now),
                      c.interval(),
                      wanted.deadline(),
                      COUNTERS_CONFIDENCE,
                      true,
                      agent,
                      coordinator));
      if (wanted.probe().isPresent()) {
        var p = wanted.probe().get();
        var io =
            new FileProbe(directory(p.directory(), options.origin()), p.size(), p.sync(), p.read());
        signals.poll(
            new IorProbe(
                io,
                p.interval(),
                coordinator::ourBytesPerSecond,
                coordinator::phaseKnownWithoutProbe,
                agent::now),
            p.interval(),
            wanted.deadline(),
            PROBE_CONFIDENCE,
            false,
            agent,
            coordinator);
      }
      return signals;
    } catch (IllegalArgumentException e) {
      signals.close();
      throw new EleyException(ErrorCode.MALFORMED, e.getMessage() + "", e);
    }
  }

  private static Path directory(String wanted, String origin) {
    String where = wanted.isBlank() ? origin : wanted;
    if (!Files.isDirectory(Path.of(where))) {
      throw new IllegalArgumentException(
          SignalKeys.PROBE.name()
              + " needs a directory to probe, and "
              + where
              + " is none; set "
              + SignalKeys.PROBE_DIRECTORY.name());
    }
    return Path.of(where);
  }

  /** The job that this process is part of, with its components, and the one that it serves. */
  static Set<Long> ourJobs(Map<String, String> environment) {
    var jobs = new HashSet<Long>();
    environment.forEach(
        (name, value) -> {
          if (name.matches("SLURM_JOB_ID(_HET_GROUP_\\d+)?|" + SERVED_JOB)
              && value.matches("\\d{1,18}")) {
            jobs.add(Long.parseLong(value));
          }
        });
    return jobs;
  }

  private void poll(
      Sampler sampler,
      Duration interval,
      Duration deadline,
      double confidence,
      boolean seesEverybody,
      Agent agent,
      Coordinator coordinator) {
    String name = sampler.name();
    Duration freshness = interval.multipliedBy(LOST_AFTER).plus(deadline);
    agent.execute(() -> coordinator.source(name, confidence, seesEverybody, freshness));
    pollers.add(
        Poller.start(
            sampler,
            interval,
            seen -> agent.execute(() -> coordinator.seen(name, seen)),
            why -> agent.execute(() -> coordinator.notSeen(name, why))));
  }

  /** Ends all looks; waits for half a second each at most. */
  @Override
  public void close() {
    pollers.forEach(Poller::close);
  }
}
