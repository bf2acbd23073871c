package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From options to the script; {@code JobScriptTest} has what the script says. */
class SbatchCommandTest {
  @TempDir private Path temp;
  private Path spark;

  @BeforeEach
  void spark() throws Exception {
    spark = temp.resolve("spark");
    Files.createFile(
        Files.createDirectories(spark.resolve("bin")).resolve("spark-class"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  @Test
  void whereJobsFilesAreIsSaidWhenItHasToBeTyped() {
    assertThat(JobsOption.hint(Path.of("/scratch/jobs"))).isEqualTo(" (with --jobs /scratch/jobs)");
    assertThat(JobsOption.hint(new JobsOption().directory(System.getenv()))).isEmpty();
  }

  @Test
  void whatIsSaidOfAJobCanBeTyped() {
    assertThat(SbatchCommand.answer(42, false, Optional.of("/home/a/slurm-42.out"), ""))
        .isEqualToNormalizingNewlines(
            """
            submitted job 42
              its output:  /home/a/slurm-42.out
              look on:     eley top 42, eley status 42, eley why 42, eley jobs
              end it:      eley stop 42
            """);
    assertThat(SbatchCommand.answer(42, true, Optional.empty(), " (with --jobs /scratch/jobs)"))
        .as("the whole of an array has no buffer")
        .isEqualToNormalizingNewlines(
            """
            submitted job 42, an array: N is a task's number
              look on:     eley top 42_N, eley status 42_N, eley why 42_N, eley jobs (with --jobs /scratch/jobs)
              end it:      eley stop 42, or one task: eley stop 42_N
            """);
  }

  private Eley sbatch(String... more) {
    var all =
        new ArrayList<>(
            List.of("sbatch", "--print", "--origin", "/mnt/pfs", "--spark-home", spark.toString()));
    all.addAll(List.of(more));
    all.addAll(List.of("--", "spark-submit", "job.py"));
    return Eley.run(all.toArray(String[]::new));
  }

  @Test
  void defaultsAreAJobOfTwoAndTwo() {
    Eley run = sbatch();
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.lines())
        .contains(
            "BUFFER_NODES=2",
            "BUFFER_MEMORY=4g",
            "SPARK_NODES=2",
            "SPARK_CORES=4",
            "SPARK_MEMORY=4096m",
            "DRIVER_MEMORY=1024m",
            "EXECUTOR_CORES=4",
            "EXECUTOR_MEMORY=4096m",
            "CORES_MAX=8",
            "SPILLS=''",
            "SPILL_MEMORY=0m",
            "ORIGIN=/mnt/pfs",
            "SPARK_HOME=" + spark,
            "RAM_DISK=/dev/shm",
            "MODE=FullDelay",
            "WATCH_SLURM=true",
            "READY=180",
            "SCRATCH=yes",
            "OVERFLOW=''",
            "ELEY_SETTINGS=(-D eley.node.spark-home=" + spark + ")",
            "COMMAND=(spark-submit job.py)",
            "#SBATCH hetjob");
  }

  @Test
  void everyOptionReachesTheScript() {
    Eley run =
        sbatch(
            "--buffer-nodes=1",
            "--buffer-memory=128m",
            "--spark-nodes=3",
            "--spark-cores=2",
            "--spark-memory=1g",
            "--driver-memory=2g",
            "--executor-cores=1",
            "--applications=2",
            "--spill-dir=/local",
            "--spill-memory=2g",
            "--requeue",
            "--network=10.1.0.0/16",
            "--spark-slurm=--partition=cpu",
            "--buffer-slurm=--constraint=ram",
            "--colocate",
            "--mode=NoAction",
            "--no-watch",
            "--no-scratch",
            "--overflow=/nvme:20g",
            "--jobs=/shared/jobs",
            "--ram-disk=/mnt/ram",
            "--ready=7",
            "-S",
            "--time=1:00",
            "-D",
            "eley.delay.max=3s");
    assertThat(run.lines())
        .contains(
            "BUFFER_NODES=1",
            "BUFFER_MEMORY=128m",
            "SPARK_NODES=3",
            "SPARK_CORES=2",
            "SPARK_MEMORY=1024m",
            "DRIVER_MEMORY=2048m",
            "EXECUTOR_CORES=1",
            "EXECUTOR_MEMORY=512m",
            "CORES_MAX=3",
            "SPILLS=/local",
            "SPILL_MEMORY=2048m",
            "NETWORK=10.1.0.0/16",
            "#SBATCH --requeue",
            "#SBATCH --partition=cpu",
            "MODE=NoAction",
            "WATCH_SLURM=false",
            "SCRATCH=no",
            "OVERFLOW=''",
            "JOBS=/shared/jobs",
            "RAM_DISK=/mnt/ram",
            "READY=7",
            "#SBATCH --time=1:00",
            "ELEY_SETTINGS=(-D eley.coordinator.listen-host=10.1.0.0/16 -D eley.delay.max=3s"
                + " -D eley.node.listen-host=10.1.0.0/16)")
        .doesNotContain("#SBATCH hetjob");
  }

  @Test
  void eachNodeHasADirectoryOfItsOwnInTheOverflow() {
    assertThat(sbatch("--overflow=/nvme:20g").lines())
        .contains(
            "OVERFLOW=/nvme",
            "ELEY_SETTINGS=(-D eley.node.overflow.size=20g -D eley.node.spark-home=" + spark + ")");
  }

  @Test
  void whatMakesNoSenseIsSaid() {
    assertThat(sbatch("--colocate", "--buffer-nodes=3").err())
        .startsWith("eley: --colocate puts 3 buffer nodes on 2 Spark nodes\n");
    assertThat(sbatch("-D", "eley.no.such=1").err()).contains("eley.no.such");
    assertThat(sbatch("-S", "time=1").err()).contains("not an option of sbatch: time=1");
    assertThat(sbatch("--mode=Sideways").code()).isEqualTo(2);
    assertThat(sbatch("--spark-home", temp.toString()).err()).contains("specified only once");
  }

  /** The words of `eley start`; what a real Alluxio refuses is in `AlluxioJobTest`. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--engine=alluxio | needs --alluxio-master HOST:PORT",
        "--alluxio-master=h:1 | go with --engine alluxio",
        "--engine=alluxio --alluxio-master=h:1 --buffer-nodes=2 | --buffer-nodes goes with our own nodes",
        "--engine=alluxio --alluxio-master=h:1 --colocate | --colocate goes with our own nodes",
        "--engine=alluxio --alluxio-master=h:1 --overflow=/nvme | stays with Spark under --engine alluxio",
        "--engine=alluxio --alluxio-master=h:1 -Deley.node.overflow.directory=/nvme | stays with Spark under --engine alluxio",
        "--engine=alluxio --alluxio-master=h:1 --alluxio-client=/none | --alluxio-client: there is no '/none'",
        "--engine=alluxio --alluxio-master=127.0.0.1:1 --alluxio-client=/tmp | no Alluxio master answers at"
      })
  void whatNoAlluxioCanServeIsSaid(String options, String why) {
    Eley run = sbatch(options.split(" ", -1));
    assertThat(run.code()).isIn(1, 2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(why);
    assertThat(run.err().lines().filter(line -> line.startsWith("eley: "))).hasSize(1);
  }

  @Test
  void aSparkThatIsNoneIsSaid() {
    Eley run =
        Eley.run(
            "sbatch", "--print", "--origin=/x", "--spark-home=" + temp.resolve("none"), "--", "a");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("this is no Spark");
  }

  @Test
  void anOriginThatIsNotHereIsNotSubmitted() {
    Eley run =
        Eley.run(
            "sbatch", "--origin=" + temp + "/none", "--spark-home=" + spark, "--", "spark-submit");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("is no directory here; it must be mounted on all nodes");
  }
}
