package io.eley.workloads;

/** How the applications' machine-readable lines begin; JSON follows. */
final class ResultLines {
  /** The one line that holds the result. */
  static final String RESULT = "ELEY_RESULT ";

  /** A line of progress. */
  static final String PROGRESS = "ELEY_PROGRESS ";

  private ResultLines() {}
}
