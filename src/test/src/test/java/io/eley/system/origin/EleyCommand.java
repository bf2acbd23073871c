package io.eley.system.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The {@code eley} command as a process. */
final class EleyCommand {
  private EleyCommand() {}

  /** How a command ended, and all that it said. */
  record Ended(int code, String text) {}

  /**
   * Runs a verb.
   *
   * @param temp for its output
   * @param environment added to this process's
   */
  static Ended run(Path temp, Map<String, String> environment, String... words) throws Exception {
    var all =
        new ArrayList<>(
            List.of(
                StoreProcess.java(),
                "-Deley.home=" + StoreProcess.ROOT,
                "-cp",
                StoreProcess.ROOT + "/cli/target/lib/*",
                "io.eley.cli.Main"));
    all.addAll(List.of(words));
    Path out = Files.createTempFile(temp, "out", "");
    var builder = new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), Files.readString(out));
  }
}
