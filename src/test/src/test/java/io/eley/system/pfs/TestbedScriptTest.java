package io.eley.system.pfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code deploy/testbed} with programs that are installed. Those come from the script that {@code
 * ELEY_TESTBED} names, which is no part of this project. Needs root and {@code /dev/fuse}.
 */
@Tag("slow")
class TestbedScriptTest {
  private static final Path SCRIPT = Path.of("..", "..", "deploy", "testbed");
  private static final long OWN = ProcessHandle.current().pid();

  @TempDir private Path directory;

  private record Ended(int code, String output) {}

  @Test
  void makesAFileSystemThatAllMountsShareAndLeavesNothing() throws Exception {
    Path prefix = installed();
    Path bed = directory.resolve("bed");
    try {
      var up = testbed("up", prefix, bed);
      assertThat(up.code()).as(up.output()).isZero();
      String[] mounts = up.output().strip().split(",", -1);
      assertThat(mounts).hasSize(2);
      Files.writeString(Path.of(mounts[0], "file"), "seen by all");
      assertThat(Path.of(mounts[1], "file")).hasContent("seen by all");
      assertThat(testbed("status", prefix, bed).output())
          .contains("server 1: runs", "host 2: mounted");
      assertThat(testbed("mounts", prefix, bed).output()).isEqualTo(up.output());

      var again = testbed("up", prefix, bed);
      assertThat(again.code()).isEqualTo(1);
      assertThat(again.output()).contains("in use: run down first");
    } finally {
      var down = testbed("down", prefix, bed);
      assertThat(down.code()).as(down.output()).isZero();
    }
    assertThat(bed).doesNotExist();
    assertThat(Path.of("/run/netns/" + tag() + "-s1")).doesNotExist();
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(bed.toString());
  }

  @Test
  void programsThatAreMissingAreNamed() throws Exception {
    Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
    Assumptions.assumeTrue(Files.exists(Path.of("/dev/fuse")), "needs /dev/fuse");
    var up = testbed("up", directory, directory.resolve("none"));

    assertThat(up.code()).isEqualTo(1);
    assertThat(up.output()).contains("pvfs2-server", "--prefix");
  }

  /** Where the programs are, or a test that is skipped with the reason. */
  private Path installed() throws Exception {
    String script = System.getenv("ELEY_TESTBED");
    Assumptions.assumeTrue(
        script != null && Files.isExecutable(Path.of(script)),
        "needs a testbed's script in ELEY_TESTBED");
    var builder = new ProcessBuilder(script, "install");
    builder.environment().put("TESTBED", directory.resolve("programs").toString());
    assertThat(run(builder).code()).isZero();
    return directory.resolve("programs/inst");
  }

  private Ended testbed(String verb, Path prefix, Path bed) throws Exception {
    var command = new ArrayList<>(List.of(SCRIPT.toAbsolutePath().normalize().toString(), verb));
    command.addAll(List.of("--prefix", prefix.toString(), "--dir", bed.toString()));
    command.addAll(List.of("--servers", "1", "--hosts", "2", "--tag", tag()));
    command.addAll(List.of("--net", "10." + (100 + OWN % 100) + "." + OWN / 100 % 250));
    return run(new ProcessBuilder(command));
  }

  private static String tag() {
    return "d" + OWN % 10_000;
  }

  private Ended run(ProcessBuilder builder) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "output", ".txt");
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(2, TimeUnit.MINUTES);
    if (!ended) {
      process.destroyForcibly();
    }
    assertThat(ended).as(Files.readString(output)).isTrue();
    return new Ended(process.exitValue(), Files.readString(output));
  }
}
