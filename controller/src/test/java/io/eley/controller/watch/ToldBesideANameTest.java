package io.eley.controller.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.JoinedListener;
import io.eley.controller.phase.PhaseListener;
import io.eley.controller.phase.SettledPhase;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A board that tells in each answer of one's own job by name, and of another user's as somebody's,
 * as a deployment takes it. Times are milliseconds.
 */
class ToldBesideANameTest {
  private static final long MS = 1_000_000;
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final String SOMEBODY = Evidence.SOMEBODY;
  private static final String OWN = "ior@alice#1";
  private static final int ASKED_EACH = 150;
  private static final int TICK = 50;
  private static final SourceKind BOARD =
      SourceKind.sampled("board", 1, Duration.ofMillis(ASKED_EACH), Duration.ofMillis(1600))
          .within(Duration.ofSeconds(1))
          .tellingPhases();
  private static final SourceKind COUNTERS =
      SourceKind.sampled("counters", 0.8, Duration.ofSeconds(1), Duration.ofSeconds(2)).ofTotals();

  private static final SourceKind SLURM =
      SourceKind.sampled("slurm", 0.95, Duration.ofSeconds(1), Duration.ofSeconds(7));

  private final List<Told> told = new ArrayList<>();
  private final List<SettledPhase> ledger = new ArrayList<>();
  private final PhaseWatch watch = new PhaseWatch(WatchOptions.DEFAULT, new NoLog(), new Book());

  /** What is held for, wherever that has changed. */
  private final List<String> held = new ArrayList<>();

  private long now;

  ToldBesideANameTest() {
    watch.add(BOARD);
  }

  /** A phase that the board knows of. */
  private record Told(String application, long from, long until) {}

  private static final class NoLog implements PhaseListener {
    @Override
    public void opened(Evidence phase) {}

    @Override
    public void closed(Evidence phase, long at, Ending why) {}
  }

  private final class Book implements JoinedListener {
    @Override
    public void opened(Evidence phase) {}

    @Override
    public void closed(Evidence phase, long at, PhaseListener.Ending why) {}

    @Override
    public void resumed(Evidence phase, Evidence as) {}

    @Override
    public void settled(Evidence phase, SettledPhase result) {
      ledger.add(result);
    }
  }

  private void tells(String application, long from, long until) {
    told.add(new Told(application, from, until));
  }

  private void passUntil(long end) {
    for (; now <= end; now += TICK) {
      if (now % ASKED_EACH == 0) {
        var answer =
            told.stream().filter(t -> t.from <= now && now < t.until).map(this::sighting).toList();
        watch.observe(BOARD.name(), answer, now * MS);
      }
      var open = new TreeSet<String>();
      watch.advance(now * MS).open().forEach(phase -> open.add(phase.application()));
      String line = String.join("+", open);
      if (held.isEmpty() || !held.get(held.size() - 1).endsWith(" " + line)) {
        held.add(now + " " + line);
      }
    }
  }

  /** As a board's sampler makes it: the first one has the phase's age. */
  private Sighting sighting(Told phase) {
    boolean known = now - ASKED_EACH >= Math.max(0, phase.from);
    long from = known ? now - ASKED_EACH : phase.from;
    return new Sighting(phase.application, from * MS, now * MS, 0, true);
  }

  private List<String> entries() {
    return ledger.stream()
        .sorted(Comparator.comparingLong(SettledPhase::begin))
        .map(ToldBesideANameTest::describe)
        .toList();
  }

  private static String describe(SettledPhase entry) {
    String times = entry.begin() / MS + ".." + entry.end() / MS;
    String corrections = entry.corrections().isEmpty() ? "" : " (" + entry.corrections() + ")";
    return entry.application() + " " + times + " " + entry.why() + corrections;
  }

  @Test
  void somebodyIsHeldForThroughTheEndsOfOnesOwnPhases() {
    tells(SOMEBODY, 1000, 30_000);
    tells(OWN, 5000, 8000);
    tells(OWN, 15_000, 18_000);
    passUntil(40_000);
    assertThat(held)
        .containsExactly(
            "0 ",
            "1050 somebody",
            "5100 ior@alice#1+somebody",
            "8100 somebody",
            "15000 ior@alice#1+somebody",
            "18000 somebody",
            "30000 ");
  }

