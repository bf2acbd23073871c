package io.eley.scheduler.hooks.job;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.UnderWay;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.NodeCounters;
import java.util.List;
import java.util.Map;

/** Reports of a coordinator, as far as a job's life looks at them. */
final class Reports {
  private Reports() {}

  static DeploymentReport of(List<NodeReport> nodes, List<ApplicationReport> applications) {
    return new DeploymentReport(
        BufferMode.FULL_DELAY,
        "file:///mnt/pfs",
        1,
        1000,
        "no phase",
        List.of(),
        new DeploymentReport.Control("full-delay", List.of(), List.of(), List.of()),
        nodes,
        applications);
  }

  static NodeReport node(String name, boolean permitOpen, int queued) {
    return node(name, permitOpen, queued, UnderWay.NONE);
  }

  static NodeReport node(String name, boolean permitOpen, int queued, UnderWay underWay) {
    var counters =
        new NodeCounters(
            1 << 30,
            0,
            0,
            0,
            0,
            Map.of(),
            0,
            queued,
            1,
            permitOpen,
            0,
            0,
            false,
            0,
            NodeCounters.Scratch.NONE,
            true,
            0,
            underWay);
    return new NodeReport(name, "127.0.0.1", 7001, 10, counters);
  }

  static ApplicationReport application(String name, int splits, long window, long inRam) {
    return new ApplicationReport(name, name, splits, window, inRam, splits, 0, 0);
  }
}
