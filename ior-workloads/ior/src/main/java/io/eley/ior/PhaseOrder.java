package io.eley.ior;

/**
 * The order to a task for one phase.
 *
 * @param operation write or read
 * @param mostTransfers at most so many: a read does not go past what a stonewalled write left
 */
record PhaseOrder(IorOperation operation, long mostTransfers) {
  /** One line for a pipe. */
  String encode() {
    return operation.name() + " " + mostTransfers;
  }

  /**
   * Reads that line.
   *
   * @throws IllegalArgumentException when it is another
   */
  static PhaseOrder decode(String line) {
    int space = line.indexOf(' ');
    return new PhaseOrder(
        IorOperation.valueOf(line.substring(0, Math.max(0, space))),
        Long.parseLong(line.substring(space + 1)));
  }
}
