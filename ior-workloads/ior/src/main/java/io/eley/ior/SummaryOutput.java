package io.eley.ior;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a result goes.
 *
 * @param format {@code -O summaryFormat=}
 * @param file {@code -O summaryFile=}; without it standard output
 */
record SummaryOutput(IorFormat format, Optional<Path> file) {
  /** Writes it. Blocks. */
  void write(IorRunRecord run, PrintWriter out) throws IOException {
    if (file.isEmpty()) {
      format.write(run, out);
      out.flush();
      return;
    }
    try (var writer = Files.newBufferedWriter(file.get(), StandardCharsets.UTF_8)) {
      format.write(run, writer);
    }
  }
}
