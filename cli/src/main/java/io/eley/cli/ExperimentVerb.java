package io.eley.cli;

import picocli.CommandLine;

/**
 * The verbs of experiments. Their jars bring an emulated file system and Spark applications, which
 * have no place at a site, so they are found by the names of their classes: where those are
 * missing, a {@link MissingVerb} takes their place.
 */
enum ExperimentVerb {
  DEMO(
      "demo",
      "io.eley.demo.DemoCommand",
      "Shows the whole idea at work and reports both sides, Spark's and the HPC application's."),
  EXPERIMENT(
      "experiment",
      "io.eley.experiments.ExperimentCommand",
      "Runs one of the paper's experiments on a mounted file system, with IOR and Spark."),
  CHAOS(
      "chaos",
      "io.eley.chaos.ChaosCommand",
      "Kills, freezes and damages a deployment's real processes while readers compare every byte."),
  REPORT(
      "report",
      "io.eley.report.ReportCommand",
      "Shows, renders or checks a report.json of the demo or of an experiment.");

  private final String label;
  private final String className;
  private final String description;

  ExperimentVerb(String label, String className, String description) {
    this.label = label;
    this.className = className;
    this.description = description;
  }

  /** What a person types. */
  String label() {
    return label;
  }

  /** The verb, or what says where it is. */
  CommandLine command() {
    try {
      return new CommandLine(Class.forName(className));
    } catch (ClassNotFoundException e) {
      return MissingVerb.command(description);
    }
  }
}
