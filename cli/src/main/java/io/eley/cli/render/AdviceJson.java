package io.eley.cli.render;

import io.eley.bb.api.config.DataSize;
import io.eley.coordinator.ledger.JobAdvice;
import java.util.LinkedHashMap;
import java.util.Optional;

/** What a job's phases were like, for programs. */
public final class AdviceJson {
  private AdviceJson() {}

  /**
   * The document of {@code eley advise --json}.
   *
   * @param capacity what the file system moves in a second, as far as somebody has said it
   */
  public static String render(JobAdvice advice, Optional<DataSize> capacity) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("name", advice.name());
    fields.put("phases", advice.phases());
    fields.put("medianSeconds", advice.seconds());
    advice.periodSeconds().ifPresent(s -> fields.put("periodSeconds", s));
    fields.put("heldByAllNodes", advice.held());
    advice
        .slowdown()
        .ifPresent(
            s -> {
              fields.put("slowdown", s);
              fields.put("slowdownError", advice.slowdownError());
            });
    fields.put("foreseen", advice.foreseen());
    advice
        .bytesPerSecond()
        .ifPresent(
            rate -> {
              fields.put("bytesPerSecond", rate);
              fields.put("shareOfMost", advice.shareOfMost());
              capacity.ifPresent(c -> fields.put("shareOfCapacity", rate / c.bytes()));
            });
    return Json.document(fields);
  }
}
