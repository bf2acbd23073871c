package io.eley.experiments;

import io.eley.bb.api.BufferMode;

/** Where a run's intermediate data lies. */
enum ShufflePlace {
  /** With the executors, as Spark has it by itself: here on the machine's RAM-disk. */
  EXECUTORS("shuffle-local"),
  /** In the nodes' scratch, as in the paper; beside Eley this is what is usual. */
  BUFFER(""),
  /** In local directories on the file system itself, as where hosts have neither disk nor RAM. */
  FILE_SYSTEM("shuffle-on-pfs");

  private final String label;

  ShufflePlace(String label) {
    this.label = label;
  }

  /** The name of a system whose intermediate data lies here; {@link BufferMode}'s comes first. */
  String label(String system) {
    return label.isEmpty() ? system : system + "/" + label;
  }
}
