package io.eley.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Reports as JSON, whatever their shape. */
final class ReportJson {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private ReportJson() {}

  static String text(Object report) {
    try {
      return JSON.writeValueAsString(report);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("a report that cannot be written as JSON", e);
    }
  }

  /**
   * Reads a report; fields it does not know are skipped.
   *
   * @throws IOException naming the place, when it is not a report
   */
  static <T> T read(String json, Class<T> shape) throws IOException {
    T report = JSON.readValue(json, shape);
    if (report == null) {
      throw new IOException("it is no report");
    }
    return report;
  }

  /** Refuses a newer format than is known, which would be misunderstood. */
  static void requireKnown(int format, int newest) throws IOException {
    if (format > newest) {
      throw new IOException(
          "it is of format " + format + ", and this eley knows formats to " + newest);
    }
  }

  static boolean has(String json, String field) throws IOException {
    return JSON.readTree(json).has(field);
  }

  /** A reader sees the old file or the whole new one. */
  static void write(Object report, Path file) throws IOException {
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.writeString(partial, text(report) + "\n");
    Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
