package io.eley.ior;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.ior.IorResult.Details;
import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Rates;
import io.eley.ior.IorResult.Removal;
import io.eley.ior.IorResult.Settings;
import io.eley.ior.IorResult.Stonewall;
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

  private final List<Phase> phases = new ArrayList<>();
  private final List<Removal> removals = new ArrayList<>();
  private final List<Summary> summaries = new ArrayList<>();
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final Map<String, Integer> iterations = new HashMap<>();

  private JsonInput() {}

  static IorResult read(String text) throws IOException {
    JsonNode root;
    try {
      root = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IOException("malformed JSON of IOR: " + e.getOriginalMessage(), e);
    }
    if (!root.has("Finished")) {
      throw new IOException("the output of IOR is cut off: it has no 'Finished'");
    }
    var input = new JsonInput();
    for (JsonNode test : root.path("tests")) {
      test.path("Options")
          .properties()
          .forEach(field -> input.settings.put(field.getKey(), field.getValue().asText()));
      for (JsonNode result : test.path("Results")) {
        input.readResult(result);
      }
    }
    for (JsonNode summary : root.path("summary")) {
      input.summaries.add(summary(summary));
    }
    return new IorResult(
        input.phases,
        input.summaries,
        List.of(),
        new Settings(input.settings),
        new Details(input.removals, List.of(), List.of(), List.of()));
  }

  private void readResult(JsonNode r) throws IOException {
    String operation = text(r, "access");
    int iteration = iterations.merge(operation, 1, Integer::sum) - 1;
    if (operation.equals("remove")) {
      removals.add(new Removal(number(r, "totalTime"), iteration));
      return;
    }
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

  private static Summary summary(JsonNode s) throws IOException {
    return new Summary(
        text(s, "operation"),
        new Rates(
            number(s, "bwMaxMIB"),
            number(s, "bwMinMIB"),
            number(s, "bwMeanMIB"),
            number(s, "bwStdMIB")),
        number(s, "MeanTime"),
        (int) number(s, "numTasks"),
        number(s, "xsizeMiB"),
        new Stonewall(optional(s, "StoneWallTime"), optional(s, "StoneWallbwMeanMIB")));
  }

  private static String text(JsonNode node, String name) throws IOException {
    JsonNode value = node.path(name);
    if (!value.isTextual()) {
      throw new IOException("malformed JSON of IOR: no text '" + name + "' in a result");
    }
    return value.asText();
  }

  private static double number(JsonNode node, String name) throws IOException {
    JsonNode value = node.path(name);
    if (!value.isNumber()) {
      throw new IOException("malformed JSON of IOR: no number '" + name + "' in a result");
    }
    return value.asDouble();
  }

  private static OptionalDouble optional(JsonNode node, String name) throws IOException {
    return node.path(name).isNumber()
        ? OptionalDouble.of(number(node, name))
        : OptionalDouble.empty();
  }
}
