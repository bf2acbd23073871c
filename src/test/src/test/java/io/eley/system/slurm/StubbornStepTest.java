package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A step of a job's first component that does not end when it is told to: it alone is killed, and
 * the job ends as its command did.
 */
@Timeout(500)
@EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
class StubbornStepTest extends JobSite {
  @Test
  void aStepThatDoesNotEndIsKilledWithoutItsJob() throws Exception {
    long job =
        submit(
            NOBODY,
            "bash",
            "-c",
            "read -r line < <(srun --het-group=0 --overlap --mem=0 --nodes=1 --ntasks=1"
                + " --job-name=eley-stubborn bash -c 'trap \"\" TERM; echo there; exec sleep 1000')"
                + "; echo \"it is $line\"");
    slurm.awaitOr(() -> over(job), () -> "does not end: " + output(NOBODY, job));
    assertThat(output(NOBODY, job))
        .containsSubsequence("it is there", "exit code 0", "has not ended in time");
    assertThat(slurm.run("scontrol", "show", "job", "" + job))
        .contains("JobId=" + job, "JobId=" + (job + 1))
        .containsPattern("(?s)JobState=COMPLETED.*JobState=COMPLETED")
        .doesNotContain("CANCELLED");
    nothingIsLeftOf(List.of(job));
  }
}
