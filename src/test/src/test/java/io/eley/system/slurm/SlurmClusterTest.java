package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the tests' own Slurm leaves behind. */
@Tag("slurm")
class SlurmClusterTest {
  @TempDir private Path temp;

  /** Nobody can cancel its job, and its steps have nobody to report to. */
  @Test
  void noStepOutlivesAClusterWhoseControllerWasKilled() throws Exception {
    SlurmCluster.assumeThere();
    var processes = new ArrayList<ProcessHandle>();
    try (var slurm = new SlurmCluster(temp.resolve("s"), 1)) {
      long unused = slurm.submit("#!/bin/bash\nsrun sleep 1000 &\nsleep 1000\n", "-n1");
      slurm.await(
          () -> {
            List<ProcessHandle> steps = slurm.steps().alive();
            processes.clear();
            steps.stream().flatMap(SlurmClusterTest::withChildren).forEach(processes::add);
            return steps.size() == 2
                && steps.stream().allMatch(step -> step.descendants().findAny().isPresent());
          },
          "two steps do not begin");
      slurm.daemons().get(0).destroyForcibly().waitFor();
    }
    assertThat(processes).noneMatch(SlurmClusterTest::runs);
  }

  private static Stream<ProcessHandle> withChildren(ProcessHandle step) {
    return Stream.concat(Stream.of(step), step.descendants());
  }

  /** One that has ended has no command line, whether or not somebody has waited for it. */
  private static boolean runs(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }
}
