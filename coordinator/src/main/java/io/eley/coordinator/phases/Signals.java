package io.eley.coordinator.phases;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Sighting;
import io.eley.controller.watch.PhaseInput;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.config.SignalKeys;
import io.eley.coordinator.config.SignalOptions;
import io.eley.scheduler.hooks.command.Commands;
import io.eley.scheduler.hooks.counters.CounterReaders;
import io.eley.scheduler.hooks.counters.CounterSampler;
import io.eley.scheduler.hooks.job.JobMark;
import io.eley.scheduler.hooks.job.SlurmCommands;
import io.eley.scheduler.hooks.probe.FileProbe;
import io.eley.scheduler.hooks.probe.IorProbe;
import io.eley.scheduler.hooks.signal.PollTiming;
import io.eley.scheduler.hooks.signal.Poller;
import io.eley.scheduler.hooks.signal.Sampler;
import io.eley.scheduler.hooks.slurm.SlurmSampler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The pollers of the sources that are on. Each polls on a thread of its own and passes its samples
 * to the agent.
 */
public final class Signals implements AutoCloseable {
  /** Name of the source that probes. */
  static final String PROBE = IorProbe.NAME;

  /** As long as for polls under way. */
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final Agent agent;
  private final PhaseInput watch;
  private final Duration deadline;
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Poller> pollers = new ArrayList<>();
  private Optional<Thread> marking = Optional.empty();

  private Signals(Agent agent, PhaseInput watch, Duration deadline) {
    this.agent = agent;
    this.watch = watch;
    this.deadline = deadline;
  }

  /**
   * Starts the sources that the options name. Blocks no longer than it takes to start threads: a
   * source that does not work shows in the report.
   *
   * @param origin where the probe is, unless the options say otherwise
   * @param watch what the sources report to, on the agent's thread
   * @throws EleyException in one line for the operator, when an option makes no sense
   */
  public static Signals start(
      SignalOptions options, String origin, Agent agent, PhaseInput watch, PublishedRates rates)
      throws EleyException {
    var signals = new Signals(agent, watch, options.deadline());
    try {
      signals.startAll(options, origin, rates);
      signals.markOurJobs(options);
      agent.execute(() -> watch.onCloseLook(signals::lookClosely));
      return signals;
    } catch (IllegalArgumentException e) {
      signals.close();
      throw new EleyException(ErrorCode.MALFORMED, e.getMessage() + "", e);
    }
  }

  private void startAll(SignalOptions wanted, String origin, PublishedRates rates) {
    wanted.slurm().ifPresent(s -> poll(slurm(s, wanted.neighbours()), s.interval()));
    wanted.counters().ifPresent(c -> poll(counters(c), c.interval()));
    wanted.probe().ifPresent(p -> poll(probe(p, origin, rates), p.interval()));
  }

  /**
   * Others may watch Slurm even where this deployment does not. On a thread of its own, since Slurm
   * may take its time; it stays, for the end may have no room for a new one.
   */
  private void markOurJobs(SignalOptions options) {
    Set<Long> jobs = JobMark.ourJobs(System.getenv());
    if (!jobs.isEmpty()) {
      String conf = options.slurm().map(SignalOptions.Slurm::conf).orElse("");
      var mark = new JobMark(new SlurmCommands(commands(conf)));
      var thread = new Thread(() -> markUntilTheEnd(mark, jobs), "eley-job-mark");
      thread.setDaemon(true);
      thread.start();
      marking = Optional.of(thread);
    }
  }

  private void markUntilTheEnd(JobMark mark, Set<Long> jobs) {
    mark.put(jobs);
    try {
      over.await();
      mark.takeOff();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Commands commands(String conf) {
    return new Commands(deadline, conf.isBlank() ? Map.of() : Map.of("SLURM_CONF", conf));
  }

  private Sampler slurm(SignalOptions.Slurm options, String neighbours) {
    var commands = commands(options.conf());
    var environment = System.getenv();
    var rule = options.rule().butFor(JobMark.ourJobs(environment));
    var shared =
        options.conf().isBlank() ? sharedAnswers(neighbours, environment) : Optional.<Path>empty();
    var frequency = new SlurmSampler.Frequency(options.queueInterval(), options.interval(), shared);
    return new SlurmSampler(commands, rule, frequency, agent::now);
  }

  /**
   * Where this user's deployments share what Slurm has told one of them. Within jobs alone, which
   * know the name of their cluster: two clusters may have the same homes.
   */
  static Optional<Path> sharedAnswers(String neighbours, Map<String, String> environment) {
    String cluster = environment.getOrDefault("SLURM_CLUSTER_NAME", "");
    return neighbours.isBlank() || !cluster.matches("\\w[\\w.-]{0,63}")
        ? Optional.empty()
        : Optional.of(Path.of(neighbours).resolve("slurm-" + cluster));
  }

  private Sampler counters(SignalOptions.Counters options) {
    var timing = new PollTiming(options.interval(), deadline);
    var reader = CounterReaders.of(options.specification(), deadline);
    return new CounterSampler(reader, timing.freshness(), agent::now);
  }

  private Sampler probe(SignalOptions.Probe options, String origin, PublishedRates rates) {
    var io =
        new FileProbe(
            directory(options.directory(), origin), options.size(), options.sync(), options.read());
    return new IorProbe(
        io,
        options.interval(),
        rates::ourBytesPerSecond,
        rates::phaseKnownWithoutProbe,
        agent::now);
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

  private void poll(Sampler sampler, Duration interval) {
    poll(sampler, new PollTiming(interval, deadline));
  }

  /** Starts to poll one more source. */
  public void poll(Sampler sampler, PollTiming timing) {
    String name = sampler.name();
    var kind = sampler.kind(timing);
    agent.execute(() -> watch.add(kind));
    pollers.add(
        Poller.start(
            sampler,
            timing.interval(),
            seen -> observe(sampler, seen),
            why -> agent.execute(() -> watch.noteFailure(name, why))));
  }

  private void observe(Sampler sampler, List<Sighting> seen) {
    Blindness blindness = sampler.blindness();
    Duration interval = sampler.interval();
    Map<String, String> owners = sampler.owners();
    agent.execute(
        () -> {
          watch.noteOwners(owners);
          watch.noteInterval(sampler.name(), interval);
          watch.observe(sampler.name(), seen);
          watch.noteBlindness(sampler.name(), blindness);
        });
  }

  /**
   * Makes the counters look more often, or as usual; never blocks. They alone: how often Slurm is
   * asked is the site's to say, and probes would disturb what is listened to.
   */
  private void lookClosely(boolean closely) {
    pollers.stream()
        .filter(poller -> poller.name().equals(CounterSampler.NAME))
        .forEach(poller -> poller.lookClosely(closely));
  }

  /**
   * Ends all polling and takes the mark off the jobs that we have put it on; waits for two seconds
   * at most, where calls hang.
   */
  @Override
  public void close() {
    long until = System.nanoTime() + FAREWELL.toNanos();
    over.countDown();
    Poller.closeAll(pollers);
    try {
      if (marking.isPresent()) {
        TimeUnit.NANOSECONDS.timedJoin(marking.get(), until - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
