package io.eley.system.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A script, a unit file or a page, as something that names configuration keys and commands.
 *
 * @param path of the file
 * @param text with continued lines joined
 */
record WrittenText(Path path, String text) {
  /** With Spark's prefix, or stuck to a -D; not a part of a package, a path or a longer word. */
  private static final Pattern KEY =
      Pattern.compile(
          "(?<![\\w./-])(?:-D|spark\\.hadoop\\.)?(eley(?:\\.[a-z]+(?:-[a-z]+)*)+)(?![\\w/(])");

  /**
   * At the beginning of a line or of a code span, or by a path: "eley" alone is also a partition
   * and a word of prose. Up to the end of the command, or to the command that it runs.
   */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:(?:^ *|`)eley|(?<!\\w)(?:\\./|/\\S*/bin/)eley|\"\\$ELEY\") ([a-z-][^`|;&#\\]\n]*?)"
              + "(?= -- |[`|;&#\\]\n]|$)",
          Pattern.MULTILINE);

  /** A stage in burst_buffer.lua: {@code run("setup", "--job", job_id)}. */
  private static final Pattern STAGE = Pattern.compile("\\brun\\((\"[a-z-]+\"[^)]*)\\)");

  private static final Pattern OPTION_ALONE = Pattern.compile("`(--[a-z][a-z-]*)[^`]*`");

  static WrittenText read(Path path) {
    try {
      return new WrittenText(path, Files.readString(path).replaceAll(" *\\\\\n *", " "));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The configuration keys and system properties that are named. */
  List<String> keys() {
    return all(KEY).toList();
  }

  /** What follows {@code eley} in each command, without what it runs. */
  List<String> commands() {
    if (path.toString().endsWith(".lua")) {
      return Stream.concat(
              all(COMMAND),
              all(STAGE).map(stage -> "slurm " + stage.replaceAll("[\", ]+", " ").strip()))
          .toList();
    }
    return all(COMMAND).toList();
  }

  /** Options that prose names by themselves. */
  List<String> optionsAlone() {
    return all(OPTION_ALONE).toList();
  }

  private Stream<String> all(Pattern pattern) {
    return pattern.matcher(text).results().map((MatchResult found) -> found.group(1));
  }

  /** The name of the file, for tests that have one a file. */
  @Override
  public String toString() {
    return path.toString();
  }
}
