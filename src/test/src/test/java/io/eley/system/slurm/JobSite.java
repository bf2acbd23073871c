package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A site whose users submit jobs by {@code eley sbatch}: small ones, on all of its six nodes. */
abstract class JobSite extends SlurmSite {
  /** What a command of the user begins with. */
  List<String> environment = List.of();

  long submit(User user, String... command) throws Exception {
    return submit(user, List.of(), command);
  }

  long submit(User user, List<String> options, String... command) throws Exception {
    String answer = as(user, sbatch(user, options, command));
    assertThat(answer).contains("submitted job ");
    long job = Long.parseLong(answer.replaceAll("(?s).*submitted job (\\d+).*", "$1"));
    assertThat(answer)
        .contains("its output:  " + home(user).resolve("job-" + job + ".out"))
        .contains("look on:     eley top " + job + ", eley status " + job)
        .contains("end it:      eley stop " + job);
    return job;
  }

  String[] sbatch(User user, List<String> options, String... command) {
    var whole = new ArrayList<>(environment);
    whole.addAll(
        List.of(
            eley(),
            "sbatch",
            "--origin=" + origin,
            "--buffer-nodes=2",
            "--buffer-memory=128m",
            "--spark-nodes=2",
            "--spark-cores=2",
            "--spark-memory=640m",
            "--driver-memory=512m",
            "--ready=240", // beside another class's job, and less than anything is waited for
            "-S",
            "--output=" + home(user).resolve("job-%j.out"),
            "-D",
            "eley.network.handshake-deadline=60s",
            "-D",
            "eley.signal.slurm.jobs=name=hpc",
            "-D",
            "eley.signal.reads=false")); // what Slurm alone knows is looked at
    whole.addAll(options);
    whole.add("--");
    whole.addAll(List.of(command));
    return whole.toArray(String[]::new);
  }

  String output(User user, long job) throws IOException {
    Path file = home(user).resolve("job-" + job + ".out");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  /** What Spark itself says, which is kept out of the job's output. */
  String sparkLog(long job) throws IOException {
    Path file = jobs(NOBODY).resolve("spark-" + job + ".log");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  static String[] sparkJob() {
    return new String[] {wordCount(), "bb:///in", "bb:///out"};
  }

  /** What Spark spills, and what a driver leaves that was killed. */
  static List<String> leftOfSpark(long job) throws IOException {
    try (var all = Files.list(Path.of("/tmp"))) {
      return all.map(p -> p.getFileName().toString())
          .filter(n -> n.startsWith("eley-spark-" + job + "-"))
          .toList();
    }
  }

  void nothingIsLeftOf(List<Long> jobs) throws Exception {
    for (long job : jobs) {
      slurm.await(() -> over(job), "job " + job + " does not end");
      slurm.awaitOr(() -> leftOfSpark(job).isEmpty(), () -> "left: " + leftOfSpark(job));
      slurm.awaitOr(() -> leftOnTheRamDisk(job).isEmpty(), () -> "left: " + leftOnTheRamDisk(job));
    }
    Path files = jobs(NOBODY);
    slurm.awaitOr(
        () -> processesOf(files).isEmpty(), () -> "processes are left: " + processesOf(files));
  }

  Stream<String> outputs(User user) throws IOException {
    var texts = new ArrayList<String>();
    try (var files = Files.newDirectoryStream(home(user), "job-*.out")) {
      for (Path file : files) {
        texts.add(Files.readString(file));
      }
    }
    return texts.stream();
  }
}
