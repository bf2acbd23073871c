package io.eley.coordinator.drivers;

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
import io.eley.controller.loop.PlanLoop;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.metadata.MetadataCache;
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
 * The Spark applications, and the messages of their drivers. The agent owns it.
 *
 * <p>Splits name files by path; their versions come from the metadata cache, on other threads, and
 * only then does the planner get the splits. Parts of a stage keep their order; what overtakes them
 * (ended tasks, an ended stage) the planner can take in any order.
 */
public final class Drivers {
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

    void noteAlive(Session from) {
      session = from;
      lost = false;
    }

    void noteLost(long now) {
      lost = true;
      lostAt = now;
    }
  }

  private final PlanLoop plans;
  private final MetadataCache metadata;
  private final Agent agent;
  private final Map<String, Driver> drivers = new LinkedHashMap<>();

  /** A register without applications. */
  public Drivers(PlanLoop plans, MetadataCache metadata, Agent agent) {
    this.plans = plans;
    this.metadata = metadata;
    this.agent = agent;
  }

  /** Does what a driver's message asks for. */
  public void handle(Session session, PlanMessage message) {
    if (message instanceof StartApplication m) {
      start(session, m.application(), m.name());
    } else if (message instanceof WaveSize m) {
      driver(session, m.application());
      plans.setWaveSize(m.application(), m.tasks());
    } else if (message instanceof PlanStage m) {
      plan(driver(session, m.stage().application()), m);
    } else if (message instanceof TasksEnded m) {
      driver(session, m.stage().application());
      plans.endTasks(m.stage(), m.partitions());
    } else if (message instanceof StageEnded m) {
      driver(session, m.stage().application());
      plans.endStage(m.stage());
    } else if (message instanceof EndApplication m) {
      end(m.application(), "has ended");
    }
  }

  private Driver start(Session session, String application, String name) {
    var driver = new Driver(name, session);
    drivers.put(application, driver);
    plans.startApplication(application);
    LOG.info("application {} ({}) has started", application, name);
    return driver;
  }

  /**
   * The session's driver; one that is unknown, because the coordinator was restarted, is registered
   * now.
   */
  private Driver driver(Session session, String application) {
    Driver known = drivers.get(application);
    if (known == null) {
      return start(session, application, "");
    }
    known.noteAlive(session);
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
      plans.addSplits(message.stage(), message.splits(), files);
    }
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
    over.forEach(application -> end(application, "has not come back"));
  }

  private void end(String application, String how) {
    if (drivers.remove(application) != null) {
      plans.endApplication(application);
      LOG.info("application {} {}", application, how);
    }
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
                    f.endedSplits()));
  }
}
