package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A job with a buffer where Slurm gives each job a {@code /tmp} and {@code /dev/shm} of its own. A
 * Slurm that is itself below {@code /tmp} is hidden from its jobs, which then find no {@code srun},
 * or another version's: with such a one there is nothing to see.
 */
@Timeout(500)
class SlurmContainersTest extends SlurmSite {
  /**
   * All of its hosts are this machine, by name too: Spark would read what a neighbour wrote as
   * files of this host, which it does not see.
   */
  private static final String HOSTS_ARE_ONE =
      "export SPARK_OPTIONS='--conf spark.shuffle.readHostLocalDisk=false'; ";

  @Override
  SlurmCluster cluster(Path directory) throws Exception {
    Path srun = SlurmCluster.program("srun").orElseThrow().toRealPath();
    if (srun.startsWith("/tmp")) {
      SlurmCluster.skip("a job with a /tmp of its own does not see " + srun);
    }
    Files.writeString(
        directory.resolve("job_container.conf"),
        "AutoBasePath=true\nBasePath=" + base.resolve("containers") + "\n");
    return SlurmCluster.ofSite(
        directory, 4, PRIVATE, "JobContainerType=job_container/tmpfs", "PrologFlags=Contain");
  }

  private String output(long job) throws IOException {
    Path file = home(NOBODY).resolve("job-" + job + ".out");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  @Test
  void aJobRunsInContainersOfItsOwn() throws Exception {
    String answer =
        as(
            NOBODY,
            eley(),
            "sbatch",
            "--origin=" + origin,
            "--buffer-nodes=2",
            "--buffer-memory=128m",
            "--spark-nodes=2",
            "--spark-cores=2",
            "--spark-memory=768m",
            "-S",
            "--output=" + home(NOBODY).resolve("job-%j.out"),
            "--",
            "bash",
            "-c",
            HOSTS_ARE_ONE + "exec " + wordCount() + " bb:///in bb:///out");
    assertThat(answer).contains("submitted job ");
    long job = Long.parseLong(answer.replaceAll("(?s).*submitted job (\\d+).*", "$1"));
    slurm.awaitOr(() -> output(job).contains("ready after"), () -> "not ready: " + output(job));
    assertThat(leftOnTheRamDisk(job)).as("of this machine, while the buffer is there").isEmpty();
    slurm.awaitOr(() -> over(job), () -> "the job does not end: " + output(job));
    assertThat(output(job)).contains("exit code 0");
    sameDigest(output(job));
    slurm.await(() -> processesOf(jobs(NOBODY)).isEmpty(), "left: " + processesOf(jobs(NOBODY)));
  }
}
