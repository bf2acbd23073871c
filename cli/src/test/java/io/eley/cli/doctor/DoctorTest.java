package io.eley.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.config.Settings;
import io.eley.cli.doctor.Finding.Level;
import io.eley.coordinator.board.BoardOptions;
import io.eley.coordinator.board.BoardServer;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import io.eley.scheduler.hooks.signal.SignalException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each thing that may be missing is a line of its own, with what to do. */
class DoctorTest {
  @TempDir private Path temp;

  private List<Finding> examine(Optional<String> origin, Map<String, String> settings) {
    return Doctor.examine(
            new Doctor.Patient(
                new DeploymentFiles(temp.resolve("deployment")),
                false,
                origin,
                Path.of("/dev/shm"),
                Optional.of(temp),
                settings))
        .findings();
  }

  private static Finding of(List<Finding> findings, String subject) {
    return findings.stream().filter(f -> f.subject().equals(subject)).findFirst().orElseThrow();
  }

  @Test
  void aMachineThatHasAllNeedsNothing() throws Exception {
    Files.writeString(temp.resolve("file"), "content");
    var findings = examine(Optional.of(temp.toString()), Map.of());
    assertThat(findings).noneMatch(Finding::fails);
    assertThat(findings)
        .extracting(Finding::subject)
        .containsExactly(
            "java",
            "ram-disk",
            "memory",
            "rights",
            "deployment",
            "origin",
            "kind",
            "versions",
            "clock",
            "spark",
            "slurm",
            "counters",
            "phases",
            "ask");
    assertThat(of(findings, "ask").says()).contains("the file system's counters");
    assertThat(of(findings, "versions").line())
        .isEqualTo("ok    versions   by length and modification time, inode and change time");
    assertThat(of(findings, "deployment").says()).startsWith("nothing runs in ");
    assertThat(of(findings, "rights").says()).contains("neither root nor user namespaces");
    assertThat(of(findings, "phases").says()).endsWith("are seen by our own reads");
    try (var left = Files.list(temp)) {
      assertThat(left).as("the file that told the time").hasSize(1);
    }
  }

  @Test
  void withoutASparkItIsSaidWhatNeedsOne() {
    assertThat(of(examine(Optional.of(temp.toString()), Map.of()), "spark").hint())
        .isEqualTo("jobs need it, s3a: and hdfs: origins, and intermediate data in the buffer");
  }

  @Test
  void anOriginIsOfAKind() {
    assertThat(OriginKind.of("lustre", true, true).line())
        .isEqualTo("ok    kind       lustre, which this user may read and write");
    assertThat(OriginKind.of("fuse.orangefs", true, false).level()).isEqualTo(Level.OK);
    assertThat(OriginKind.of("tmpfs", true, true).hint()).contains("gains nothing");
    assertThat(OriginKind.of("ext4", true, true).hint()).contains("`eley bench`");
    assertThat(OriginKind.of("nfs4", false, false).fails()).isTrue();
  }

  @Test
  void aControlGroupMayHoldLessThanTheMachine() throws Exception {
    Path proc = temp.resolve("proc");
    Path groups = temp.resolve("groups");
    Files.createDirectories(proc.resolve("self"));
    Files.createDirectories(groups.resolve("job/step"));
    assertThat(Memory.read(proc, groups).mostBytes()).isEmpty();
    Files.writeString(proc.resolve("meminfo"), "MemTotal: 9 kB\nMemAvailable:  2097152 kB\n");
    Files.writeString(proc.resolve("self/cgroup"), "0::/job/step\n");
    Files.writeString(groups.resolve("job/step/memory.max"), "max\n");
    Files.writeString(groups.resolve("job/memory.max"), "536870912\n");
    Memory memory = Memory.read(proc, groups);
    assertThat(memory.availableBytes()).hasValue(2L << 30);
    assertThat(memory.limitBytes()).hasValue(512L << 20);
    assertThat(MachineChecks.memory(memory).line())
        .isEqualTo(
            "warn  memory     2048m available, 512m in this control group; a node takes 1g: give"
                + " --memory less");
    Files.createDirectories(groups.resolve("memory/old"));
    Files.writeString(groups.resolve("memory/old/memory.limit_in_bytes"), "268435456\n");
    Files.writeString(proc.resolve("self/cgroup"), "7:memory:/old\n3:cpu:/x\n");
    assertThat(Memory.read(proc, groups).limitBytes()).hasValue(256L << 20);
  }

