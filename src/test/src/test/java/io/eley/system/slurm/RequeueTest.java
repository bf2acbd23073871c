package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A job that is preempted begins again cleanly, on a Slurm that preempts as sites have it do: by
 * partitions.
 *
 * <p>Slurm keeps a requeued job back until the credentials of its first run have expired ({@code
 * cred_expire}, two minutes): until then slurmd takes what comes with the job's number for the run
 * that was revoked, and ends its steps. A start that is moved by hand ({@code scontrol update
 * starttime=now}) does away with that protection, so here credentials are short-lived instead.
 *
 * <p>Jobs of two components are begun by Slurm's backfill alone, which sleeps until something
 * changes (22.05: {@code _more_work}); that a job has become eligible is no change. Where nobody
 * else submits anything, the test changes something.
 */
@Timeout(400)
@EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
class RequeueTest extends JobSite {
  private static final Duration CREDENTIALS = Duration.ofSeconds(15);

  @Override
  SlurmCluster cluster(Path directory) throws Exception {
    return SlurmCluster.ofSite(
        directory,
        6,
        CREDENTIALS,
        PRIVATE,
        "PreemptType=preempt/partition_prio",
        "PreemptMode=REQUEUE",
        "PartitionName=urgent Nodes=n[1-6] PriorityTier=100 PreemptMode=OFF State=UP");
  }

  @Test
  void aJobThatIsPreemptedBeginsAgainCleanly() throws Exception {
    long job =
        submit(
            NOBODY,
            List.of("--requeue"),
            "bash",
            "-c",
            "echo run ${SLURM_RESTART_COUNT:-0};"
                + " [ ${SLURM_RESTART_COUNT:-0} = 1 ] || sleep 1000");
    slurm.await(() -> output(NOBODY, job).contains("run 0"), "not there: the first run");
    as(
        GAMES,
        "sbatch",
        "--partition=urgent",
        "--nodes=6",
        "--exclusive",
        "--output=/dev/null",
        "--wrap=true");
    slurm.await(() -> output(NOBODY, job).contains("exit code 143"), "it is not preempted");
    slurm.await(
        () -> {
          slurm.run("scontrol", "update", "partitionname=urgent", "state=up");
          return output(NOBODY, job).contains("run 1");
        },
        "does not begin again: " + output(NOBODY, job));
    slurm.await(() -> over(job), "does not end: " + output(NOBODY, job));
    assertThat(output(NOBODY, job))
        .containsSubsequence(
            "ready after", "run 0", "exit code 143", "ready after", "run 1", "exit code 0");
    nothingIsLeftOf(List.of(job));
  }
}
