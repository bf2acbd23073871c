package io.eley.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PermitSentencesTest {
  private static final String NODES = "1 of 2 nodes say that their permit is open.";

  private final Reports report = new Reports();

  @BeforeEach
  void nodes() {
    report.node("n1", true).node("n2", false);
  }

  private String said() {
    return PermitSentences.render(report.get());
  }

  private void phase() {
    report.permitReason = "full delay for climate";
    report.phase("climate", "announced", 100, 10);
  }

  @Test
  void withoutAPhasePrefetchingGoesOn() {
    assertThat(said()).isEqualTo("Prefetching goes on: no HPC application is in a phase. " + NODES);
  }

  @Test
  void thatNobodySeesPhasesIsNotThatThereAreNone() {
    report.permitReason = "nobody can see phases that are not announced";
    assertThat(said())
        .isEqualTo(
            "Prefetching goes on, but nobody can see phases that are not announced: turn"
                + " eley.signal.reads on, or add eley.signal.board, eley.signal.slurm or"
                + " eley.signal.counters. "
                + NODES);
  }

  @Test
  void readsThatDoNotComeBackAreSaid() {
    report.models.add("interference: none");
    report.models.add(
        "origin: 2 calls of a have not come back for up to 12 s: a file server may hang");
    assertThat(said())
        .isEqualTo(
            "Prefetching goes on: no HPC application is in a phase. "
                + NODES
                + " 2 calls of a have not come back for up to 12 s: a file server may hang.");
  }

  @Test
  void naiveBuffersPrefetchNothing() {
    report.mode = BufferMode.NAIVE_BB;
    assertThat(said())
        .isEqualTo(
            "Nothing is prefetched: in NaiveBB Spark reads its input from the origin itself. "
                + NODES);
  }

  @Test
  void permitsMayBeClosedWithoutAPhase() {
    report.permitReason = "nobody can see phases";
    assertThat(said())
        .isEqualTo("Permits are what they are because nobody can see phases. " + NODES);
  }

  @Test
  void noActionHasNoRegard() {
    phase();
    report.mode = BufferMode.NO_ACTION;
    assertThat(said())
        .isEqualTo(
            "Prefetching goes on although climate is in a phase: NoAction has no regard for"
                + " others. "
                + NODES);
  }

  @Test
  void otherOperatorsGoOnAsFarAsTheModelsAllow() {
    phase();
    report.operator = "partial-delay";
    report.permitReason = "10 MB/s";
    assertThat(said())
        .isEqualTo(
            "Prefetching goes on as far as the models allow (10 MB/s), said by announced, 100 %"
                + " certain. "
                + NODES);
  }

  @Test
  void aHoldSaysWhoseAndHowLong() {
    phase();
    report.phase("ior", "slurm", 60, 10);
    assertThat(said())
        .startsWith(
            "Prefetching is held (full delay for climate, said of climate by announced, 100 %"
                + " certain; of ior by slurm, 60 % certain) until all these phases are over (eley"
                + " phase list).")
        .contains("eley.delay.max")
        .endsWith(NODES);
  }

  /** As with eley.hold.demand=pass or capped, and after eley.delay.max. */
  @Test
  void whatTasksDoThatDoNotWaitIsSaidOnce() {
    phase();
    report.permitReason = "full delay for climate; waiting tasks pass";
    assertThat(said())
        .isEqualTo(
            "Prefetching is held (full delay for climate; waiting tasks pass, said by announced,"
                + " 100 % certain) until the phase is over. "
                + NODES);
  }
}
