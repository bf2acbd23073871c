package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    Path job = temp.resolve("job.sh");
    Files.writeString(job, "#!/bin/sh\n#BB_LUA pool=eley capacity=1G origin=/mnt\n");
    Path ours = Path.of(System.getProperty("eley.root"), "deploy/slurm/burst_buffer.lua");
    Path script = temp.resolve("burst_buffer.lua");
    Files.writeString(
        script,
        Files.readString(ours)
            .replaceFirst("(?m)^local eley = .*$", "local eley = \"" + eley + "\"")
            .replaceFirst(
                "(?m)^local state = .*$", "local state = \"" + temp.resolve("state") + "\""));
    Path paths = temp.resolve("paths");

    var process =
        new ProcessBuilder(
                lua().orElseThrow(),
                Path.of(getClass().getResource("/burst_buffer_signatures.lua").toURI()).toString(),
                script.toString(),
                job.toString(),
                paths.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();

    assertThat(said).isEqualToIgnoringWhitespace("all functions answer");
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
            "slurm teardown" + site + " --job 42",
            "slurm status" + site);
    assertThat(Files.readAllLines(called))
        .containsExactlyElementsOf(Stream.concat(once.stream(), once.stream()).toList());
  }
}
