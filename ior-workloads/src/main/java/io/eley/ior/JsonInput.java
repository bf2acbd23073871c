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

/**
 * IOR's JSON. It has no iteration numbers: the order is all there is. With {@code -v} its results
 * contain removals too, which are no phases.
 */
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
    var summaries = new ArrayList<Summary>();
    try {
      for (JsonNode test : root.required("tests")) {
        test.required("Options")
            .properties()
            .forEach(field -> settings.put(field.getKey(), field.getValue().asText()));
        phases(test.required("Results"), phases);
      }
      root.required("summary").forEach(s -> summaries.add(summary(s)));
    } catch (IllegalArgumentException e) {
      throw new IOException("malformed JSON of IOR: " + e.getMessage(), e);
    }
    return new IorResult(phases, summaries, List.of(), new Settings(settings));
  }

  private static void phases(JsonNode results, List<Phase> phases) {
    Map<String, Integer> iterations = new HashMap<>();
    for (JsonNode r : results) {
      String operation = r.required("access").asText();
      if (!operation.equals("write") && !operation.equals("read")) {
        continue;
      }
      int iteration = iterations.merge(operation, 1, Integer::sum) - 1;
      phases.add(
          new Phase(
              operation,
              number(r, "bwMiB"),
              number(r, "iops"),
              number(r, "latency"),
              number(r, "blockKiB"),
              number(r, "xferKiB"),
              new Times(
                  number(r, "openTime"),
                  number(r, "wrRdTime"),
                  number(r, "closeTime"),
                  number(r, "totalTime")),
              iteration));
    }
  }

  private static Summary summary(JsonNode s) {
    return new Summary(
        s.required("operation").asText(),
        number(s, "bwMaxMIB"),
        number(s, "bwMinMIB"),
        number(s, "bwMeanMIB"),
        number(s, "bwStdMIB"),
        number(s, "MeanTime"),
        (int) number(s, "numTasks"),
        s.has("StoneWallTime")
            ? OptionalDouble.of(number(s, "StoneWallTime"))
            : OptionalDouble.empty());
  }

  private static double number(JsonNode node, String field) {
    JsonNode value = node.required(field);
    if (!value.isNumber()) {
      throw new IllegalArgumentException(field + " is no number: " + value);
    }
    return value.asDouble();
  }
}
