package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Sighting;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.command.Commands;
import io.eley.scheduler.hooks.slurm.HpcRule;
import io.eley.scheduler.hooks.slurm.SlurmSampler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a real Slurm's accounting shows to somebody who has no rights, and where it gathers none.
 */
@Tag("slurm")
@Timeout(300)
class SlurmRightsTest {
  private static final String READS =
      "#!/bin/bash\nwhile :; do dd if=/dev/zero of=/dev/null bs=1M count=400; done\n";
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

  @TempDir Path temp;

  @BeforeAll
  static void slurmIsThere() {
    SlurmCluster.assumeThere();
  }

  private static SlurmSampler sampler(SlurmCluster slurm, List<String> as) {
    var commands = new Commands(Duration.ofSeconds(20), slurm.environment());
    CommandRunner runner =
        command -> {
          var whole = new ArrayList<>(as);
          whole.addAll(command);
          return commands.run(whole);
        };
    return new SlurmSampler(
        runner, HpcRule.parse("*"), SlurmSampler.Frequency.alone(Duration.ZERO), System::nanoTime);
  }

  /** Others may look into it, as into a site's own. */
  private Path readable() throws Exception {
    return Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void ownJobsAreSeenAndOthersAreDenied() throws Exception {
    try (var slurm = new SlurmCluster(readable(), 2)) {
      long roots = slurm.submit(READS, "-J", "roots");
      long own = slurm.submit(READS, "-J", "own", "--uid=65534", "--chdir=/tmp", "-o", "/dev/null");
      var nobody = sampler(slurm, AS_NOBODY);
      slurm.await(
          () ->
              nobody.sample().stream()
                  .filter(seen -> seen.application().equals("own@nobody#" + own))
                  .anyMatch(seen -> seen.bytesPerSecond() > 4e6),
          "nobody's own job is not seen");
      slurm.await(
          () -> {
            List<Sighting> unused = nobody.sample();
            return nobody.blindness().why().contains("denied for the jobs of root, 1 of 2");
          },
          "nothing is said of root's job " + roots);
      assertThat(nobody.blindness().complete()).isFalse();
      slurm.run("scancel", "" + own);
      slurm.await(
          () -> nobody.sample().isEmpty() && nobody.blindness().complete(), "it still sees");
      var root = sampler(slurm, List.of());
      slurm.await(
          () -> root.sample().stream().anyMatch(s -> s.application().equals("roots@root#" + roots)),
          "root does not see its job");
      assertThat(root.blindness())
          .isEqualTo(Blindness.NONE.seeing("the I/O of 1 of 1 running jobs is seen"));
    }
  }

  @Test
  void aSlurmThatGathersNothingIsNoSilence() throws Exception {
    try (var slurm = new SlurmCluster(readable(), 1, "JobAcctGatherType=jobacct_gather/none")) {
      slurm.submit(READS, "-J", "roots");
      var root = sampler(slurm, List.of());
      slurm.await(
          () -> {
            List<Sighting> unused = root.sample();
            return root.blindness().complete();
          },
          "it says nothing");
      assertThat(root.blindness().why()).contains("JobAcctGatherType");
    }
  }
}
