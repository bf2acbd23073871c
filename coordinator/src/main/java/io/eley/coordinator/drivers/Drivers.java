package io.eley.coordinator.drivers;

import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.edge.Tombstones;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.EndApplication;
import io.eley.bb.api.wire.PlanMessage.OutputsStayed;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.StageEnded;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.TaskRead;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.PlanMessage.TentativeStage;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Stayed;
import io.eley.bb.server.net.Session;
import io.eley.controller.loop.PlanLoop;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.coordinator.metadata.MetadataCache;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Spark applications, and the messages of their drivers. The agent owns it.
 *
 * <p>Splits name files by path; their versions come from the metadata cache, on other threads, and
 * only then does the planner get the splits. Parts of a stage keep their order; what overtakes them
 * (ended tasks, an ended stage) the planner can take in any order.
 */
public final class Drivers {
  private static final Logger LOG = LoggerFactory.getLogger(Drivers.class);

  /** A driver of ours has one part under way; one that does not wait for answers has so many. */
  private static final int PENDING_MAX = 32;

  private static final int FULL_STAGES_NOTED = 1000;

  /** Names come from outside: of so many applications more than have a plan the end is known. */
  private static final int UNPLANNED_MAX = 1000;

  /**
   * How long the drivers of an earlier coordinator have at least, since they must find this one's
   * address first: on other hosts the file may be as old as their file system's cache.
   */
  private static final Duration RETURN = Duration.ofMinutes(5);

  private static final int ENDED_MOST = 1000;

  /** Longer than a node is away that comes back. */
  private static final Duration ENDED_REMEMBERED = Duration.ofMinutes(10);

  private static final Failure NO_ROOM =
      new Failure(
          ErrorCode.NO_SPACE,
          "there is no room for the plan of another application: it is read without prefetching");

  private static final Failure TOO_FAST =
      new Failure(
          ErrorCode.NO_SPACE,
          "more than " + PENDING_MAX + " parts of plans wait for their files' versions");

  /** One report of everything of one application, and what follows it. */
  private static final class Driver {
    private final String name;
    private Session session;
    private boolean lost;
    private long lostAt;

    /** Whether there was room for its plan; if not, it is asked for with each message. */
    private boolean hasPlan;

    private CompletableFuture<?> planned = CompletableFuture.completedFuture("");

    /** Parts of plans whose files' versions are not known yet. */
    private int pending;

    private final Instant began;
    private ReadTotals reads;
    private List<Stayed> stayed = List.of();

    /** Stages whose plans do not fit, each logged once. */
    private final Set<StageId> full = new HashSet<>();

    Driver(String name, Session session, Instant began, ReadTotals reads) {
      this.name = name;
      this.began = began;
      this.reads = reads;
      this.session = session;
    }

    /**
     * It reports everything again, after a broken connection: its plan begins anew, it does not.
     */
    Driver again(String newName, Session from) {
      var again = new Driver(newName, from, began, reads);
      again.stayed = stayed;
      return again;
    }

    void noteAlive(Session from) {
      session = from;
      lost = false;
    }

    void noteRead(TaskRead task) {
      long bytes = task.slices().stream().mapToLong(slice -> slice.range().length()).sum();
      reads = reads.plus(bytes, task.waitedNanos());
    }

    void noteLost(long now) {
      lost = true;
      lostAt = now;
    }
  }

  private final PlanLoop plans;
  private final MetadataCache metadata;
  private final Agent agent;
  private final Consumer<String> ended;
  private final Map<String, Driver> drivers = new LinkedHashMap<>();

  /** Applications that only an earlier coordinator knew, and since when they are expected. */
  private final Map<String, Long> expected = new LinkedHashMap<>();

  /** For nodes that were away then. */
  private final Tombstones<String> endedLately;

  private Consumer<List<String>> keeper = names -> {};
  private final DriverTotals totals = new DriverTotals();

  /**
   * A register without applications.
   *
   * @param ended hears of each application that has ended, or whose driver has not come back
   */
  public Drivers(PlanLoop plans, MetadataCache metadata, Agent agent, Consumer<String> ended) {
    this.ended = ended;
    this.plans = plans;
    this.metadata = metadata;
    this.agent = agent;
    endedLately = new Tombstones<>(ENDED_MOST, ENDED_REMEMBERED, agent::now);
  }

