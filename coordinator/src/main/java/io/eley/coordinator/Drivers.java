package io.eley.coordinator;

import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Split;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.EndApplication;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.StageEnded;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.server.net.Session;
import io.eley.prefetcher.plan.ApplicationFigures;
import io.eley.prefetcher.plan.WavePlanner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Spark applications and what their drivers say. The agent's.
 *
 * <p>Splits name files by path; their versions come from the metadata cache, on other threads, and
 * only then does the planner get the splits. Parts of a stage keep their order; what overtakes them
 * (ended tasks, an ended stage) the planner can take in any order.
 */
final class Drivers {
  private static final Logger LOG = LoggerFactory.getLogger(Drivers.class);

  /** One life of one application. */
  private static final class Driver {
    private final String name;
    private Session session;
    private boolean lost;
    private long lostAt;
    private CompletableFuture<?> planned = CompletableFuture.completedFuture("");

    Driver(String name, Session session) {
      this.name = name;
      this.session = session;
    }

    void heard(Session from) {
      session = from;
      lost = false;
    }

    void lose(long now) {
      lost = true;
      lostAt = now;
    }
  }

  private final WavePlanner planner;
  private final MetadataCache metadata;
  private final Agent agent;
  private final Runnable changed;
  private final Map<String, Driver> drivers = new LinkedHashMap<>();

  /**
   * No applications.
   *
   * @param changed run on the agent after every change of the planner's input
   */
  Drivers(WavePlanner planner, MetadataCache metadata, Agent agent, Runnable changed) {
    this.planner = planner;
    this.metadata = metadata;
    this.agent = agent;
    this.changed = changed;
  }

  void received(Session session, PlanMessage message) {
    if (message instanceof StartApplication m) {
      start(session, m.application(), m.name());
    } else if (message instanceof WaveSize m) {
      driver(session, m.application());
      planner.waveSize(m.application(), m.tasks());
    } else if (message instanceof PlanStage m) {
      plan(driver(session, m.stage().application()), m);
    } else if (message instanceof TasksEnded m) {
      driver(session, m.stage().application());
      planner.tasksEnded(m.stage(), m.partitions());
    } else if (message instanceof StageEnded m) {
      driver(session, m.stage().application());
      planner.stageEnded(m.stage());
    } else if (message instanceof EndApplication m) {
      end(m.application(), "has ended");
    }
    changed.run();
  }

  private Driver start(Session session, String application, String name) {
    var driver = new Driver(name, session);
    drivers.put(application, driver);
    planner.startApplication(application);
    LOG.info("application {} ({}) has started", application, name);
    return driver;
  }

  /** A driver that goes on after we were restarted is as good as one that starts. */
  private Driver driver(Session session, String application) {
    Driver known = drivers.get(application);
    if (known == null) {
      return start(session, application, "");
    }
    known.heard(session);
    return known;
  }

  private void plan(Driver driver, PlanStage message) {
    CompletableFuture<Map<String, FileVersion>> versions = versions(message.splits());
    driver.planned =
        driver.planned.thenCombine(
            versions,
            (before, files) -> {
              agent.execute(() -> add(driver, message, files));
              return before;
            });
  }

  private void add(Driver driver, PlanStage message, Map<String, FileVersion> files) {
    if (drivers.get(message.stage().application()) == driver) {
      planner.addSplits(message.stage(), message.splits(), files);
      changed.run();
    }
  }

  /** Of the files that can be asked about; nothing is fetched for the others. */
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

  /** A connection has ended; its applications may come back with another one. */
  void closed(Session session, long now) {
    drivers.values().stream().filter(d -> d.session == session).forEach(d -> d.lose(now));
  }

  /** Ends the applications whose drivers have not come back. */
  void expire(Duration grace, long now) {
    var over = new ArrayList<String>();
    drivers.forEach(
        (application, driver) -> {
          if (driver.lost && now - driver.lostAt >= grace.toNanos()) {
            over.add(application);
          }
        });
    over.forEach(application -> end(application, "has not come back"));
    if (!over.isEmpty()) {
      changed.run();
    }
  }

  private void end(String application, String how) {
    if (drivers.remove(application) != null) {
      planner.endApplication(application);
      LOG.info("application {} {}", application, how);
    }
  }

  /** All applications in figures. */
  List<ApplicationFigures> figures() {
    return drivers.keySet().stream().flatMap(a -> planner.figures(a).stream()).toList();
  }

  List<ApplicationReport> report() {
    return drivers.entrySet().stream().flatMap(e -> report(e.getKey(), e.getValue())).toList();
  }

  private Stream<ApplicationReport> report(String application, Driver driver) {
    return planner.figures(application).stream()
        .map(
            f ->
                new ApplicationReport(
                    application,
                    driver.name,
                    f.waveSize(),
                    f.windowBytes(),
                    f.windowBytesInRam(),
                    f.plannedSplits(),
                    f.endedSplits()));
  }
}
