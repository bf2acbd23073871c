package io.eley.system.pfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A real OrangeFS of two servers in network namespaces of its own, with two mounts as two compute
 * nodes have them. The script that brings it up is named by {@code ELEY_TESTBED}; it is no part of
 * this project. Needs root and {@code /dev/fuse}.
 */
final class Testbed implements AutoCloseable {
  private static final long MINUTES = 2;
  private final Path directory;
  private final Path script;
  private final Map<String, String> environment = new HashMap<>();

  private Testbed(Path directory, Path script) {
    this.directory = directory;
    this.script = script;
    long own = ProcessHandle.current().pid();
    environment.put("TESTBED", directory.toString());
    environment.put("TAG", "t" + own % 100_000);
    environment.put("NET", "10." + (100 + own % 100) + "." + own / 100 % 250);
    environment.put("RATE", "40mbps");
    environment.put("SERVERS", "2");
    environment.put("MOUNTS", "a b");
    environment.put("PATH", directory.resolve("inst/bin") + ":" + System.getenv("PATH"));
    environment.put("LD_LIBRARY_PATH", directory.resolve("inst/lib").toString());
    environment.put("PVFS2TAB_FILE", directory.resolve("run/tab").toString());
  }

  /** Brings it up below an empty directory, or skips the test with the reason. */
  static Testbed up(Path directory) throws Exception {
    String script = System.getenv("ELEY_TESTBED");
    Assumptions.assumeTrue(
        script != null && Files.isExecutable(Path.of(script)),
        "needs a testbed's script in ELEY_TESTBED");
    Assumptions.assumeTrue(
        "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/dev/fuse")),
        "needs root and /dev/fuse");
    var testbed = new Testbed(directory, Path.of(script));
    try {
      testbed.run(List.of(script, "up"));
    } catch (IOException | AssertionError e) {
      testbed.close();
      throw e;
    }
    return testbed;
  }

  Path mount(String name) {
    return directory.resolve("mnt").resolve(name);
  }

  /** Runs a program of the testbed; returns what it printed. */
  String run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "output", ".txt");
    var builder = new ProcessBuilder(new ArrayList<>(command));
    builder.environment().putAll(environment);
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
    if (!ended) {
      process.destroyForcibly();
    }
    String text = Files.readString(output);
    assertThat(ended).as("%s ends: %s", command, text).isTrue();
    assertThat(process.exitValue()).as("%s: %s", command, text).isZero();
    return text;
  }

  /** What the file system's counters print first; the tool itself never ends. */
  String counters() throws IOException, InterruptedException {
    return run(
        List.of(
            "sh",
            "-c",
            "timeout 2 pvfs2-perf-mon-example -m " + mount("a") + " | head -n 60; true"));
  }

  @Override
  public void close() throws IOException {
    try {
      run(List.of(script.toString(), "down"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the testbed went down", e);
    }
  }
}
