package io.eley.spark.connector.plan;

import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import java.util.List;
import java.util.Optional;

/**
 * What Spark has given to one task, before anybody has looked into the files.
 *
 * @param partition index of the task in its stage
 * @param parts of files that Eley serves, in reading order
 */
record TaskInput(int partition, List<Part> parts) {
  TaskInput {
    parts = List.copyOf(parts);
  }

  /**
   * A part of a file.
   *
   * @param slice the part, by origin path
   * @param columns what is read of it if the file is columnar; empty when it is read as it is
   */
  record Part(FileSlice slice, Optional<Columns> columns) {}

  /** Columns of a file. */
  record Columns(ColumnarFile file, ScanColumns scan) {}

  /** Whether footers may say more about it. */
  boolean mayBeColumnar() {
    return parts.stream().anyMatch(p -> p.columns().isPresent());
  }

  /** All of what Spark has given to the task. */
  Split whole() {
    return new Split(partition, parts.stream().map(Part::slice).toList());
  }
}
