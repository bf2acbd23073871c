package io.eley.api.wire;

import io.eley.api.BufferMode;
import io.eley.api.ReadCause;
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
 * @param openPhases names of the HPC applications that are in a phase
 * @param nodes one entry a node
 * @param applications one entry a Spark application
 */
public record DeploymentReport(
    BufferMode mode,
    String originAddress,
    long epoch,
    long uptimeMillis,
    String permitReason,
    List<String> openPhases,
    List<NodeReport> nodes,
    List<ApplicationReport> applications) {
  public DeploymentReport {
    openPhases = List.copyOf(openPhases);
    nodes = List.copyOf(nodes);
    applications = List.copyOf(applications);
  }

  /**
   * One Spark application.
   *
   * @param waveSize tasks that can run at once
   * @param windowBytes bytes of its window, and how many of them are in RAM
   * @param plannedSplits splits of its live stages, and how many of them have ended
   */
  public record ApplicationReport(
      String application,
      String name,
      int waveSize,
      long windowBytes,
      long windowBytesInRam,
      int plannedSplits,
      int endedSplits) {}

  /** One node: its address and its counters at the last heartbeat. */
  public record NodeReport(
      String id, String host, int port, long heartbeatAgeMillis, NodeCounters counters) {}

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
        .list(openPhases, WireWriter::text)
        .list(nodes, DeploymentReport::writeNode)
        .list(applications, DeploymentReport::writeApplication);
  }

  static DeploymentReport read(WireReader in) {
    return new DeploymentReport(
        in.constant(BufferMode.class),
        in.path(),
        in.i64(),
        in.i64(),
        in.text(),
        in.list(WireReader::text),
        in.list(DeploymentReport::readNode),
        in.list(DeploymentReport::readApplication));
  }

  private static void writeNode(WireWriter out, NodeReport n) {
    out.text(n.id).text(n.host).i32(n.port).i64(n.heartbeatAgeMillis);
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
        .i32(a.endedSplits);
  }

  private static ApplicationReport readApplication(WireReader in) {
    return new ApplicationReport(
        in.text(), in.text(), in.i32(), in.i64(), in.i64(), in.i32(), in.i32());
  }
}
