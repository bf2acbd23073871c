package io.eley.cli.render;

import io.eley.bb.api.wire.DeploymentReport;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;

/** What a deployment was worth, for programs. */
public final class SummaryJson {
  private SummaryJson() {}

  /**
   * The document of {@code eley summary --json}, of the time since the coordinator's start.
   *
   * @param ledger all that it has, also of earlier coordinators
   * @param now time of day of the report
   * @param options by which the buffer gets its size
   */
  public static String render(
      DeploymentReport report, List<PhaseEntry> ledger, Instant now, SizeOptions options) {
    var use = BufferUse.of(report, ledger, now);
    var fields = new LinkedHashMap<String, Object>();
    fields.put("mode", use.mode());
    fields.put("nodes", use.nodes());
    fields.put("capacityBytes", use.capacityBytes());
    fields.put("seconds", use.seconds());
    fields.put("readBytes", use.readBytes());
    fields.put("ramBytes", use.ramBytes());
    fields.put("phases", use.phases().size());
    fields.put("phaseSeconds", use.phaseSeconds());
    fields.put("totals", use.totals());
    fields.put("nextTime", NextTime.advice(use, options));
    return Json.document(fields);
  }
}
