package io.eley.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.report.ObservedPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads the phase log that IOR writes while it runs: one JSON object a line. */
final class PhaseLog {
  /** Within this time of a phase's begin FullDelay has closed every node's permit. */
  private static final Duration HOLD_PROMISE = Duration.ofMillis(50);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;

  PhaseLog(Path file) {
    this.file = file;
  }

  /**
   * What the log holds so far.
   *
   * @param complete phases that have ended, in order
   * @param open whether one has begun and not ended
   */
  record Content(List<ObservedPhase> complete, boolean open) {
    Content {
      complete = List.copyOf(complete);
    }
  }

  /** Reads the whole file, which is small; a line that is still being written is left out. */
  Content read() throws EleyException {
    if (!Files.exists(file)) {
      return new Content(List.of(), false);
    }
    try {
      String text = Files.readString(file);
      return parse(text.substring(0, text.lastIndexOf('\n') + 1));
    } catch (IOException e) {
      throw new EleyException(ErrorCode.INTERNAL, "cannot read the phase log " + file, e);
    }
  }

  private static Content parse(String text) throws JsonProcessingException {
    var complete = new ArrayList<ObservedPhase>();
    JsonNode begun = null;
    for (String line : text.split("\n", -1)) {
      if (line.isEmpty()) {
        continue;
      }
      var entry = JSON.readTree(line);
      if (entry.path("event").asText().equals("begin")) {
        begun = entry;
      } else if (begun != null) {
        complete.add(phase(begun, entry));
        begun = null;
      }
    }
    return new Content(complete, begun != null);
  }

  private static ObservedPhase phase(JsonNode begun, JsonNode ended) {
    long begin = begun.path("epochMicros").asLong();
    return new ObservedPhase(
        begin, begin + HOLD_PROMISE.toNanos() / 1000, ended.path("epochMicros").asLong());
  }
}
