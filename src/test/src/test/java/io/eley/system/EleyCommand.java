package io.eley.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command {@code eley}, as it was built, in a process of its own. */
public final class EleyCommand {
  private static final Path ROOT = Path.of(System.getProperty("eley.root")).toAbsolutePath();

  private EleyCommand() {}

  /** How a command ended, and all that it said. */
  public record Ended(int code, String text) {}

  /**
   * Runs it to its end.
   *
   * @param directory where its output goes
   */
  public static Ended run(Path directory, String... words) throws Exception {
    return run(directory, Map.of(), words);
  }

  /**
   * The same.
   *
   * @param environment added to this process's
   */
  public static Ended run(Path directory, Map<String, String> environment, String... words)
      throws Exception {
    var all = new ArrayList<String>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    all.addAll(List.of("-Deley.home=" + ROOT, "-cp", ROOT + "/cli/target/lib/*"));
    all.add("io.eley.cli.Main");
    all.addAll(List.of(words));
    Path out = Files.createTempFile(directory, "out", "");
    var builder = new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), Files.readString(out));
  }
}
