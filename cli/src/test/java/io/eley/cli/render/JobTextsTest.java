package io.eley.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DataSize;
import io.eley.coordinator.ledger.JobAdvice;
import io.eley.scheduler.hooks.job.BufferStatus;
import io.eley.scheduler.hooks.job.StageIn;
import io.eley.scheduler.hooks.job.UserJob;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What verbs print about a job and its buffer. */
class JobTextsTest {
  private static List<String> advice(
      int periods, long foreseen, OptionalDouble rate, double share) {
    return advice(periods, foreseen, rate, share, 0, Optional.empty());
  }

  private static List<String> advice(
      int periods,
      long foreseen,
      OptionalDouble rate,
      double share,
      double error,
      Optional<DataSize> capacity) {
    var text = new StringWriter();
    AdviceText.print(
        new JobAdvice(
            "climate@alice",
            6,
            10,
            periods == 0 ? OptionalDouble.empty() : OptionalDouble.of(40),
            periods,
            5,
            periods == 0 ? OptionalDouble.empty() : OptionalDouble.of(0.015),
            error,
            3,
            foreseen,
            rate,
            share),
        capacity,
        new PrintWriter(text));
    return text.toString().lines().toList();
  }

  @Test
  void everythingThatIsKnownOfAJob() {
    assertThat(advice(5, 2, OptionalDouble.of(300e6), 0.5))
        .containsExactly(
            "climate@alice: 6 phases of 10.0 s (median), one every 40.0 s: 25 % of the time is"
                + " I/O.",
            "Held by all nodes in 5 of them; +1.5 % against alone (median of 3).",
            "2 were foreseen; the next run under the same job name and user is from its first"
                + " phase on.",
            "It moves 300 MB/s in a phase, 50 % of the most that anybody was seen to move;"
                + " what the file system can is not known (--capacity).",
            "To keep it apart from others as heavy: #SBATCH --licenses=pfs_bw:50 of 100; beside"
                + " Spark with Eley it needs none.");
  }

  @Test
  void ofAJobThatIsHardlyKnownTheTextSaysWhatIsMissing() {
    assertThat(advice(0, 0, OptionalDouble.empty(), 0))
        .containsExactly(
            "climate@alice: 6 phases of 10.0 s (median).",
            "Held by all nodes in 5 of them.",
            "Too few to foresee the next; that takes 4 in one run.",
            "How much it moves is not known: announcements do not say. Watch Slurm"
                + " (eley.signal.slurm) or the file system's counters.");
  }

  @Test
  void aJobThatCouldHaveBeenForeseenIsToldToAnnounce() {
    assertThat(advice(JobAdvice.PERIODS_TO_PREDICT, 0, OptionalDouble.empty(), 0).get(2))
        .startsWith("None was foreseen: their begins are too irregular. Say when: `eley phase run");
    assertThat(advice(JobAdvice.PERIODS_TO_PREDICT - 1, 0, OptionalDouble.empty(), 0).get(2))
        .startsWith("Too few");
  }

  @Test
  void whatTheFileSystemCanIsTakenFromWhoKnowsIt() {
    List<String> lines =
        advice(5, 2, OptionalDouble.of(300e6), 0.5, 0, Optional.of(new DataSize(10_000_000_000L)));
    assertThat(lines.get(3))
        .isEqualTo("It moves 300 MB/s in a phase, 3 % of the file system's 10000.");
    assertThat(lines.get(4)).contains("pfs_bw:3 of 100");
  }

  @Test
  void noiseIsNoSlowdown() {
    assertThat(advice(5, 2, OptionalDouble.empty(), 0, 0.25, Optional.empty()).get(1))
        .isEqualTo(
            "Held by all nodes in 5 of them; no slowdown that can be told: its times may be off by"
                + " 25.0 % (median of 3).");
  }

  @Test
  void aJobThatMovesLittleStillNeedsOneLicence() {
    assertThat(advice(5, 2, OptionalDouble.of(1e6), 0.0001).get(4)).contains("pfs_bw:1 of 100");
  }

  @ParameterizedTest
  @CsvSource({
    "5242880, 5242880, 1, staged 5m of 5m in 1 file",
    "1, 1048577, 2, staged 1m of 2m in 2 files",
    "0, 3145728, 3, staged 0 of 3m in 3 files"
  })
  void whatWasStagedIsTheLineThatTheBuffersScriptWaitsFor(
      long inRam, long bytes, int files, String line) {
    assertThat(StagedLine.render(new StageIn.Staged(inRam, bytes, files))).isEqualTo(line);
  }

  @Test
  void aUsersJobsAreATable() {
    assertThat(JobTable.render(List.of())).isEqualTo("no job with a buffer\n");
    assertThat(
            JobTable.render(
                    List.of(
                        new UserJob(42, "42", "sort", "RUNNING", "1:02", "buffer is there"),
                        new UserJob(41, "37_[4-9]", "eley", "PENDING", "0:00", "(Resources)"),
                        new UserJob(7, "7", "", "ended", "", "")))
                .lines())
        .containsExactly(
            "JOB        NAME                 STATE            TIME  BUFFER",
            "42         sort                 RUNNING          1:02  buffer is there",
            "37_[4-9]   eley                 PENDING          0:00  (Resources)",
            "7                               ended");
  }

  @Test
  void buffersAreATable() {
    assertThat(BufferTable.render(List.of()).lines())
        .containsExactly("JOB        BUFFER     USER         HOW FAR");
    assertThat(
            BufferTable.render(
                    List.of(
                        new BufferStatus(42, "43", "alice", "staging"),
                        new BufferStatus(7, "", "", "being set up")))
                .lines())
        .containsExactly(
            "JOB        BUFFER     USER         HOW FAR",
            "42         43         alice        staging",
            "7                                  being set up");
  }
}
