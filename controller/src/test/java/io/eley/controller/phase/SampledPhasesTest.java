package io.eley.controller.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.controller.phase.PhaseListener.Ending;
import io.eley.controller.phase.SourceHealth.State;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampledPhasesTest {
  private static final SourceKind SLURM =
      SourceKind.sampled("slurm", 0.9, Duration.ofMillis(250), Duration.ofSeconds(2));
  private static final long MS = 1_000_000;
  private static final PhaseThresholds THRESHOLDS =
      new PhaseThresholds(4e6, Duration.ofSeconds(1), Duration.ofSeconds(10));

  private final Heard heard = new Heard();
  private final SampledPhases phases = new SampledPhases(SLURM, THRESHOLDS, heard);

  private void interval(long fromMillis, long toMillis, long bytes) {
    phases.accept(
        List.of(new Sighting("ior", fromMillis * MS, toMillis * MS, bytes, false)), toMillis * MS);
  }

  /** What is open once the phases that are due have been closed. */
  private List<Evidence> openAt(long now) {
    phases.expire(now);
    return phases.openPhases(now);
  }

  @Test
  void asTheExampleSays() {
    interval(0, 250, 0);
    assertThat(heard.opened).isEmpty();
    interval(250, 500, 3_000_000);
    interval(500, 750, 1_000_000);
    interval(750, 1000, 0);
    interval(1000, 1750, 0);
    assertThat(openAt(1750 * MS)).hasSize(1);
    interval(1750, 1760, 0);
    assertThat(heard.opened).containsExactly(new Evidence("ior", "slurm", 250 * MS, 0.9));
    assertThat(heard.closed).hasSize(1);
    assertThat(heard.closed.get(0).at()).isEqualTo(750 * MS);
    assertThat(heard.closed.get(0).why()).isEqualTo(Ending.QUIET);
  }

  /** A source that only says whether there is I/O must not look as if it had counted none. */
  @Test
  void bytesOfAllAreKnownOnceItHasCountedAnyAndWhileItSees() {
    phases.accept(List.of(new Sighting("ior", 0, 250 * MS, 0, true)), 250 * MS);
    assertThat(phases.bytesPerSecond(250 * MS)).isEmpty();
    phases.accept(
        List.of(
            new Sighting("ior", 250 * MS, 500 * MS, 1_000_000, false),
            new Sighting("lammps", 250 * MS, 500 * MS, 250_000, false)),
        500 * MS);
    assertThat(phases.bytesPerSecond(500 * MS)).hasValue(5e6);
    phases.accept(List.of(), 750 * MS);
    assertThat(phases.bytesPerSecond(750 * MS)).hasValue(0.0);
    assertThat(phases.bytesPerSecond(5000 * MS)).isEmpty();
  }

  /** Who may look each 12 s alone is not lost in between, and loses its phases as much later. */
  @Test
  void samplesThatAreFurtherApartAreLateLater() {
    interval(0, 250, 3_000_000);
    phases.noteInterval(Duration.ofMillis(12_250));
    interval(250, 500, 3_000_000);
    assertThat(phases.health(14_500 * MS).state()).isEqualTo(State.FRESH);
    assertThat(phases.health(14_501 * MS).state()).isEqualTo(State.LOST);
    assertThat(openAt(22_500 * MS)).hasSize(1);
    assertThat(openAt(22_501 * MS)).isEmpty();
    assertThat(heard.closed.get(0).why()).isEqualTo(Ending.SOURCE_LOST);
    assertThat(phases.kind()).isEqualTo(SLURM.every(Duration.ofMillis(12_250)));
    assertThat(phases.kind().resolution()).hasMillis(12_250);
    phases.noteInterval(Duration.ZERO);
    assertThat(phases.kind()).isEqualTo(SLURM);
  }

  /** One that sees nobody's bytes is as good as none, but for the phases that jobs report. */
  @Test
  void aSourceThatAnswersAndSeesNothingCountsAsAbsentAndSaysWhy() {
    interval(0, 250, 0);
    phases.noteBlindness(new Blindness("denied for the jobs of bob, 1 of 2", false));
    assertThat(phases.health(250 * MS).state()).isEqualTo(State.FRESH);
    assertThat(phases.health(250 * MS).message()).isEqualTo("denied for the jobs of bob, 1 of 2");
    phases.noteBlindness(new Blindness("denied for all", true));
    phases.accept(List.of(new Sighting("ior", 300 * MS, 300 * MS, 0, true)), 300 * MS);
    assertThat(phases.health(300 * MS).state()).isEqualTo(State.ABSENT);
    assertThat(phases.health(300 * MS).message()).isEqualTo("denied for all");
    assertThat(openAt(300 * MS)).hasSize(1);
    phases.noteBlindness(Blindness.NONE);
    assertThat(phases.health(300 * MS).state()).isEqualTo(State.FRESH);
    assertThat(phases.health(300 * MS).message()).isEmpty();
  }

  /** Its phases are as sure as it says, and over when it says nothing of them any more. */
  @Test
  void aSourceThatTellsPhasesIsTakenAtItsWord() {
    var board =
        SourceKind.sampled("board", 1, Duration.ofMillis(150), Duration.ofSeconds(2))
            .tellingPhases();
    var told = new SampledPhases(board, THRESHOLDS, heard);
    told.accept(List.of(new Sighting("ior", 100 * MS, 1000 * MS, 0, true, 0.6)), 1002 * MS);
    told.accept(List.of(new Sighting("ior", 1000 * MS, 1150 * MS, 0, true, 0.7)), 1152 * MS);
    told.expire(1290 * MS);
    assertThat(told.openPhases(1290 * MS))
        .containsExactly(new Evidence("ior", "board", 100 * MS, 0.7));
    assertThat(heard.opened).containsExactly(new Evidence("ior", "board", 100 * MS, 0.6));
    told.accept(List.of(), 1303 * MS);
    assertThat(told.openPhases(1303 * MS)).isEmpty();
    assertThat(heard.closed).hasSize(1);
    assertThat(heard.closed.get(0).at()).isEqualTo(1150 * MS);
  }

  /** As a slow sstat's, or an answer of another deployment's. */
  @Test
  void whatASampleTookToGetHereIsNoQuiet() {
    phases.accept(List.of(new Sighting("ior", 0, 1000 * MS, 5_000_000, false)), 2100 * MS);
    assertThat(phases.anyOpen()).isTrue();
    assertThat(openAt(2100 * MS)).hasSize(1);
    assertThat(phases.health(2100 * MS).age()).as("as fresh as before").isZero();
    phases.accept(List.of(new Sighting("ior", 1000 * MS, 1900 * MS, 0, false)), 3100 * MS);
    assertThat(openAt(3100 * MS)).as("quiet for 0.9 s, not longer").hasSize(1);
    phases.accept(List.of(new Sighting("ior", 1900 * MS, 1901 * MS, 0, false)), 3101 * MS);
    assertThat(phases.anyOpen()).isFalse();
    assertThat(heard.closed.get(0).at()).isEqualTo(1000 * MS);
  }

  @Test
  void asManyIntervalsAsMakeAQuietAreOne() {
    interval(0, 250, 5_000_000);
    for (long from = 250; from < 1250; from += 250) {
      assertThat(phases.anyOpen()).as("at %s ms", from).isTrue();
      long to = (from + 250) * MS;
      phases.accept(List.of(new Sighting("ior", from * MS, to, 0, false)), to + 30 * MS);
    }
    assertThat(phases.anyOpen()).as("a second, and what a look takes").isFalse();
    assertThat(heard.closed.get(0).at()).isEqualTo(250 * MS);
  }

  @Test
  void whatABoardSaidIsOpenHoweverLateItIsTaken() {
    var board =
        SourceKind.sampled("board", 1, Duration.ofMillis(150), Duration.ofSeconds(2))
            .tellingPhases();
    var told = new SampledPhases(board, THRESHOLDS, heard);
    told.accept(List.of(new Sighting("ior", 0, 1000 * MS, 0, true, 0.6)), 1300 * MS);
    assertThat(told.anyOpen()).isTrue();
    told.expire(1300 * MS);
    assertThat(told.openPhases(1300 * MS)).hasSize(1);
    told.accept(List.of(), 1301 * MS);
    assertThat(told.anyOpen()).as("it says nothing of it any more").isFalse();
  }

  @Test
  void oneQuietIntervalIsNoEnd() {
    interval(0, 250, 5_000_000);
    interval(250, 500, 0);
    interval(500, 750, 5_000_000);
    interval(750, 1500, 0);
    assertThat(openAt(1500 * MS)).hasSize(1);
    assertThat(heard.opened).hasSize(1);
  }

  @Test
  void intervalsThatComeTwiceOrLateChangeNothing() {
    interval(0, 250, 5_000_000);
    interval(250, 500, 5_000_000);
    phases.accept(List.of(new Sighting("ior", 0, 250 * MS, 5_000_000, false)), 600 * MS);
    phases.accept(List.of(), 1600 * MS);
    assertThat(heard.opened).hasSize(1);
    assertThat(heard.closed.get(0).at()).isEqualTo(500 * MS);
  }

  @Test
  void theThresholdOpensAndHalfOfItKeepsOpen() {
    interval(0, 250, 999_999);
    assertThat(phases.anyOpen()).isFalse();
    interval(250, 500, 1_000_000);
    assertThat(phases.anyOpen()).isTrue();
    assertThat(phases.bytesPerSecond("ior", 500 * MS)).contains(4e6);
    interval(500, 1500, 2_000_000);
    interval(1500, 2500, 1_999_999);
    assertThat(openAt(2500 * MS)).as("quiet for a second, not longer").hasSize(1);
    interval(2500, 2501, 0);
    assertThat(heard.closed.get(0).at()).isEqualTo(1500 * MS);
    assertThat(phases.anyOpen()).isFalse();
  }

  @Test
  void whenItWasBusyLastIsTheBeginOfThatInterval() {
    interval(0, 250, 5_000_000);
    interval(250, 500, 5_000_000);
    interval(500, 750, 0);
    assertThat(phases.busyAfter("ior", 250 * MS)).isTrue();
    assertThat(phases.busyAfter("ior", 250 * MS + 1)).isFalse();
    assertThat(phases.busyAfter("lammps", 0)).isFalse();
  }

  @Test
  void itIsLostAfterItsFreshnessAndWellAgainWithTheNextSample() {
    assertThat(phases.health(5).age()).isZero();
    interval(0, 250, 5_000_000);
    assertThat(phases.health(2250 * MS).state()).isEqualTo(State.FRESH);
    assertThat(phases.health(2250 * MS).age()).isEqualTo(Duration.ofSeconds(2));
    assertThat(phases.health(2250 * MS + 1).state()).isEqualTo(State.LOST);
    assertThat(phases.health(200 * MS).age()).as("asked as of before").isZero();
    assertThat(openAt(2250 * MS).get(0).confidence()).isEqualTo(0.9);
    phases.noteFailure("sstat hangs", 3000 * MS);
    assertThat(phases.health(3000 * MS).message()).isEqualTo("sstat hangs");
    interval(3000, 3250, 5_000_000);
    assertThat(phases.health(3250 * MS).state()).isEqualTo(State.FRESH);
    assertThat(phases.health(3250 * MS).message()).isEmpty();
    assertThat(heard.opened).hasSize(1);
    assertThat(heard.closed).isEmpty();
  }

  @Test
  void aLostSourceKeepsItsPhasesForTenSecondsToTheMoment() {
    interval(0, 250, 5_000_000);
    phases.noteFailure("sstat hangs", 10_250 * MS);
    assertThat(phases.anyOpen()).isTrue();
    phases.noteFailure("sstat hangs", 10_250 * MS + 1);
    assertThat(phases.anyOpen()).isFalse();
    assertThat(heard.closed.get(0).at()).isEqualTo(10_250 * MS + 1);
  }

  @Test
  void anApplicationThatIsNotSeenAnyMoreHasNoRateAndEndsInQuiet() {
    interval(0, 250, 5_000_000);
    phases.accept(List.of(new Sighting("lammps", 250 * MS, 500 * MS, 5_000_000, false)), 500 * MS);
    assertThat(phases.bytesPerSecond("ior", 500 * MS)).isEmpty();
    assertThat(openAt(500 * MS)).extracting(Evidence::application).containsExactly("ior", "lammps");
    phases.accept(List.of(), 1251 * MS);
    assertThat(openAt(1251 * MS)).extracting(Evidence::application).containsExactly("lammps");
    assertThat(heard.closed.get(0).at()).isEqualTo(250 * MS);
  }

  @Test
  void itsOwnWordIsEnough() {
    phases.accept(List.of(new Sighting("ior", 0, 250 * MS, 0, true)), 250 * MS);
    assertThat(heard.opened).hasSize(1);
  }

  @Test
  void aLostSourceKeepsItsPhasesForAWhileAndCountsLess() {
    interval(0, 250, 5_000_000);
    phases.noteFailure("sstat hangs", 1000 * MS);
    assertThat(phases.health(2000 * MS).state()).isEqualTo(State.FRESH);
    assertThat(phases.health(3000 * MS).state()).isEqualTo(State.LOST);
    assertThat(phases.health(3000 * MS).message()).isEqualTo("sstat hangs");
    assertThat(openAt(4250 * MS).get(0).confidence()).isEqualTo(0.45);
    assertThat(phases.bytesPerSecond("ior", 4250 * MS)).isEmpty();
    assertThat(openAt(10_200 * MS)).hasSize(1);
    assertThat(openAt(10_300 * MS)).isEmpty();
    assertThat(heard.closed.get(0).why()).isEqualTo(Ending.SOURCE_LOST);
  }

  @Test
  void aSourceThatNeverSpokeIsAbsentNotLost() {
    phases.noteFailure("there is no squeue", 0);
    assertThat(phases.health(60_000 * MS).state()).isEqualTo(State.ABSENT);
    assertThat(phases.health(60_000 * MS).message()).isEqualTo("there is no squeue");
    assertThat(PhaseFusion.blind(List.of(phases), 60_000 * MS)).isFalse();
    interval(60_000, 60_250, 0);
    assertThat(PhaseFusion.blind(List.of(phases), 61_000 * MS)).isFalse();
    assertThat(PhaseFusion.blind(List.of(phases), 70_000 * MS)).isTrue();
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new Sighting("a", 2, 1, 0, false)).hasMessageContaining("interval");
    assertThatThrownBy(() -> new Sighting("a", 1, 2, -1, false)).hasMessageContaining("bytes");
    assertThatThrownBy(() -> new Evidence("a", "b", 0, 1.5)).hasMessageContaining("confidence");
  }
}
