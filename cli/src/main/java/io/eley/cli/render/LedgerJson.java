package io.eley.cli.render;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The ledger for programs; what is not known is left out. */
public final class LedgerJson {
  private LedgerJson() {}

  /** A list of objects, in the order of the entries. */
  public static String render(List<PhaseEntry> entries) throws JsonProcessingException {
    return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(objects(entries));
  }

  /** The same for a document. */
  public static List<Map<String, Object>> objects(List<PhaseEntry> entries) {
    return entries.stream().map(LedgerJson::object).toList();
  }

  private static Map<String, Object> object(PhaseEntry e) {
    var object = new LinkedHashMap<String, Object>();
    object.put("application", e.application());
    object.put("source", e.source());
    object.put("began", e.began().toString());
    object.put("seconds", seconds(e.length()));
    e.predicted()
        .ifPresent(
            p -> {
              object.put("predictedBegin", p.begin().toString());
              object.put("predictedSeconds", seconds(p.length()));
              object.put("closedBefore", p.closedBefore());
            });
    e.foreignBytesPerSecond().ifPresent(f -> object.put("foreignBytesPerSecond", f));
    e.alone()
        .ifPresent(
            a -> {
              object.put("aloneSeconds", seconds(a.length()));
              object.put("aloneError", a.error());
            });
    e.slowdown().ifPresent(s -> object.put("slowdown", s));
    object.put("nodes", e.hold().nodes());
    object.put("confirmed", e.hold().confirmed());
    object.put("tasksPassed", e.hold().tasksPassed());
    e.hold().latency().ifPresent(l -> object.put("holdMillis", 1e3 * seconds(l)));
    object.put("underWayBytes", e.hold().underWay().bytes());
    object.put("underWayMostBytes", e.hold().underWay().mostBytes());
    object.put("ourBytes", e.ourBytes());
    object.put("metadataCalls", e.metadataCalls());
    object.put("operator", e.operator());
    object.put("decision", e.decision());
    object.put("ending", e.ending());
    object.put("resolutionSeconds", seconds(e.observed().resolution()));
    object.put("corrections", e.observed().corrections());
    return object;
  }

  private static double seconds(Duration d) {
    return d.toNanos() / 1e9;
  }
}
