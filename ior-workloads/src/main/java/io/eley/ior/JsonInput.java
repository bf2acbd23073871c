package io.eley.ior;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Settings;
import io.eley.ior.IorResult.Summary;
import io.eley.ior.IorResult.Times;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** IOR's JSON. It has no iteration numbers: the order is all there is. */
final class JsonInput {
  private static final ObjectMapper JSON = new ObjectMapper();

  private JsonInput() {}

  static IorResult read(String text) throws IOException {
    JsonNode root;
    try {
      root = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IOException("malformed JSON of IOR: " + e.getOriginalMessage(), e);
    }
    var phases = new ArrayList<Phase>();
    var settings = new LinkedHashMap<String, String>();
    for (JsonNode test : root.path("tests")) {
      test.path("Options")
          .properties()
          .forEach(field -> settings.put(field.getKey(), field.getValue().asText()));
      phases(test.path("Results"), phases);
    }
    var summaries = new ArrayList<Summary>();
    root.path("summary").forEach(s -> summaries.add(summary(s)));
    return new IorResult(phases, summaries, List.of(), new Settings(settings));
  }

  private static void phases(JsonNode results, List<Phase> phases) {
    Map<String, Integer> iterations = new HashMap<>();
    for (JsonNode r : results) {
      String operation = r.path("access").asText();
      int iteration = iterations.merge(operation, 1, Integer::sum) - 1;
      phases.add(
          new Phase(
              operation,
              r.path("bwMiB").asDouble(),
              r.path("iops").asDouble(),
              r.path("latency").asDouble(),
              r.path("blockKiB").asDouble(),
              r.path("xferKiB").asDouble(),
              new Times(
                  r.path("openTime").asDouble(),
                  r.path("wrRdTime").asDouble(),
                  r.path("closeTime").asDouble(),
                  r.path("totalTime").asDouble()),
              iteration));
    }
  }

  private static Summary summary(JsonNode s) {
    return new Summary(
        s.path("operation").asText(),
        s.path("bwMaxMIB").asDouble(),
        s.path("bwMinMIB").asDouble(),
        s.path("bwMeanMIB").asDouble(),
        s.path("bwStdMIB").asDouble(),
        s.path("MeanTime").asDouble(),
        s.path("numTasks").asInt(),
        s.has("StoneWallTime")
            ? OptionalDouble.of(s.path("StoneWallTime").asDouble())
            : OptionalDouble.empty());
  }
}