  /**
   * Takes over the applications of an earlier coordinator: one whose driver does not report here is
   * over, too, only later than one whose connection was lost.
   *
   * @param keeper takes the names of all applications whenever they change
   */
  public void takeOver(List<String> earlier, Consumer<List<String>> keeper) {
    this.keeper = keeper;
    earlier.forEach(application -> expected.put(application, agent.now()));
    expected.keySet().removeAll(drivers.keySet());
  }

  private void keep() {
    keeper.accept(Stream.concat(drivers.keySet().stream(), expected.keySet().stream()).toList());
  }

  /**
   * Does what a driver's message asks for, and replies: to a plan once it is taken, so that a
   * driver does not send faster than files' versions come; with {@code NO_SPACE} when it does not
   * fit.
   */
  public void handle(Session session, long correlation, PlanMessage message) {
    if (message instanceof PlanStage m) {
      plan(session, correlation, m);
    } else if (message instanceof StartApplication m
        && start(session, m.application(), m.name()).filter(d -> d.hasPlan).isEmpty()) {
      session.reply(correlation, NO_ROOM);
    } else {
      note(session, message);
      session.reply(correlation, new Ok());
    }
  }

  private void note(Session session, PlanMessage message) {
    if (message instanceof WaveSize m) {
      driver(session, m.application());
      totals.noteWave(m.tasks());
      plans.setWaveSize(m.application(), m.tasks());
    } else if (message instanceof TasksEnded m) {
      driver(session, m.stage().application());
      plans.endTasks(m.stage(), m.partitions());
    } else if (message instanceof TentativeStage m) {
      driver(session, m.stage().application());
      plans.makeTentative(m.stage());
    } else if (message instanceof TaskRead m) {
      driver(session, m.stage().application()).ifPresent(d -> d.noteRead(m));
      totals.noteRead(m.waitedNanos());
      plans.noteRead(m.stage(), m.partition(), m.slices());
    } else if (message instanceof OutputsStayed m) {
      driver(session, m.application()).ifPresent(d -> d.stayed = m.stayed());
    } else if (message instanceof StageEnded m) {
      driver(session, m.stage().application());
      plans.endStage(m.stage());
    } else if (message instanceof EndApplication m) {
      end(m.application(), "has ended");
    }
  }

  /**
   * Begins an application, whose end is to be known, since nodes have its intermediate data until
   * then: so also one for whose plan there is no room. Empty when there are too many of these.
   */
  private Optional<Driver> start(Session session, String application, String name) {
    boolean wasExpected = expected.remove(application) != null;
    endedLately.remove(application);
    Driver before = drivers.get(application);
    boolean hasPlan = plans.startApplication(application);
    // A driver reports everything again whenever it is not sure, which may be often.
    boolean news = before == null || !before.name.equals(name) || before.hasPlan != hasPlan;
    if (news && !hasPlan) {
      LOG.warn("application {} is not planned: {}", application, NO_ROOM.text());
    }
    if (!hasPlan && before == null && unplanned() >= UNPLANNED_MAX) {
      if (wasExpected) {
        keep();
      }
      return Optional.empty();
    }
    var driver =
        before == null
            ? new Driver(name, session, agent.timeOfDay(), ReadTotals.NONE)
            : before.again(name, session);
    driver.hasPlan = hasPlan;
    drivers.put(application, driver);
    if (before == null) {
      keep();
    }
    totals.noteApplication(application);
    if (news) {
      LOG.info("application {} ({}) has started", application, name);
    }
    return Optional.of(driver);
  }

  private long unplanned() {
    return drivers.values().stream().filter(driver -> !driver.hasPlan).count();
  }

  /**
   * The session's driver; one that is unknown, because the coordinator was restarted, is registered
   * now. Empty when there are too many without a plan.
   */
  private Optional<Driver> driver(Session session, String application) {
    Driver known = drivers.get(application);
    if (known == null) {
      return start(session, application, "");
    }
    known.noteAlive(session);
    known.hasPlan = known.hasPlan || plans.startApplication(application);
    return Optional.of(known);
  }

