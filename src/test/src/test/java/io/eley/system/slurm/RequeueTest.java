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
 *
 * <p>From 25.11 on the job itself has to ask for its second run ({@code begin_again} in {@code
 * spark-with-buffer.sh}), and Slurm has then counted two restarts.
 */
@Timeout(600)
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
            "if [ ${SLURM_RESTART_COUNT:-0} = 0 ]; then echo first run; sleep 1000;"
                + " else echo second run; fi");
    slurm.await(() -> output(NOBODY, job).contains("first run"), "not there: the first run");
    as(
        GAMES,
        "sbatch",
        "--partition=urgent",
        "--nodes=6",
        "--exclusive",
        "--output=/dev/null",
        "--wrap=true");
    slurm.await(() -> output(NOBODY, job).contains("exit code 143"), "it is not preempted");
    slurm.awaitOr(
        () -> {
          slurm.run("scontrol", "update", "partitionname=urgent", "state=up");
          return output(NOBODY, job).contains("second run");
        },
        () -> "does not begin again: " + output(NOBODY, job));
    slurm.awaitOr(() -> over(job), () -> "does not end: " + output(NOBODY, job));
    assertThat(output(NOBODY, job))
        .containsSubsequence(
            "ready after",
            "first run",
            "exit code 143",
            "ready after",
            "second run",
            "exit code 0");
    nothingIsLeftOf(List.of(job));
  }
}