  /** Who has typed nothing but an origin. */
  private static Doctor.Patient usual(String ramDisk) {
    var files = new DeploymentFiles(Path.of("/d"));
    return new Doctor.Patient(
        files, true, Optional.empty(), Path.of(ramDisk), Optional.empty(), Map.of());
  }

  private static String next(String origin, List<Finding> findings, boolean submits) {
    return StartLine.of(
        usual("/dev/shm"), Optional.of(origin), OptionalLong.empty(), findings, submits);
  }

  @Test
  void theLastLineIsWhatToTypeNext() {
    var ok = List.of(Finding.ok("deployment", "nothing runs in /d"));
    Optional<String> pfs = Optional.of("/mnt/pfs");
    assertThat(StartLine.of(usual("/dev/shm"), pfs, OptionalLong.of(16L << 30), ok, false))
        .isEqualTo("eley start --origin /mnt/pfs --nodes 2 --memory 6g");
    assertThat(StartLine.of(usual("/ram"), pfs, OptionalLong.of(1 << 30), ok, false))
        .isEqualTo("eley start --origin /mnt/pfs --nodes 2 --memory 384m --ram-disk /ram");
    assertThat(StartLine.of(usual("/dev/shm"), Optional.empty(), OptionalLong.empty(), ok, false))
        .isEqualTo("eley doctor --origin DIR");
    var running = List.of(Finding.ok("deployment", "FullDelay with 2 nodes runs in /d"));
    assertThat(next("/x", running, false)).isEqualTo("eley status");
    var bad = List.of(Finding.fail("origin", "none", ""));
    assertThat(next("/x", bad, true)).startsWith("mend");
  }

  /** A login host is no place for a deployment; the hosts of a job are. */
  @Test
  void whereJobsAreSubmittedItIsAJob() {
    var slurm = List.of(Finding.ok("slurm", "the bytes of 3 running jobs may be seen, with -D"));
    assertThat(next("/x", slurm, true))
        .isEqualTo("eley sbatch --origin /x -- spark-submit job.py bb:///input");
    assertThat(next("/x", slurm, false))
        .isEqualTo("eley start --origin /x --nodes 2 --memory 64m -D eley.signal.slurm=true");
  }

  @Test
  void whatWasTypedIsKept() {
    var settings = Map.of("eley.signal.slurm", "true");
    var patient =
        new Doctor.Patient(
            new DeploymentFiles(Path.of("/my place")),
            false,
            Optional.empty(),
            Path.of("/ram"),
            Optional.of(Path.of("/spark")),
            settings);
    var slurm = List.of(Finding.ok("slurm", "the bytes of 3 running jobs may be seen"));
    var origin = Optional.of("/it's here");
    String kept = " --ram-disk /ram --spark-home /spark -D eley.signal.slurm=true";
    assertThat(StartLine.of(patient, origin, OptionalLong.empty(), slurm, false))
        .isEqualTo(
            "eley start --origin '/it'\\''s here' --nodes 2 --memory 64m -d '/my place'" + kept);
    assertThat(StartLine.of(patient, origin, OptionalLong.empty(), slurm, true))
        .isEqualTo(
            "eley sbatch --origin '/it'\\''s here'" + kept + " -- spark-submit job.py bb:///input");
    assertThat(StartLine.of(patient, Optional.empty(), OptionalLong.empty(), slurm, false))
        .isEqualTo("eley doctor --origin DIR -d '/my place'" + kept);
    var running = List.of(Finding.ok("deployment", "FullDelay with 2 nodes runs in /my place"));
    assertThat(StartLine.of(patient, origin, OptionalLong.empty(), running, false))
        .isEqualTo("eley status -d '/my place'");
  }

