package io.eley.ior;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.eley.ior.IorResult.Times;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * {@code --phase-log}: one JSON object a line when a phase begins and one when it ends, with times
 * of day, which neither IOR's JSON nor its CSV has. Each line is on its way to the reader when the
 * method returns.
 */
final class PhaseLogFile implements IorPhaseListener {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Times NO_TIMES = new Times(0, 0, 0, 0);

  private final Writer out;

  PhaseLogFile(Path file) throws IOException {
    out = Files.newBufferedWriter(file);
    // The first line written loads the JSON library, 70 to 100 ms on a busy machine. That must not
    // fall between a phase's logged beginning and its first open, nor before its announcement.
    String unused = begins(IorOperation.WRITE, 0) + ends(IorOperation.WRITE, 0, 0, NO_TIMES);
  }

  @Override
  public void phaseBegins(IorOperation operation, int iteration) {
    writeLine(begins(operation, iteration));
  }

  @Override
  public void phaseEnds(IorOperation operation, int iteration, long bytes, Times times) {
    writeLine(ends(operation, iteration, bytes, times));
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String begins(IorOperation operation, int iteration) {
    return entry("begin", operation, iteration).toString();
  }

  private static String ends(IorOperation operation, int iteration, long bytes, Times times) {
    return entry("end", operation, iteration)
        .put("bytes", bytes)
        .put("open", times.open())
        .put("transfer", times.transfer())
        .put("close", times.close())
        .put("total", times.total())
        .toString();
  }

  private static ObjectNode entry(String event, IorOperation operation, int iteration) {
    return JSON.createObjectNode()
        .put("event", event)
        .put("operation", operation.label())
        .put("iteration", iteration)
        .put("epochMicros", ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }

  private void writeLine(String entry) {
    try {
      out.write(entry + "\n");
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the phase log", e);
    }
  }
}