  @Test
  void somebodyWhoBeginsInOnesOwnPhaseOutlivesIt() {
    tells(OWN, 1000, 4000);
    tells(SOMEBODY, 2000, 9000);
    passUntil(12_000);
    assertThat(held)
        .containsExactly(
            "0 ", "1050 ior@alice#1", "2100 ior@alice#1+somebody", "4050 somebody", "9000 ");
  }

  /** Its name is later in the alphabet than somebody's, and so in the answer. */
  @Test
  void bothMayBeginInOneAnswer() {
    tells(SOMEBODY, 1000, 6000);
    tells("zeus@alice#2", 1000, 3000);
    passUntil(8000);
    assertThat(held).containsExactly("0 ", "1050 somebody+zeus@alice#2", "3000 somebody", "6000 ");
  }

  /** Until then the announcement took what the board tells for its own. */
  @Test
  void somebodyBesideAnAnnouncedPhaseIsHeldForFromTheNameOn() {
    tells(SOMEBODY, 1000, 9000);
    tells(OWN, 4000, 6000);
    passUntil(3000);
    watch.announced().begin("job", LEASE, 3000 * MS);
    passUntil(5000);
    watch.announced().end("job", 5000 * MS);
    passUntil(12_000);
    assertThat(held)
        .containsExactly(
            "0 ",
            "1050 somebody",
            "3050 job",
            "4050 ior@alice#1+job+somebody",
            "5050 ior@alice#1+somebody",
            "6000 somebody",
            "9000 ");
    assertThat(entries()).contains("somebody 1000..3000 NAMED", "somebody 3000..8850 QUIET");
  }

  /** Which is as long as the board needs, whose word of it is no phase any more. */
  @Test
  void somebodyToldInTheTailOfAnAnnouncedPhaseIsHeldForAtOnce() {
    watch.announced().begin(OWN, LEASE, 0);
    tells(OWN, 150, 6000);
    passUntil(4900);
    watch.announced().end(OWN, 4900 * MS);
    tells(SOMEBODY, 4800, 9000);
    passUntil(10_000);
    assertThat(held).containsExactly("0 " + OWN, "4950 somebody", "9000 ");
  }

  /** What else is seen without a name is that of whoever has one, as it always is. */
  @Test
  void countersHoldForNobodyBesideANameOnceTheBoardTellsOfNobody() {
    watch.add(COUNTERS);
    tells(OWN, 0, 6000);
    tells(SOMEBODY, 0, 3000);
    for (long to = 1000; to <= 6000; to += 1000) {
      passUntil(to);
      var total = new Sighting(SOMEBODY, (to - 1000) * MS, to * MS, 100_000_000, false);
      watch.observe(COUNTERS.name(), List.of(total), now * MS);
    }
    passUntil(6900);
    assertThat(held).containsExactly("0 ior@alice#1+somebody", "3000 ior@alice#1", "6000 ");
  }

  @Test
  void countersThatAreQuietEndNothingThatTheBoardTellsBesideAName() {
    watch.add(COUNTERS);
    tells(OWN, 0, 6000);
    tells(SOMEBODY, 0, 5000);
    for (long to = 1000; to <= 4000; to += 1000) {
      passUntil(to);
      long bytes = to == 1000 ? 100_000_000 : 0;
      var total = new Sighting(SOMEBODY, (to - 1000) * MS, to * MS, bytes, false);
      watch.observe(COUNTERS.name(), List.of(total), now * MS);
    }
    passUntil(6900);
    assertThat(held).containsExactly("0 ior@alice#1+somebody", "5100 ior@alice#1", "6000 ");
  }

  @Test
  void aBoardThatLearnsANameSpeaksOfOne() {
    tells(SOMEBODY, 1050, 2100);
    tells(OWN, 2100, 6000);
    passUntil(9000);
    assertThat(held).containsExactly("0 ", "1050 somebody", "2100 ior@alice#1", "6000 ");
    assertThat(entries()).containsExactly("ior@alice#1 1050..5850 QUIET (first of somebody)");
  }

  @Test
  void whomABoardNamesMuchLaterHasAPhaseOfHisOwn() {
    tells(SOMEBODY, 1050, 4950);
    tells(OWN, 4950, 6000);
    passUntil(9000);
    assertThat(entries())
        .containsExactly("somebody 1050..4950 NAMED", "ior@alice#1 4950..5850 QUIET");
  }

  @Test
  void whoIsOverBesideAnotherOneOrAsHeBeginsIsNotNamed() {
    tells(SOMEBODY, 1050, 2100);
    tells(OWN, 1050, 3000);
    tells("zeus@alice#2", 3000, 6000);
    passUntil(9000);
    assertThat(entries())
        .containsExactly(
            "somebody 1050..1950 QUIET",
            "ior@alice#1 1050..2850 QUIET",
            "zeus@alice#2 3000..5850 QUIET");
  }