  @Test
  void anOriginThatIsNotMountedFails() {
    var finding = of(examine(Optional.of(temp + "/none"), Map.of()), "origin");
    assertThat(finding.level()).isEqualTo(Level.FAIL);
    assertThat(finding.line())
        .contains("does not exist")
        .endsWith("no deployment starts without it");
  }

  @Test
  void withoutAnOptionTheOriginIsTheDeployments() throws Exception {
    Path deployment =
        Files.createDirectory(
            temp.resolve("deployment"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    assertThat(of(examine(Optional.empty(), Map.of()), "origin").level()).isEqualTo(Level.WARN);
    Files.writeString(deployment.resolve("origin"), temp + "\nFULL_DELAY\n");
    assertThat(of(examine(Optional.empty(), Map.of()), "origin").says()).startsWith(temp + " ");
  }

  @Test
  void aDirectoryThatOthersCanChangeFails() throws Exception {
    Path deployment = Files.createDirectory(temp.resolve("deployment"));
    Files.setPosixFilePermissions(deployment, PosixFilePermissions.fromString("rwxrwxrwx"));
    var findings = examine(Optional.of(temp.toString()), Map.of());
    assertThat(of(findings, "directory").fails()).isTrue();
  }

  @Test
  void aCoordinatorThatDoesNotAnswerFails() throws Exception {
    Path deployment =
        Files.createDirectory(
            temp.resolve("deployment"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(deployment.resolve("coordinator.address"), "127.0.0.1:1");
    Finding finding = of(examine(Optional.empty(), Map.of()), "deployment");
    assertThat(finding.fails()).isTrue();
    assertThat(finding.hint())
        .as("not the usual one")
        .endsWith(", or `eley stop -d " + deployment + "`");
    var usual = DeploymentCheck.look(new DeploymentFiles(deployment), true).findings();
    assertThat(of(usual, "deployment").hint()).endsWith("/logs, or `eley stop`");
  }

  @Test
  void whenNobodyCanSeePhasesItSaysWhatWouldHelp() {
    var finding = of(examine(Optional.empty(), Map.of("eley.signal.reads", "false")), "phases");
    assertThat(finding.line())
        .isEqualTo(
            "warn  phases     nobody can see phases that are not announced; turn"
                + " eley.signal.reads on, or add eley.signal.board, eley.signal.slurm or"
                + " eley.signal.counters");
  }

  @Test
  void countersThatCannotBeReadAreNoEyes() throws Exception {
    var blind = Map.of("eley.signal.reads", "false", "eley.signal.counters", "file:" + temp + "/c");
    var findings = examine(Optional.empty(), blind);
    assertThat(of(findings, "counters").level()).isEqualTo(Level.WARN);
    assertThat(of(findings, "counters").says()).contains("there is no " + temp);
    assertThat(of(findings, "phases").level()).isEqualTo(Level.WARN);

    Files.writeString(temp.resolve("c"), "one 5\ntwo 7\n");
    findings = examine(Optional.empty(), blind);
    assertThat(of(findings, "counters").says()).endsWith("has those of 2 servers");
    assertThat(of(findings, "phases").says()).endsWith("are seen by counters");
  }

  /** A site's board that watches counters in a file. */
  private BoardServer board(Path published, String counters) throws Exception {
    return BoardServer.start(
        BoardOptions.from(
            new BoardOptions.Publication(published, temp, false),
            new BoardOptions.Listen("127.0.0.1", 0),
            Settings.of(Map.of("eley.signal.counters", "file:" + temp.resolve(counters)))));
  }

  /** The users of a site that has a board need nothing else, and are told nothing else. */
  @Test
  void aBoardThatAnswersSees() throws Exception {
    Path published = temp.resolve("board");
    var settings = Map.of("eley.signal.reads", "false", "eley.signal.board", published.toString());
    try (var board = board(published, "c")) {
      assertThat(board.address().getPort()).isPositive();
      // It has a second to answer, which a busy machine may take for itself.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                Files.writeString(temp.resolve("c"), "one 5\n"); // counters are written on
                var findings = examine(Optional.of(temp.toString()), settings);
                assertThat(of(findings, "phases").says()).endsWith("are seen by the board");
                assertThat(of(findings, "board").line())
                    .isEqualTo("ok    board      the one of " + published + " answers");
                assertThat(findings).extracting(Finding::subject).doesNotContain("ask");
              });
      // One that a busy machine gave up may be leaving yet.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(published.resolve("tokens")).isEmptyDirectory());
    }
  }

  @Test
  void aBoardThatWasNotAskedIsNotSaidToSee() throws Exception {
    Path published = temp.resolve("board");
    var settings = Map.of("eley.signal.reads", "false", "eley.signal.board", published.toString());
    try (var board = board(published, "none")) {
      assertThat(board.address().getPort()).isPositive();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                var findings = examine(Optional.empty(), settings);
                assertThat(of(findings, "board").says())
                    .isEqualTo(
                        "the one of "
                            + published
                            + " answers; with --origin it is asked what it sees");
                assertThat(of(findings, "phases").line())
                    .isEqualTo(
                        "warn  phases     the board has not said whether it sees them; ask it by"
                            + " --origin");
                assertThat(findings).extracting(Finding::subject).doesNotContain("ask");
              });
      var reads = Map.of("eley.signal.board", published.toString());
      assertThat(of(examine(Optional.empty(), reads), "phases").says())
          .endsWith("are seen by our own reads");
    }
  }

