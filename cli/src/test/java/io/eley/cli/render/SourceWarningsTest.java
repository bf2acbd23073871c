package io.eley.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SourceWarningsTest {
  private final Reports report = new Reports();

  @BeforeEach
  void sources() {
    report.source("announced", "fresh", 0, "");
    report.source("reads", "absent", 0, "nothing was read from the origin yet");
  }

  @Test
  void whoWillSeeIsNoReasonToWarn() {
    report.source("slurm", "fresh", 100, "");
    assertThat(SourceWarnings.of(report.get())).isEmpty();
  }

  @Test
  void aToolThatIsMissingIsAWarning() {
    report.source("counters", "absent", 0, "pvfs2-perf-mon-example: not found");
    report.source("slurm", "lost", 9000, "slurmctld does not answer");
    assertThat(SourceWarnings.of(report.get()))
        .containsExactly(
            "warning: the source counters sees nothing: pvfs2-perf-mon-example: not found",
            "warning: the source slurm sees nothing: slurmctld does not answer");
  }

  @Test
  void thatNobodySeesIsAWarningWithWhatHelps() {
    report.permitReason = "nobody can see phases that are not announced";
    assertThat(SourceWarnings.of(report.get()))
        .containsExactly(
            "warning: nobody can see phases that are not announced; turn eley.signal.reads on, or"
                + " add eley.signal.board, eley.signal.slurm or eley.signal.counters");
  }

  @Test
  void whoHasABoardThatDoesNotSeeIsNotToldToAddOne() {
    report.permitReason = "nobody can see phases that are not announced";
    report.source("board", "absent", 0, "no board is published in /x");
    assertThat(SourceWarnings.of(report.get()))
        .containsExactly(
            "warning: the source board sees nothing: no board is published in /x",
            "warning: nobody can see phases that are not announced; turn eley.signal.reads on, or"
                + " add eley.signal.slurm or eley.signal.counters");
  }

  @Test
  void untilASourceWasLookedAtItIsNotKnownWhoSees() {
    assertThat(SourceWarnings.known(report.get())).isTrue();
    report.source("counters", "absent", 0, "");
    assertThat(SourceWarnings.known(report.get())).isFalse();
  }

  @Test
  void whereNobodyIsHeldForNobodyIsWarned() {
    report.mode = BufferMode.NO_ACTION;
    report.source("counters", "absent", 0, "pvfs2-perf-mon-example: not found");
    assertThat(SourceWarnings.of(report.get())).isEmpty();
  }
}
