package io.eley.experiments;

/** What holds the blocks of a trial. */
enum Engine {
  /** Our own nodes. */
  OWN(""),
  /** Workers of Alluxio, driven by ours. */
  ALLUXIO("alluxio");

  private final String label;

  Engine(String label) {
    this.label = label;
  }

  /** The name of a system whose blocks are there. */
  String label(String system) {
    return label.isEmpty() ? system : system + "/" + label;
  }
}