  /** Its deployments would say that nobody can see phases. */
  @Test
  void aBoardThatSeesNothingIsNoEye() throws Exception {
    Path published = temp.resolve("board");
    var settings = Map.of("eley.signal.reads", "false", "eley.signal.board", published.toString());
    try (var board = board(published, "none")) {
      assertThat(board.address().getPort()).isPositive();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                var findings = examine(Optional.of(temp.toString()), settings);
                assertThat(of(findings, "board").line())
                    .startsWith("warn  board      the one of " + published + " answers, and sees")
                    .contains("counters is ");
                assertThat(of(findings, "phases").line()).startsWith("warn");
              });
    }
  }

  @Test
  void aBoardThatIsNotThereIsSaidAndNotAdvised() throws Exception {
    Path published = Files.createDirectory(temp.resolve("board"));
    Files.setPosixFilePermissions(published, PosixFilePermissions.fromString("rwxr-xr-x"));
    var settings = Map.of("eley.signal.reads", "false", "eley.signal.board", published.toString());
    var findings = examine(Optional.empty(), settings);
    assertThat(of(findings, "board").line())
        .isEqualTo("warn  board      no board is published in " + published + "; ask who runs it");
    assertThat(of(findings, "phases").line())
        .isEqualTo(
            "warn  phases     nobody can see phases that are not announced; turn"
                + " eley.signal.reads on, or add eley.signal.slurm or eley.signal.counters");

    Path address = Files.writeString(published.resolve("address"), "127.0.0.1:1\n");
    Files.setPosixFilePermissions(address, PosixFilePermissions.fromString("rw-r--r--"));
    Files.createDirectory(published.resolve("tokens"));
    assertThat(of(examine(Optional.empty(), settings), "board").line())
        .startsWith("warn  board ")
        .contains("127.0.0.1:1");

    Files.setPosixFilePermissions(address, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThat(of(examine(Optional.empty(), settings), "board").line())
        .startsWith("warn  board ")
        .contains(address.toString());
  }

  @Test
  void whoHasABoardIsNotToldToAskForOne() {
    var denied = Finding.warn("slurm", "sstat is denied", "");
    var counters = Finding.ok("counters", "gpfs has those of 2 servers");
    assertThat(asks(denied, counters, Optional.empty()))
        .contains("or one `eley board` of the site");
    var dead =
        new BoardCheck.Look(
            Finding.warn("board", "no board is published in /x", "ask who runs it"), false);
    assertThat(asks(denied, counters, Optional.of(dead)))
        .contains("Slurm's accounting")
        .doesNotContain("eley board");
    var answers = new BoardCheck.Look(Finding.ok("board", "answers"), true);
    assertThat(asks(denied, counters, Optional.of(answers))).isEmpty();
  }

  private static String asks(Finding slurm, Finding counters, Optional<BoardCheck.Look> board) {
    return Requests.of(new SightCheck.Eyes(slurm, counters, board)).stream()
        .map(Finding::says)
        .collect(Collectors.joining("\n"));
  }

  @Test
  void countersThatHaveNoSuchFormFail() {
    var findings = examine(Optional.empty(), Map.of("eley.signal.counters", "ext4"));
    assertThat(of(findings, "counters").fails()).isTrue();
  }

  @Test
  void aRamDiskThatIsNoneIsSaid() {
    assertThat(MachineChecks.ramDisk(temp.resolve("none")).fails()).isTrue();
    assertThat(MachineChecks.ramDisk(Path.of("/dev/shm")).says()).contains("tmpfs");
    assertThat(MachineChecks.ramDisk(Path.of("/proc/self/fd")).level()).isNotEqualTo(Level.OK);
  }

  @Test
  void anOldJavaFails() {
    assertThat(MachineChecks.java(11).fails()).isTrue();
    assertThat(MachineChecks.java(17).fails()).isFalse();
  }

  @Test
  void clocksThatAreApartAreSaid() {
    assertThat(OriginCheck.clock(1000, 1500, 2000).level()).isEqualTo(Level.OK);
    assertThat(OriginCheck.clock(1000, 0, 1000).level()).as("coarse times").isEqualTo(Level.OK);
    assertThat(OriginCheck.clock(100_000, 40_000, 100_001).says()).contains("60 s from");
    assertThat(OriginCheck.clock(1000, 61_000, 1001).says()).contains("59 s from");
  }

  @Test
  void aSlurmThatDeniesIsSaidWithWhatToAskFor() {
    CommandRunner slurm =
        command ->
            switch (command.get(0)) {
              case "sinfo" -> new Output(0, "slurm-wlm 22.05.8", "");
              case "squeue" ->
                  new Output(
                      0,
                      "{\"jobs\": [{\"job_id\": 7, \"user_name\": \"alice\", \"job_state\":"
                          + " \"RUNNING\"}]}",
                      "");
              default ->
                  new Output(
                      1,
                      "",
                      "sstat: error: problem getting step_layout for StepId=7.batch: Invalid user"
                          + " id");
            };
    var found = SlurmCheck.of(slurm, Settings.of(Map.of("eley.signal.slurm", "true")));
    Finding finding = found.finding();
    assertThat(finding.level()).isEqualTo(Level.WARN);
    assertThat(finding.says()).contains("denied for the jobs of alice").contains("ask for ");
    assertThat(found.answers()).as("jobs can be submitted").isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sstat", "squeue"})
  void whereSlurmHasAQueueJobsAreSubmittedWhateverSstatSays(String fails) {
    String jobs = "{\"jobs\": [{\"job_id\": 7, \"job_state\": \"RUNNING\"}]}";
    CommandRunner slurm =
        command -> {
          if (command.get(0).equals(fails)) {
            return new Output(1, "", fails + ": fatal: it does not work");
          }
          return new Output(0, command.get(0).equals("sinfo") ? "slurm 24.05.1" : jobs, "");
        };
    var found = SlurmCheck.of(slurm, Settings.NONE);
    assertThat(found.finding().level()).isEqualTo(Level.WARN);
    assertThat(found.answers()).isEqualTo(fails.equals("sstat"));
  }

  @Test
  void noSlurmMattersOnlyWhereItIsWanted() {
    CommandRunner none =
        command -> {
          throw SignalException.absent("no such command: sinfo");
        };
    assertThat(SlurmCheck.of(none, Settings.NONE).finding().level()).isEqualTo(Level.OK);
    assertThat(SlurmCheck.of(none, Settings.NONE).answers()).isFalse();
    var wanted = Settings.of(Map.of("eley.signal.slurm", "true"));
    assertThat(SlurmCheck.of(none, wanted).finding().level()).isEqualTo(Level.WARN);
  }
}
