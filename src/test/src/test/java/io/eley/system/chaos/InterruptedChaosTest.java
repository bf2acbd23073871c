package io.eley.system.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.process.JavaCommand;
import io.eley.cli.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code eley chaos} that gets TERM leaves no process, no mount and no directory. */
@Tag("system")
@Timeout(200)
class InterruptedChaosTest {
  @TempDir private Path temp;

  @ParameterizedTest
  @ValueSource(strings = {"ram", "deployment/secret", "deployment/node-2.pid", "origin/first-run"})
  void nothingIsLeftWhateverItIsDoing(String until) throws Exception {
    var command =
        JavaCommand.ofThisJvm()
            .heap("256m")
            .property("java.io.tmpdir", temp.toString())
            .classPathOfThisJvm()
            .run(Main.class.getName(), List.of("chaos", "--runs", "50", "--seed", "1"));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      await()
          .pollInterval(Duration.ofMillis(5))
          .atMost(Duration.ofSeconds(60))
          .until(() -> !process.isAlive() || reached(until));
      assertThat(process.isAlive()).isTrue();
      process.destroy();
      // It may itself wait a minute for the process that it has started, before it ends that.
      assertThat(process.waitFor(100, TimeUnit.SECONDS)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(temp.toFile().list()).isEmpty();
    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(temp.toString());
    assertThat(processes()).isEmpty();
  }

  private boolean reached(String name) throws IOException {
    try (Stream<Path> work = Files.list(temp)) {
      return work.anyMatch(
          directory ->
              name.equals("origin/first-run")
                  ? hasEntries(directory.resolve("origin"))
                  : Files.exists(directory.resolve(name)));
    }
  }

  private static boolean hasEntries(Path directory) {
    String[] entries = directory.toFile().list();
    return entries != null && entries.length > 0;
  }

  /** Those that run with something of this test's directory on their command line. */
  private List<String> processes() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      return all.map(p -> p.resolve("cmdline"))
          .map(InterruptedChaosTest::text)
          .filter(line -> line.contains(temp.toString()))
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // no process, or none any more
    }
  }
}
