package io.eley.cli.render;

import io.eley.scheduler.hooks.job.ShellScript;
import java.nio.file.Path;
import java.util.regex.Matcher;

/**
 * How a deployment was named, so that commands that are printed can be typed where that was.
 *
 * @param job words for verbs that take the number of a job; of other deployments as below
 * @param directory words for verbs that take a directory alone; empty for the usual one
 */
public record TypedDeployment(String job, String directory) {
  /** The one that is meant where none is named. */
  public static final TypedDeployment USUAL = new TypedDeployment("", "");

  /** By {@code --deployment}. */
  public static TypedDeployment of(Path directory) {
    String words = option("-d", directory);
    return new TypedDeployment(words, words);
  }

  /**
   * By the number of a job.
   *
   * @param jobs words that say where the files of jobs are; empty for the usual place
   * @param directory of the job's deployment
   */
  public static TypedDeployment of(String job, String jobs, Path directory) {
    return new TypedDeployment(jobs + " " + job, option("-d", directory));
  }

  /** An option and its value, with a space before them. */
  public static String option(String name, Path value) {
    return " " + name + " " + ShellScript.quoted(value.toString());
  }

  /** A command of a note: the coordinator knows of no other deployment, and not what was typed. */
  String in(String command) {
    return command
        .replaceFirst("^eley (why|summary)\\b", "$0" + Matcher.quoteReplacement(job))
        .replaceFirst("^eley (doctor|phase run)\\b", "$0" + Matcher.quoteReplacement(directory));
  }
}
