package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.cli.render.BufferTable;
import io.eley.scheduler.hooks.job.BufferStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One script for old and new Slurm. What Slurm 22.05 makes of it, {@link BurstBufferTest} shows; a
 * newer one is in no package of this distribution, so here the script's functions are called with
 * the arguments that newer ones give.
 */
class BurstBufferSignaturesTest {
  @TempDir Path temp;

  private static Optional<String> lua() {
    return Stream.of("lua5.4", "lua5.3", "lua")
        .filter(
            name ->
                Stream.of(System.getenv("PATH").split(":", -1))
                    .anyMatch(p -> Files.isExecutable(Path.of(p, name))))
        .findFirst();
  }

  @Test
  void everyFunctionTakesTheArgumentsOfEverySlurm() throws Exception {
    assumeTrue(lua().isPresent(), "there is no Lua here");
    Path called = temp.resolve("called");
    Path eley = temp.resolve("eley");
    Files.writeString(eley, "#!/bin/sh\necho \"$@\" >>" + called + "\n");
    Files.setPosixFilePermissions(eley, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(temp.resolve("state/42"));
    Files.writeString(temp.resolve("state/42/env"), "ELEY_DEPLOYMENT=/d\n");
    Files.writeString(temp.resolve("state/42/progress"), "43|alice|staging 1m of 2m in 1 file");
    Files.createDirectories(temp.resolve("state/7"));
    Files.writeString(temp.resolve("state/pools.json"), "{}");
    Path job = temp.resolve("job.sh");
    Files.writeString(job, "#!/bin/sh\n#BB_LUA pool=eley capacity=1G origin=/mnt\n");
    Path paths = temp.resolve("paths");
    String signatures =
        Path.of(getClass().getResource("/burst_buffer_signatures.lua").toURI()).toString();
    String said = run(signatures, script(eley).toString(), job.toString(), paths.toString());

    String status =
        BufferTable.render(
            List.of(
                new BufferStatus(7, "", "", "being set up"),
                new BufferStatus(42, "43", "alice", "staging 1m of 2m in 1 file")));
    assertThat(said).isEqualTo(status + status + "all functions answer\n");
    assertThat(paths).hasContent("ELEY_DEPLOYMENT=/d");
    String site = " --state " + temp.resolve("state") + " --partition eley";
    List<String> once =
        List.of(
            "slurm setup"
                + site
                + " --socket /run/eley-slurm/submit --job 42 --uid 1000 --script "
                + job,
            "slurm data-in" + site + " --job 42 --script " + job,
            "slurm pre-run" + site + " --job 42",
            "slurm post-run" + site + " --job 42",
            "slurm data-out" + site + " --job 42 --script " + job,
            "slurm teardown" + site + " --job 42");
    assertThat(Files.readAllLines(called))
        .containsExactlyElementsOf(Stream.concat(once.stream(), once.stream()).toList());
  }

  /** slurmctld takes the answer while it holds locks. */
  @Test
  void aStatusIsBoundedHoweverManyJobsThereAreAndWhateverUsersWrite() throws Exception {
    assumeTrue(lua().isPresent(), "there is no Lua here");
    for (int job = 1; job <= 1001; job++) {
      Path notes = Files.createDirectories(temp.resolve("state/" + job));
      Files.writeString(notes.resolve("progress"), "7|alice|staging " + "x".repeat(5000));
    }
    Path calls = temp.resolve("calls.lua");
    Files.writeString(
        calls,
        "slurm = {SUCCESS = 0, ERROR = -1} dofile(arg[1]) io.write(select(2,"
            + " slurm_bb_get_status()))\n");
    String said = run(calls.toString(), script(Path.of("/no/such/eley")).toString());
    assertThat(said.lines()).hasSize(1 + 1000 + 1).allMatch(line -> line.length() <= 340);
    assertThat(said.lines().skip(1).findFirst().orElseThrow()).startsWith("1          7 ");
    assertThat(said).endsWith("\nand 1 more: eley slurm status\n");
  }

  private Path script(Path eley) throws IOException {
    Path ours = Path.of(System.getProperty("eley.root"), "deploy/slurm/burst_buffer.lua");
    return Files.writeString(
        temp.resolve("burst_buffer.lua"),
        Files.readString(ours)
            .replaceFirst("(?m)^local eley = .*$", "local eley = \"" + eley + "\"")
            .replaceFirst(
                "(?m)^local state = .*$", "local state = \"" + temp.resolve("state") + "\""));
  }

  private static String run(String... script) throws Exception {
    var command = new ArrayList<>(List.of(lua().orElseThrow()));
    command.addAll(List.of(script));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said;
  }
}