  private void plan(Session session, long correlation, PlanStage message) {
    Driver driver = driver(session, message.stage().application()).orElse(null);
    if (driver == null || !driver.hasPlan || driver.pending == PENDING_MAX) {
      session.reply(correlation, driver == null || !driver.hasPlan ? NO_ROOM : TOO_FAST);
      return;
    }
    driver.pending++;
    CompletableFuture<Map<String, FileVersion>> versions = versions(message.splits());
    driver.planned =
        driver.planned.thenCombine(
            versions,
            (before, files) -> {
              agent.execute(() -> session.reply(correlation, add(driver, message, files)));
              return before;
            });
  }

  private Message add(Driver driver, PlanStage message, Map<String, FileVersion> files) {
    driver.pending--;
    if (drivers.get(message.stage().application()) != driver
        || plans.addSplits(message.stage(), message.splits(), files)) {
      return new Ok();
    }
    String why =
        "the plan of stage "
            + message.stage()
            + " does not fit into "
            + CoordinatorKeys.PLAN_MEMORY.name()
            + ": the rest waits for tasks to end";
    if (driver.full.size() < FULL_STAGES_NOTED && driver.full.add(message.stage())) {
      LOG.warn("{}", why);
    }
    return new Failure(ErrorCode.NO_SPACE, why);
  }

  /**
   * The versions of the files whose attributes could be read; nothing is fetched for the others.
   */
  private CompletableFuture<Map<String, FileVersion>> versions(List<Split> splits) {
    var files = new ConcurrentHashMap<String, FileVersion>();
    var asked =
        splits.stream()
            .flatMap(split -> split.slices().stream())
            .map(FileSlice::path)
            .distinct()
            .map(path -> metadata.stat(path, false).handle((status, e) -> note(files, status)))
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(asked).thenApply(unused -> files);
  }

  private static boolean note(Map<String, FileVersion> files, @Nullable OriginStatus status) {
    if (status == null || status.directory()) {
      return false;
    }
    files.put(status.path(), status.version());
    return true;
  }

  /** Notes that a connection has ended; its applications may come back with another one. */
  public void disconnect(Session session, long now) {
    drivers.values().stream().filter(d -> d.session == session).forEach(d -> d.noteLost(now));
  }

  /** Ends the applications whose drivers have not come back. */
  public void expire(Duration grace, long now) {
    var over = new ArrayList<String>();
    drivers.forEach(
        (application, driver) -> {
          if (driver.lost && now - driver.lostAt >= grace.toNanos()) {
            over.add(application);
          }
        });
    long longer = Math.max(grace.toNanos(), RETURN.toNanos());
    expected.forEach(
        (application, since) -> {
          if (now - since >= longer) {
            over.add(application);
          }
        });
    over.forEach(application -> end(application, "has not come back"));
  }

  private void end(String application, String how) {
    boolean wasExpected = expected.remove(application) != null;
    if (drivers.remove(application) != null || wasExpected) {
      keep();
      plans.endApplication(application);
      endedLately.add(application);
      ended.accept(application);
      LOG.info("application {} {}", application, how);
    }
  }

  /** Those that ended a moment ago and have not begun again, for who may not have heard of it. */
  public List<String> endedLately() {
    return endedLately.all();
  }

  /** What all applications did together, those that have ended included. */
  public DriverTotals totals() {
    return totals;
  }

  /** When an application began here: it may have been known to an earlier coordinator. */
  public Optional<Instant> began(String application) {
    return Optional.ofNullable(drivers.get(application)).map(d -> d.began);
  }

  /** What the tasks of each application have told of their reads. */
  public Map<String, ReadTotals> reads() {
    var reads = new LinkedHashMap<String, ReadTotals>();
    drivers.forEach((application, driver) -> reads.put(application, driver.reads));
    return reads;
  }

  /** Each application in the deployment's report. */
  public List<ApplicationReport> report() {
    return drivers.entrySet().stream().flatMap(e -> report(e.getKey(), e.getValue())).toList();
  }

  private Stream<ApplicationReport> report(String application, Driver driver) {
    return plans.figures(application).stream()
        .map(
            f ->
                new ApplicationReport(
                    application,
                    driver.name,
                    f.waveSize(),
                    f.windowBytes(),
                    f.windowBytesInRam(),
                    f.plannedSplits(),
                    f.endedSplits(),
                    f.unreadBytes(),
                    driver.stayed));
  }
}
