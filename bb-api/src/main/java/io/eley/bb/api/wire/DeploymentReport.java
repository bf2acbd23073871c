package io.eley.bb.api.wire;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The deployment at one moment, for people and for tests.
 *
 * @param mode the system that runs
 * @param originAddress where the data lives
 * @param epoch of the view
 * @param uptimeMillis of the coordinator
 * @param permitReason why permits are what they are now
 * @param phases that are open
 * @param control what is known of the signals, the near future and the models
 * @param nodes one entry a node
 * @param applications one entry a Spark application
 * @param totals of all applications since the coordinator's start
 */
public record DeploymentReport(
    BufferMode mode,
    String originAddress,
    long epoch,
    long uptimeMillis,
    String permitReason,
    List<PhaseReport> phases,
    Control control,
    List<NodeReport> nodes,
    List<ApplicationReport> applications,
    Totals totals) {
  /** A report of a deployment that has run no application to its end. */
  public DeploymentReport(
      BufferMode mode,
      String originAddress,
      long epoch,
      long uptimeMillis,
      String permitReason,
      List<PhaseReport> phases,
      Control control,
      List<NodeReport> nodes,
      List<ApplicationReport> applications) {
    this(
        mode,
        originAddress,
        epoch,
        uptimeMillis,
        permitReason,
        phases,
        control,
        nodes,
        applications,
        Totals.NONE);
  }

  public DeploymentReport {
    phases = List.copyOf(phases);
    nodes = List.copyOf(nodes);
    applications = List.copyOf(applications);
  }

  /**
   * One open phase.
   *
   * @param application its name
   * @param source names of the sources that report it, joined by {@code +}
   * @param confidencePercent how likely it is that the phase is real
   * @param ageMillis since it began
   */
  public record PhaseReport(
      String application, String source, int confidencePercent, long ageMillis) {}

  /**
   * How phases are known and what is made of them.
   *
   * @param operator that decided last
   * @param sources each with its health
   * @param forecasts of the next phases
   * @param models one line each, for people
   */
  public record Control(
      String operator,
      List<SourceReport> sources,
      List<ForecastReport> forecasts,
      List<String> models) {
    public Control {
      sources = List.copyOf(sources);
      forecasts = List.copyOf(forecasts);
      models = List.copyOf(models);
    }
  }

  /**
   * One source of phases.
   *
   * @param state fresh, lost or absent
   * @param ageMillis since its last report
   * @param message its last error; empty when there is none
   */
  public record SourceReport(String name, String state, long ageMillis, String message) {}

  /**
   * One phase to come.
   *
   * @param inMillis until its likeliest begin
   * @param lengthMillis how long it will last
   */
  public record ForecastReport(
      String application, long inMillis, long lengthMillis, int confidencePercent) {}

  /** Names of the HPC applications that are in a phase. */
  public List<String> openPhases() {
    return phases.stream().map(PhaseReport::application).toList();
  }

  /**
   * One Spark application.
   *
   * @param waveSize tasks that can run at once
   * @param windowBytes bytes of its window, and how many of them are in RAM
   * @param plannedSplits splits of its live stages, and how many of them have ended
   * @param unreadBytes that were in RAM for tasks that ended without reading them
   * @param stayed outputs of its map tasks that no node has, by cause
   */
  public record ApplicationReport(
      String application,
      String name,
      int waveSize,
      long windowBytes,
      long windowBytesInRam,
      int plannedSplits,
      int endedSplits,
      long unreadBytes,
      List<Stayed> stayed) {
    /** One whose outputs are all on nodes. */
    public ApplicationReport(
        String application,
        String name,
        int waveSize,
        long windowBytes,
        long windowBytesInRam,
        int plannedSplits,
        int endedSplits,
        long unreadBytes) {
      this(
          application,
          name,
          waveSize,
          windowBytes,
          windowBytesInRam,
          plannedSplits,
          endedSplits,
          unreadBytes,
          List.of());
    }

    public ApplicationReport {
      stayed = List.copyOf(stayed);
    }
  }

  /**
   * What all applications did together, those that have ended included.
   *
   * @param applications how many have come
   * @param largestWave of one of them
   * @param tasks that have told what they read through us
   * @param waitedMillis for how long these tasks waited for their reads, all together
   * @param pastBytes that clients read past the nodes
   * @param writtenBytes that clients wrote to the origin
   * @param servedBytes of all nodes, also those that have left; unlike their own counters, which
   *     are since each node's start
   * @param hitBytes the part of it that was in RAM when it was asked for
   */
  public record Totals(
      int applications,
      int largestWave,
      long tasks,
      long waitedMillis,
      long pastBytes,
      long writtenBytes,
      long servedBytes,
      long hitBytes) {
    /** Before the first application. */
    public static final Totals NONE = new Totals(0, 0, 0, 0, 0);

    /** Of whom nodes have served nothing. */
    public Totals(int applications, int largestWave, long tasks, long waitedMillis, long past) {
      this(applications, largestWave, tasks, waitedMillis, past, 0, 0, 0);
    }

    /** The same, with what nodes have served. */
    public Totals withServed(long served, long hits) {
      return new Totals(
          applications, largestWave, tasks, waitedMillis, pastBytes, writtenBytes, served, hits);
    }
  }

  /** One node: its address, and its counters when it last reported. */
  public record NodeReport(
      String id, String host, int port, long heardMillisAgo, NodeCounters counters) {}

  /** The sum of a cause's origin bytes over all nodes. */
  public Map<ReadCause, Long> originBytes() {
    var sum = new EnumMap<ReadCause, Long>(ReadCause.class);
    for (var node : nodes) {
      node.counters().originBytes().forEach((cause, bytes) -> sum.merge(cause, bytes, Long::sum));
    }
    return sum;
  }

  void write(WireWriter out) {
    out.constant(mode)
        .text(originAddress)
        .i64(epoch)
        .i64(uptimeMillis)
        .text(permitReason)
        .list(phases, DeploymentReport::writePhase)
        .text(control.operator)
        .list(control.sources, DeploymentReport::writeSource)
        .list(control.forecasts, DeploymentReport::writeForecast)
        .list(control.models, WireWriter::text)
        .list(nodes, DeploymentReport::writeNode)
        .list(applications, DeploymentReport::writeApplication)
        .i32(totals.applications)
        .i32(totals.largestWave)
        .i64(totals.tasks)
        .i64(totals.waitedMillis)
        .i64(totals.pastBytes)
        .i64(totals.writtenBytes)
        .i64(totals.servedBytes)
        .i64(totals.hitBytes);
  }

  static DeploymentReport read(WireReader in) {
    return new DeploymentReport(
        in.constant(BufferMode.class),
        in.path(),
        in.i64(),
        in.i64(),
        in.text(),
        in.list(DeploymentReport::readPhase),
        new Control(
            in.text(),
            in.list(DeploymentReport::readSource),
            in.list(DeploymentReport::readForecast),
            in.list(WireReader::text)),
        in.list(DeploymentReport::readNode),
        in.list(DeploymentReport::readApplication),
        new Totals(in.i32(), in.i32(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64()));
  }

  private static void writePhase(WireWriter out, PhaseReport p) {
    out.text(p.application).text(p.source).i32(p.confidencePercent).i64(p.ageMillis);
  }

  private static PhaseReport readPhase(WireReader in) {
    return new PhaseReport(in.text(), in.text(), in.i32(), in.i64());
  }

  private static void writeSource(WireWriter out, SourceReport s) {
    out.text(s.name).text(s.state).i64(s.ageMillis).text(s.message);
  }

  private static SourceReport readSource(WireReader in) {
    return new SourceReport(in.text(), in.text(), in.i64(), in.text());
  }

  private static void writeForecast(WireWriter out, ForecastReport f) {
    out.text(f.application).i64(f.inMillis).i64(f.lengthMillis).i32(f.confidencePercent);
  }

  private static ForecastReport readForecast(WireReader in) {
    return new ForecastReport(in.text(), in.i64(), in.i64(), in.i32());
  }

  private static void writeNode(WireWriter out, NodeReport n) {
    out.text(n.id).text(n.host).i32(n.port).i64(n.heardMillisAgo);
    n.counters.write(out);
  }

  private static NodeReport readNode(WireReader in) {
    return new NodeReport(in.text(), in.text(), in.i32(), in.i64(), NodeCounters.read(in));
  }

  private static void writeApplication(WireWriter out, ApplicationReport a) {
    out.text(a.application)
        .text(a.name)
        .i32(a.waveSize)
        .i64(a.windowBytes)
        .i64(a.windowBytesInRam)
        .i32(a.plannedSplits)
        .i32(a.endedSplits)
        .i64(a.unreadBytes)
        .list(a.stayed, (w, s) -> s.write(w));
  }

  private static ApplicationReport readApplication(WireReader in) {
    return new ApplicationReport(
        in.text(),
        in.text(),
        in.i32(),
        in.i64(),
        in.i64(),
        in.i32(),
        in.i32(),
        in.i64(),
        in.list(Stayed::read));
  }
}
