package io.eley.scheduler.hooks.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Scripts for bash, made of the files in {@code deploy/slurm}; values are quoted. */
public final class ShellScript {
  private static final String STEPS = "#@STEPS@";

  private ShellScript() {}

  /** A file of {@code deploy/slurm} with the functions that all scripts share put in. */
  static String template(String name) {
    String text = resource(name);
    return text.contains(STEPS) ? text.replace(STEPS, resource("steps.sh").strip()) : text;
  }

  private static String resource(String name) {
    try (var in = ShellScript.class.getResourceAsStream("/slurm/" + name)) {
      if (in == null) {
        throw new IllegalStateException("missing in our jar: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One {@code NAME=value} a line, in the order of the names. */
  static String assignments(Map<String, String> values) {
    return new TreeMap<>(values)
        .entrySet().stream()
            .map(e -> e.getKey() + "=" + quoted(e.getValue()))
            .collect(Collectors.joining("\n"));
  }

  /** {@code NAME=(word …)}. */
  static String array(String name, Collection<String> words) {
    return name
        + "=("
        + words.stream().map(ShellScript::quoted).collect(Collectors.joining(" "))
        + ")";
  }

  /** One word for the shell, whatever is in it. */
  public static String quoted(String text) {
    return text.matches("[A-Za-z0-9_./:=@%+,-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