  @Test
  void eachIsAnEntryOfItsOwnWithItsOwnEnds() {
    tells(SOMEBODY, 1000, 30_000);
    tells(OWN, 5000, 8000);
    tells(OWN, 15_000, 18_000);
    tells(OWN, 25_000, 28_000);
    passUntil(40_000);
    assertThat(entries())
        .containsExactly(
            "somebody 1000..29850 QUIET",
            "ior@alice#1 5000..7950 QUIET",
            "ior@alice#1 15000..17850 QUIET",
            "ior@alice#1 25000..27900 QUIET");
  }

  /** A deployment that starts meets phases of some age. */
  @Test
  void aPhaseHasNoneOfTheAgeOfTheOneBesideIt() {
    tells(OWN, -1000, 2000);
    tells(SOMEBODY, -4000, 3000);
    passUntil(6000);
    assertThat(entries())
        .containsExactly("somebody -4000..2850 QUIET", "ior@alice#1 -1000..1950 QUIET");
  }

  /** As an application's next piece within the board's second is. */
  @Test
  void whatGoesOnAfterBothWereOverIsThatOfItsName() {
    tells(SOMEBODY, 1050, 8100);
    tells(OWN, 4950, 8100);
    tells(OWN, 8550, 9900);
    passUntil(15_000);
    assertThat(entries())
        .containsExactly("somebody 1050..7950 QUIET", "ior@alice#1 4950..9750 QUIET (2 pieces)");
  }

  /** His last phase was settled long ago. */
  @Test
  void whoBeginsAsTheOneBesideHimHasEndedHasAPhaseOfHisOwn() {
    tells(OWN, 1050, 3000);
    tells(SOMEBODY, 1950, 12_000);
    tells(OWN, 12_450, 15_000);
    passUntil(20_000);
    assertThat(entries())
        .containsExactly(
            "ior@alice#1 1050..2850 QUIET",
            "somebody 1950..11850 QUIET",
            "ior@alice#1 12450..14850 QUIET");
  }

  @Test
  void whatCountersSeeAfterBothWereOverIsSomebodys() {
    watch.add(COUNTERS);
    tells(OWN, 1050, 8100);
    tells(SOMEBODY, 1950, 8100);
    passUntil(9000);
    for (long bytes : new long[] {100_000_000, 0}) {
      var total = new Sighting(SOMEBODY, (now - 1000) * MS, now * MS, bytes, false);
      watch.observe(COUNTERS.name(), List.of(total), now * MS);
      passUntil(now + 1000);
    }
    passUntil(15_000);
    assertThat(entries())
        .containsExactly("ior@alice#1 1050..7950 QUIET", "somebody 1950..9050 QUIET (2 pieces)");
  }

  /** It sees one's own jobs alone, and its times correct the board's. */
  @Test
  void whatASecondSourceTellsByNameBelongsToThatOnesPhase() {
    watch.add(SLURM);
    tells(SOMEBODY, 1050, 12_000);
    tells(OWN, 4950, 9000);
    passUntil(6000);
    for (long bytes : new long[] {100_000_000, 100_000_000, 0}) {
      var own = new Sighting(OWN, (now - 1000) * MS, now * MS, bytes, false);
      watch.observe(SLURM.name(), List.of(own), now * MS);
      passUntil(now + 1000);
    }
    passUntil(20_000);
    assertThat(ledger.stream().map(entry -> entry.application() + " " + entry.sources()))
        .containsExactlyInAnyOrder(SOMEBODY + " board", OWN + " board+slurm");
  }

  /** Until the name came back the board seemed to have lost it. */
  @Test
  void whoWasTakenForTheRestOfAPhaseIsPartedFromItWhenBothAreTold() {
    tells(OWN, 1050, 4050);
    tells("zeus@alice#2", 1050, 2100);
    tells(SOMEBODY, 4350, 12_000);
    tells(OWN, 7950, 10_050);
    passUntil(15_000);
    assertThat(entries())
        .containsExactly(
            "zeus@alice#2 1050..1950 QUIET",
            "ior@alice#1 1050..7950 NAMED (2 pieces)",
            "ior@alice#1 7950..9900 QUIET",
            "somebody 7950..11850 QUIET");
  }
}
