package io.eley.cli.render;

import io.eley.bb.api.wire.DeploymentReport;
import java.util.LinkedHashMap;
import java.util.Map;

/** A deployment at one moment, for programs: the coordinator's report as it is. */
public final class StatusJson {
  private StatusJson() {}

  /** The document of {@code eley status --json}. */
  public static String render(DeploymentReport report) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("mode", report.mode());
    fields.put("originAddress", report.originAddress());
    fields.put("uptimeMillis", report.uptimeMillis());
    fields.put("permits", permits(report));
    fields.put("phases", report.phases());
    fields.put("forecasts", report.control().forecasts());
    fields.put("sources", report.control().sources());
    fields.put("models", report.control().models());
    fields.put("nodes", report.nodes());
    fields.put("originBytes", report.originBytes());
    fields.put("applications", report.applications());
    fields.put("totals", report.totals());
    return Json.document(fields);
  }

  /** Why permits are what they are, for {@code eley why --json} and as a part of the status. */
  public static Map<String, Object> permits(DeploymentReport report) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("reason", report.permitReason());
    fields.put("operator", report.control().operator());
    fields.put("nodes", report.nodes().size());
    fields.put("open", report.nodes().stream().filter(n -> n.counters().permitOpen()).count());
    return fields;
  }
}
