package io.eley.scheduler.hooks.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.edge.NameRule;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmTextsTest {
  private static final SlurmJob IOR =
      new SlurmJob(7, 7, "ior", "alice", "physics", "hpc", "", "", "n[1-2]");

  @Test
  void jobsOfOldAndNewSlurm() throws Exception {
    String old =
        """
        {"jobs": [
          {"job_id": 7, "het_job_id": 0, "name": "ior", "user_name": "alice", "account": "physics",
           "partition": "hpc", "comment": "", "nodes": "n[1-2]", "job_state": "RUNNING"},
          {"job_id": 8, "name": "done", "job_state": "COMPLETED"}]}
        """;
    String recent =
        """
        {"jobs": [
          {"job_id": 7, "het_job_id": {"set": true, "infinite": false, "number": 0}, "name": "ior",
           "user_name": "alice", "account": "physics", "partition": "hpc", "comment": "",
           "nodes": "n[1-2]", "job_state": ["RUNNING"]},
          {"job_id": 8, "name": "done", "job_state": ["COMPLETED"]}]}
        """;
    assertThat(SlurmQueue.parse(old)).containsExactly(IOR);
    assertThat(SlurmQueue.parse(recent)).containsExactly(IOR);
    assertThatThrownBy(() -> SlurmQueue.parse("slurm_load_jobs error"))
        .isInstanceOf(SignalException.class);
    assertThatThrownBy(() -> SlurmQueue.parse("{}")).isInstanceOf(SignalException.class);
  }

  /** The texts' forms are explained in the README beside them. */
  @ParameterizedTest
  @ValueSource(strings = {"22.05", "23.11", "24.05", "25.05", "25.05-complex"})
  void jobsAsEachVersionPrintsThem(String version) throws Exception {
    assertThat(SlurmQueue.parse(text("squeue-" + version + ".json")))
        .containsExactly(
            new SlurmJob(7, 7, "ior", "alice", "physics", "hpc", "phase=io", "", "n[1-2]"),
            new SlurmJob(8, 8, "eley", "bob", "", "batch", "my run eley=job", "", "n3"),
            new SlurmJob(9, 8, "eley", "bob", "", "batch", "", "eley=job", "n4"));
  }

  /** Two jobs of two users, one of which is heterogeneous, on a real Slurm of each version. */
  @ParameterizedTest
  @ValueSource(strings = {"22.05.8", "23.11.11", "24.05.8", "25.05.8", "26.05.3"})
  void jobsAsEachVersionReallyPrintedThem(String version) throws Exception {
    assertThat(SlurmQueue.parse(text("recorded/squeue-" + version + ".json")))
        .containsExactly(
            new SlurmJob(1, 1, "ior", "root", "", "hpc", "phase=io", "", "n1"),
            new SlurmJob(2, 2, "eley", "nobody", "", "hpc", "my run eley=job", "", "n1"),
            new SlurmJob(3, 2, "eley", "nobody", "", "hpc", "eley=job", "", "n2"));
  }

  /** Two processes that had moved 100 MiB each by reads and as much by writes. */
  @ParameterizedTest
  @ValueSource(strings = {"22.05.8", "23.11.11", "24.05.8", "25.05.8", "26.05.3"})
  void bytesAsEachVersionReallyPrintedThem(String version) throws Exception {
    var report = report(text("recorded/sstat-" + version + ".txt"), "", Set.of(1L));
    assertThat(report.bytes()).containsOnlyKeys("1.batch", "1.0");
    assertThat(report.bytes().get("1.0")).isBetween(400L << 20, (400L << 20) + 100_000);
    assertThat(report.figures()).isTrue();
    String errors = text("recorded/sstat-denied-" + version + ".txt");
    assertThat(report("", errors, Set.of(1L)).denied()).containsExactly(1L);
  }

  /** A step that spans components of a heterogeneous job was left out. */
  @Test
  void stepsOfEveryKind() throws Exception {
    String text = text("sstat.txt");
    assertThat(StepUsage.parse(text))
        .isEqualTo(
            Map.of(
                "7.extern", 2332L,
                "7.batch", 5258157L + 4194305L,
                "7.0", 1000L,
                "7.interactive", 11L,
                "7.1+0", 30L,
                "7.1+1", 70L,
                "7.TDB", 0L));
    var report = report(text, "", Set.of(7L));
    assertThat(report.stepsOf(7)).hasSize(7);
    assertThat(report.figures()).isTrue();
  }

  @Test
  void whatSstatComplainsOfConcernsSingleJobs() {
    String errors =
        """
        sstat: error: slurm_job_step_stat: there was an error with the request to n1 rc = Invalid user id
        sstat: error: problem getting step_layout for StepId=1.batch: Invalid user id
        sstat: error: No steps running for job 2
        sstat: error: slurm_job_step_stat: unknown return given from n1: 9001 rc = Communication connection failure
        sstat: error: problem getting step_layout for StepId=3.0+1: Communication connection failure
        sstat: error: problem getting step_layout for StepId=4.0: Invalid job id specified
        sstat: error: couldn't get steps for job 5
        sstat: error: problem getting step_layout for StepId=99.0: Invalid user id
        """;
    var report = report("6.0|fs/disk=1|\n", errors, Set.of(1L, 2L, 3L, 4L, 5L, 6L));
    assertThat(report.denied()).containsExactly(1L);
    assertThat(report.silent()).containsExactly(3L);
    assertThat(report.untold()).containsExactly(5L);
    assertThat(report.missedOf(3)).containsExactly("3.0+1");
    assertThat(report.missedOf(4)).containsExactly("4.0");
    assertThat(report.missedOf(5)).isEmpty();
    assertThat(report.failed()).isFalse();
    assertThat(report.bytes()).isEqualTo(Map.of("6.0", 1L));
  }

  /** No version does so where it only lacks something: it was killed, or is not Slurm's own. */
  @Test
  void anSstatThatFailsHasToldOfNobodyWhomItDoesNotName() {
    String errors = "sstat: error: No steps running for job 2";
    var named = StepReport.parse(new Output(1, "1.0|fs/disk=1|\n", errors), Set.of(1L, 2L, 3L));
    assertThat(named.failed()).isFalse();
    assertThat(named.untold()).containsExactly(3L);
    assertThat(named.lacks(2)).isFalse();
    String denied = "sstat: error: slurm_job_stat: Access/permission denied";
    var refused = StepReport.parse(new Output(1, "", denied), Set.of(1L));
    assertThat(refused.failed()).isFalse();
    assertThat(refused.denied()).containsExactly(1L);
    assertThat(refused.untold()).isEmpty();
    assertThat(StepReport.parse(new Output(137, "1.0|fs/disk=1|\n", ""), Set.of(1L)).failed())
        .isTrue();
  }

  private static StepReport report(String text, String errors, Set<Long> asked) {
    return StepReport.parse(new Output(0, text, errors), asked);
  }

  private static String text(String name) throws IOException {
    try (var in = SlurmTextsTest.class.getResourceAsStream("/slurm/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void stepsAsSstatPrintsThem() {
    String text =
        """
        1.batch|cpu=00:00:00,energy=0,fs/disk=5258157,mem=5836800,pages=1|energy=0,fs/disk=4194305
        1.0|cpu=00:00:00,fs/disk=7,mem=1|energy=0,fs/disk=9
        garbage
        12_3.0|fs/disk=1|
        1.extern|cpu=0|energy=0
        """;
    assertThat(StepUsage.parse(text))
        .isEqualTo(
            Map.of("1.batch", 5258157L + 4194305L, "1.0", 16L, "12_3.0", 1L, "1.extern", 0L));
    assertThat(StepUsage.job("12_3.0")).isEqualTo(12);
    assertThat(StepUsage.job("1.batch")).isEqualTo(1);
  }

  /** Found by the fuzzer: more digits than a long has. */
  @Test
  void aStepWhoseNumberIsNoneIsLeftOut() {
    assertThat(StepUsage.parse("99999999999999999999.0|fs/disk=1|fs/disk=1\n5.0|fs/disk=1|"))
        .isEqualTo(Map.of("5.0", 1L));
  }

  @Test
  void theRuleTakesTheJobsThatAnOperatorNames() {
    assertThat(HpcRule.parse("*").counts(IOR)).isTrue();
    assertThat(HpcRule.parse("partition=hpc").counts(IOR)).isTrue();
    assertThat(HpcRule.parse("partition=spark user=alice,name=i?r*").counts(IOR)).isTrue();
    assertThat(HpcRule.parse("user=alice,name=lammps").counts(IOR)).isFalse();
    assertThat(HpcRule.parse("user!=alice").counts(IOR)).isFalse();
    assertThat(HpcRule.parse("name=i.r").counts(IOR)).as("no regular expressions").isFalse();
    assertThat(HpcRule.parse("*").butFor(Set.of(7L)).counts(IOR)).isFalse();
    for (String wrong : new String[] {"partitio=hpc", "hpc", "", "user=a,b"}) {
      assertThatThrownBy(() -> HpcRule.parse(wrong))
          .hasMessageContaining("FIELD=PATTERN")
          .hasMessageContaining("account, name, partition, user");
    }
  }

  @Test
  void patternsAreThoseOfAShell() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of patterns (-Deley.test.seed=...): " + seed);
    var random = new java.util.Random(seed);
    int fit = 0;
    for (int i = 0; i < 20_000; i++) {
      String pattern = letters(random, "ab*?", 6);
      String text = letters(random, "ab", 6);
      boolean expected = text.matches(pattern.replace("*", ".*").replace('?', '.'));
      assertThat(HpcRule.matches(pattern, text)).as("%s of %s", pattern, text).isEqualTo(expected);
      fit += expected ? 1 : 0;
    }
    assertThat(fit).isBetween(1000, 15_000);
  }

  private static String letters(java.util.Random random, String of, int most) {
    return random
        .ints(random.nextInt(most + 1), 0, of.length())
        .mapToObj(i -> String.valueOf(of.charAt(i)))
        .collect(java.util.stream.Collectors.joining());
  }

  /** Found by fuzzing: a regular expression of it runs for ever. */
  @Test
  @org.junit.jupiter.api.Timeout(20)
  void aPatternOfManyStarsThatDoesNotFitIsNoLoop() {
    assertThat(HpcRule.matches("*a".repeat(88) + "b", "a".repeat(1000))).isFalse();
    assertThat(HpcRule.matches("*a".repeat(88), "a".repeat(1000))).isTrue();
  }

  /** Nobody holds for another deployment, whatever the rule says. */
  @Test
  void aJobWithEleysMarkNeverCounts() throws Exception {
    assertThat(HpcRule.parse("*").counts(with("eley=job"))).isFalse();
    assertThat(HpcRule.parse("name=ior").counts(with("my run, pfs_bw=60; eley=job"))).isFalse();
    assertThat(HpcRule.parse("*").counts(with("eley=jobs"))).isTrue();
    String byAdministrator =
        """
        {"jobs": [{"job_id": 7, "name": "ior", "job_state": "RUNNING", "comment": "mine",
                   "admin_comment": "quota=7 eley=job"}]}
        """;
    SlurmJob marked = SlurmQueue.parse(byAdministrator).get(0);
    assertThat(marked.comment()).isEqualTo("mine");
    assertThat(HpcRule.parse("*").counts(marked)).isFalse();
  }

  @Test
  void theMarkLeavesWhatTheUserWrote() {
    assertThat(EleyMark.on("")).isEqualTo("eley=job");
    assertThat(EleyMark.on("my run")).isEqualTo("my run eley=job");
    assertThat(EleyMark.on("eley=job,mine")).isEqualTo("eley=job,mine");
    assertThat(EleyMark.without("staged 5m  of 5m eley=job")).isEqualTo("staged 5m  of 5m");
    assertThat(EleyMark.without("mine")).isEqualTo("mine");
    assertThat(EleyMark.without("eley=job")).isEmpty();
    assertThat(EleyMark.without("eley=job phase=io")).isEqualTo("phase=io");
    assertThat(EleyMark.without("a eley=job,phase=io; b")).isEqualTo("a,phase=io; b");
    assertThat(EleyMark.without("eley=job eley=job x-eley=job eley=jobs"))
        .isEqualTo("x-eley=job eley=jobs");
  }

  @Test
  void aJobsOwnWord() {
    assertThat(IOR.saysPhase()).isFalse();
    assertThat(with("phase=io").saysPhase()).isTrue();
    assertThat(with("my run; phase=io,fast").saysPhase()).isTrue();
    assertThat(with("phase=iota").saysPhase()).isFalse();
    assertThat(IOR.application()).isEqualTo("ior@alice#7");
  }

  @Test
  void aJobsNameCannotForgeALineNorHideItsNumber() {
    var job =
        new SlurmJob(
            7, 7, "x\u001b[2J\nroot is in a phase" + "数".repeat(500), "a\rb", "", "", "", "", "n1");
    assertThat(job.application())
        .startsWith("x\\x1b[2J\\x0aroot is in a phase")
        .endsWith("@a\\x0db#7");
    assertThat(NameRule.APPLICATION.require(job.application())).isEqualTo(job.application());
    assertThat(SignalException.failed("sstat:\nERROR").getMessage()).isEqualTo("sstat:\\x0aERROR");
  }

  private static SlurmJob with(String comment) {
    return new SlurmJob(7, 7, "ior", "alice", "physics", "hpc", comment, "", "n1");
  }
}
