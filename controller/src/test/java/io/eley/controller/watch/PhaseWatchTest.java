package io.eley.controller.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.ReadTime;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.JoinedListener;
import io.eley.controller.phase.PhaseListener;
import io.eley.controller.phase.SettledPhase;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceHealth;
import io.eley.controller.phase.SourceKind;
import io.eley.controller.predict.Forecast;
import io.eley.controller.sense.CarrierSense;
import io.eley.prefetcher.control.Conditions.Doubt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One view of announcements, an accounting that knows names, and counters of everybody's bytes. */
class PhaseWatchTest {
  private static final long MS = 1_000_000;
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final SourceKind SLURM =
      SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(2));
  private static final SourceKind PROBE =
      SourceKind.sampled("probe", 0.6, Duration.ofSeconds(1), Duration.ofSeconds(2));
  private static final SourceKind COUNTERS =
      SourceKind.sampled("counters", 0.8, Duration.ofSeconds(1), Duration.ofSeconds(2)).ofTotals();

  private final List<String> events = new ArrayList<>();
  private final List<Optional<Forecast>> forecastsAtOpening = new ArrayList<>();
  private final List<Duration> resolutions = new ArrayList<>();
  private final PhaseWatch watch =
      new PhaseWatch(WatchOptions.DEFAULT.withoutReads(), new Recorder(), new Book());

  private final class Recorder implements PhaseListener {
    @Override
    public void opened(Evidence phase) {
      events.add("opened " + phase.application());
    }

    @Override
    public void closed(Evidence phase, long at, Ending why) {
      events.add("closed " + phase.application() + " " + why);
    }
  }

  private final class Book implements JoinedListener {
    @Override
    public void opened(Evidence phase) {
      forecastsAtOpening.add(watch.predictor().forecast(phase.application()));
    }

    @Override
    public void closed(Evidence phase, long at, PhaseListener.Ending why) {}

    @Override
    public void resumed(Evidence phase, Evidence as) {}

    @Override
    public void settled(Evidence phase, SettledPhase result) {
      resolutions.add(result.resolution());
    }
  }

  private void saw(SourceKind source, String application, long fromMillis, long bytes) {
    long from = fromMillis * MS;
    long to = from + 1000 * MS;
    watch.observe(source.name(), List.of(new Sighting(application, from, to, bytes, false)), to);
  }

  private List<String> open(long millis) {
    return watch.advance(millis * MS).open().stream().map(Evidence::application).toList();
  }

  @Test
  void twoSourcesOfTotalsAreRefusedByName() {
    watch.add(COUNTERS);
    var second =
        SourceKind.sampled("others", 0.8, Duration.ofSeconds(1), Duration.ofSeconds(2)).ofTotals();
    assertThatThrownBy(() -> watch.add(second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("others and counters both count everybody's bytes");
    assertThat(watch.kind("others")).isEmpty();
    watch.add(SLURM);
    assertThat(watch.kind("slurm")).contains(SLURM);
    assertThat(watch.kind("counters")).contains(COUNTERS);
    assertThat(watch.health(0))
        .extracting(SourceHealth::source)
        .containsExactly("announced", "counters", "slurm");
  }

  @Test
  void announcementsAreThereFromTheBeginning() {
    assertThat(open(0)).isEmpty();
    watch.announced().begin("ior", LEASE, 0);
    assertThat(open(1)).containsExactly("ior");
    watch.announced().end("ior", 2 * MS);
    assertThat(open(2)).isEmpty();
    assertThat(events).containsExactly("opened ior", "closed ior ANNOUNCED");
  }

  /** What Slurm allows to be seen each 4 s may have begun and ended as long before. */
  @Test
  void whatIsSeenSeldomIsAsFarOffInTheLedger() {
    watch.add(SLURM);
    watch.noteInterval("slurm", Duration.ofSeconds(4));
    saw(SLURM, "ior", 0, 10_000_000);
    assertThat(open(4900)).containsExactly("ior");
    saw(SLURM, "ior", 4000, 0);
    assertThat(open(60_000)).isEmpty();
    assertThat(resolutions).containsExactly(Duration.ofSeconds(4));
  }

  @Test
  void aSourceThatIsNotKnownSeesNothing() {
    watch.observe("nobody", List.of(new Sighting("ior", 0, 1000 * MS, 1L << 30, false)), 1000 * MS);
    watch.noteFailure("nobody", "why", 1000 * MS);
    watch.noteInterval("nobody", Duration.ofSeconds(4));
    assertThat(open(1000)).isEmpty();
    assertThat(events).isEmpty();
    assertThat(watch.kind("nobody")).isEmpty();
  }

  @Test
  void openBesidesLeavesOutTheOneThatAsks() {
    watch.add(PROBE);
    watch.add(SLURM);
    assertThat(watch.openBesides("probe", 0)).isFalse();
    saw(PROBE, Evidence.SOMEBODY, 0, 100_000_000);
    assertThat(watch.openBesides("probe", 1000 * MS)).as("its own phase").isFalse();
    assertThat(watch.openBesides("slurm", 1000 * MS)).isTrue();
    saw(SLURM, "ior", 0, 100_000_000);
    assertThat(watch.openBesides("probe", 1000 * MS)).isTrue();
  }

  private Optional<Double> rate(String application, long now) {
    return Optional.ofNullable(watch.bytesPerSecond(List.of(application), now).get(application));
  }

  @Test
  void theRateIsThatOfTheFirstSourceThatCanTell() {
    watch.add(PROBE);
    watch.add(SLURM);
    assertThat(rate("ior", 0)).isEmpty();
    saw(SLURM, "ior", 0, 100_000_000);
    assertThat(rate("ior", 1000 * MS)).contains(100e6);
    saw(PROBE, "ior", 0, 70_000_000);
    assertThat(rate("ior", 1000 * MS)).as("it was added first").contains(70e6);
    saw(PROBE, "ior", 1000, 0);
    assertThat(rate("ior", 2000 * MS)).as("nothing is no rate").contains(100e6);
  }

  @Test
  void aSourceThatKnowsNoNamesTellsSomebodysRateUnlessItKnowsTheApplications() {
    watch.add(PROBE);
    watch.observe(
        "probe",
        List.of(
            new Sighting("ior", 0, 1000 * MS, 30_000_000, false),
            new Sighting(Evidence.SOMEBODY, 0, 1000 * MS, 90_000_000, false)),
        1000 * MS);
    assertThat(rate("ior", 1000 * MS)).contains(30e6);
    assertThat(rate("lammps", 1000 * MS)).contains(90e6);
    assertThat(rate("lammps", 3001 * MS)).as("it is lost").isEmpty();
  }

  @Test
  void ofATotalThoseWithoutARateOfTheirOwnHaveWhatIsLeftInEqualParts() {
    watch.add(SLURM);
    watch.add(COUNTERS);
    watch.observe(
        "counters",
        List.of(new Sighting(Evidence.SOMEBODY, 0, 1000 * MS, 100_000_000, false)),
        1000 * MS);
    var all = List.of("a", "b", "c");
    assertThat(watch.bytesPerSecond(List.of("a"), 1000 * MS)).isEqualTo(Map.of("a", 100e6));
    assertThat(watch.bytesPerSecond(all.subList(0, 2), 1000 * MS))
        .isEqualTo(Map.of("a", 50e6, "b", 50e6));
    saw(SLURM, "a", 0, 30_000_000);
    assertThat(watch.bytesPerSecond(all, 1000 * MS))
        .isEqualTo(Map.of("a", 30e6, "b", 35e6, "c", 35e6));
    saw(SLURM, "a", 0, 110_000_000);
    assertThat(watch.bytesPerSecond(all, 1000 * MS))
        .as("nothing is left")
        .isEqualTo(Map.of("a", 110e6));
  }

  @Test
  void aTotalWaitsForOurNodesAndCountsOthersBytesAlone() {
    watch.add(COUNTERS);
    assertThat(watch.observeOurs("a", 0, 0, 0)).as("no total waits").isFalse();
    assertThat(watch.observeOurs("a", 0, 0, 900 * MS)).isFalse();
    saw(COUNTERS, Evidence.SOMEBODY, 1000, 100_000_000);
    assertThat(open(2000)).as("a has not been asked since").isEmpty();
    assertThat(watch.observeOurs("a", 0, 2099 * MS, 2100 * MS)).as("too early").isFalse();
    assertThat(watch.observeOurs("a", 0, 2100 * MS, 2110 * MS)).isTrue();
    assertThat(open(2110)).containsExactly(Evidence.SOMEBODY);
    assertThat(watch.observeOurs("a", 0, 2200 * MS, 2210 * MS)).as("told already").isFalse();
  }

  @Test
  void aNodeThatIsForgottenIsNotWaitedFor() {
    watch.add(COUNTERS);
    watch.observeOurs("a", 0, 0, 900 * MS);
    watch.observeOurs("gone", 1L << 40, 0, 900 * MS);
    saw(COUNTERS, Evidence.SOMEBODY, 1000, 100_000_000);
    watch.forget("gone");
    assertThat(watch.observeOurs("a", 0, 2100 * MS, 2110 * MS)).isTrue();
    assertThat(watch.ourBytes(0, 2000 * MS)).isZero();
  }

  @Test
  void withoutNodesATotalIsForeignAtOnce() {
    watch.add(COUNTERS);
    saw(COUNTERS, Evidence.SOMEBODY, 0, 100_000_000);
    assertThat(open(1000)).containsExactly(Evidence.SOMEBODY);
  }

  /** Counters that are written each five seconds, and looked at each second. */
  @Test
  void totalsThatTellNothingNewEndNoPhase() {
    watch.add(COUNTERS);
    watch.observe(COUNTERS.name(), List.of(), 0);
    assertThat(watch.health(0).get(1).state()).isEqualTo(SourceHealth.State.ABSENT);
    var busy = new Sighting(Evidence.SOMEBODY, 0, 5000 * MS, 500_000_000, false);
    watch.observe(COUNTERS.name(), List.of(busy), 5000 * MS);
    for (long millis = 6000; millis < 10_000; millis += 1000) {
      watch.observe(COUNTERS.name(), List.of(), millis * MS);
      assertThat(open(millis)).as("at %d ms", millis).containsExactly(Evidence.SOMEBODY);
    }
    assertThat(watch.health(9000 * MS).get(1).state()).isEqualTo(SourceHealth.State.LOST);
    watch.noteFailure(COUNTERS.name(), "stale file handle", 9500 * MS);
    assertThat(watch.health(9500 * MS).get(1).message()).isEqualTo("stale file handle");
    watch.observe(COUNTERS.name(), List.of(), 9600 * MS);
    assertThat(watch.health(9600 * MS).get(1).message()).as("it answers").isEmpty();
    var quiet = new Sighting(Evidence.SOMEBODY, 5000 * MS, 10_000 * MS, 0, false);
    watch.observe(COUNTERS.name(), List.of(quiet), 10_000 * MS);
    assertThat(open(10_000)).isEmpty();
    assertThat(events).containsExactly("opened somebody", "closed somebody QUIET");
  }

  @Test
  void ourBytesAreThoseBetweenTwoMoments() {
    watch.observeOurs("a", 0, 0, 0);
    watch.observeOurs("a", 1000, 1000 * MS, 1000 * MS);
    watch.observeOurs("b", 500, 0, 0);
    watch.observeOurs("b", 700, 1000 * MS, 1000 * MS);
    assertThat(watch.ourBytes(0, 1000 * MS)).isEqualTo(1200);
    assertThat(watch.ourBytes(500 * MS, 1000 * MS)).isEqualTo(600);
  }

  @Test
  void aPhaseThatIsTooUncertainIsNotInTheViewButWasTold() {
    watch.add(SourceKind.sampled("guess", 0.19, Duration.ofSeconds(1), Duration.ofSeconds(2)));
    watch.observe("guess", List.of(new Sighting("ior", 0, 1000 * MS, 1L << 30, false)), 1000 * MS);
    assertThat(open(1000)).isEmpty();
    assertThat(events).containsExactly("opened ior");
  }

  @Test
  void aPhaseThatIsJustCertainEnoughIsInTheView() {
    watch.add(SourceKind.sampled("guess", 0.2, Duration.ofSeconds(1), Duration.ofSeconds(2)));
    watch.observe("guess", List.of(new Sighting("ior", 0, 1000 * MS, 1L << 30, true)), 1000 * MS);
    assertThat(open(1000)).containsExactly("ior");
  }

  @Test
  void nobodySeesPhasesWhereNothingIsPolledAndOurReadsTellNothing() {
    assertThat(watch.advance(0).doubt()).isEqualTo(Doubt.UNSEEN);
    watch.add(SLURM);
    watch.noteFailure("slurm", "no Slurm here", 1);
    assertThat(watch.advance(1).doubt()).isEqualTo(Doubt.UNSEEN);
    saw(SLURM, "ior", 0, 0);
    assertThat(watch.advance(1000 * MS).doubt()).isEqualTo(Doubt.NONE);
    var listens = new PhaseWatch(WatchOptions.DEFAULT, new Recorder(), new Book());
    assertThat(listens.advance(0).doubt()).as("our reads will tell").isEqualTo(Doubt.NONE);
  }

  @Test
  void theViewIsBlindWhenWhoSawIsLost() {
    watch.add(SLURM);
    assertThat(watch.advance(0).doubt()).as("it has never looked").isEqualTo(Doubt.NONE);
    saw(SLURM, "ior", 0, 0);
    assertThat(watch.advance(3000 * MS).doubt()).isEqualTo(Doubt.NONE);
    watch.noteFailure("slurm", "slurmctld is down", 3001 * MS);
    assertThat(watch.advance(3001 * MS).doubt()).isEqualTo(Doubt.BLIND);
    assertThat(watch.health(3001 * MS).get(1))
        .isEqualTo(
            new SourceHealth(
                "slurm", SourceHealth.State.LOST, Duration.ofMillis(2001), "slurmctld is down"));
  }

  @Test
  void whoWritesPhasesDownSeesTheForecastThatTheyCameUnder() {
    long now = 0;
    for (int i = 0; i < 6; i++) {
      watch.announced().begin("ior", LEASE, now);
      watch.announced().end("ior", now + 1000 * MS);
      now += 11_000 * MS;
    }
    assertThat(forecastsAtOpening.get(5)).as("before the predictor drops it").isPresent();
    watch.announced().begin("ior", LEASE, now);
    assertThat(watch.predictor().forecast("ior")).as("it has come").isEmpty();
    assertThat(watch.predictor().scores().hits()).isPositive();
  }

  @Test
  void anExpectedPhaseIsInTheViewFromItsGuardOn() {
    for (int i = 0; i < 6; i++) {
      watch.announced().begin("ior", LEASE, (long) i * 11_000 * MS);
      watch.announced().end("ior", (i * 11_000L + 1000) * MS);
      watch.advance((i * 11_000L + 1000) * MS);
    }
    long next = 66_000;
    assertThat(watch.advance((next - 200) * MS).expected()).isEmpty();
    assertThat(watch.advance((next - 100) * MS).expected())
        .map(Forecast::onset)
        .contains(next * MS);
  }

  @Test
  void aViewIsACopy() {
    var phases = new ArrayList<>(List.of(new Evidence("ior", "announced", 0, 1)));
    var view = new PhaseWatch.View(phases, Optional.empty(), Doubt.NONE);
    phases.clear();
    assertThat(view.open()).hasSize(1);
  }

  @Test
  void aNodeThatJoinsAgainCountsFromZero() {
    watch.observeOurs("n", 1000, 0, 0);
    watch.join("n");
    watch.observeOurs("n", 0, 10 * MS, 10 * MS);
    watch.observeOurs("n", 50, 20 * MS, 20 * MS);
    assertThat(watch.ourBytes(10 * MS, 20 * MS)).isEqualTo(50);
  }

  @Test
  void sourcesLookOftenWhileOneOfThemSeesAPhase() {
    watch.add(SLURM);
    assertThat(watch.closeLook()).isFalse();
    saw(SLURM, "ior", 0, 100_000_000);
    assertThat(watch.closeLook()).isTrue();
    saw(SLURM, "ior", 5000, 0);
    saw(SLURM, "ior", 6000, 0);
    assertThat(watch.closeLook()).isFalse();
  }

  @Test
  void aReportOfReadsPastTheBufferTellsWhetherItCompletedATotal() {
    watch.add(COUNTERS);
    assertThat(watch.observePastTheBuffer(0, 500 * MS)).isFalse();
    saw(COUNTERS, Evidence.SOMEBODY, 0, 100_000_000);
    assertThat(watch.observePastTheBuffer(10, 1200 * MS)).as("it may be late still").isFalse();
    assertThat(watch.observePastTheBuffer(20, 1700 * MS)).isTrue();
    assertThat(watch.observePastTheBuffer(30, 1800 * MS)).as("nothing new").isFalse();
  }

  /** Whose bytes are taken from the total, but whose load makes our reads slow. */
  @Test
  void besideADeploymentThatLoadsTheOriginCountersDecideAlone() {
    for (boolean loads : new boolean[] {false, true}) {
      var listens = new PhaseWatch(WatchOptions.DEFAULT, new Recorder(), new Book());
      listens.add(COUNTERS);
      listens.observeReads("a", reads(1, 30), List.of(), 0);
      listens.observeOurs("a", 0, 0, 900 * MS);
      listens.noteNeighbour("other", loads, 2000 * MS);
      var total = new Sighting(Evidence.SOMEBODY, 1000 * MS, 2000 * MS, 100_000_000, false);
      listens.observe(COUNTERS.name(), List.of(total), 2000 * MS);
      listens.observeOurs("a", 10_000_000, 2100 * MS, 2110 * MS);
      var view = listens.advance(2110 * MS);
      assertThat(view.open()).as("it loads the origin: %s", loads).hasSize(loads ? 1 : 0);
      assertThat(view.doubt()).isEqualTo(loads ? Doubt.NONE : Doubt.LISTENING);
    }
  }

  /** A server that was frozen for half a minute: its reads come back all at once. */
  @Test
  void readsThatHungAreNoPhaseButAreTold() {
    var listens = new PhaseWatch(WatchOptions.DEFAULT, new Recorder(), new Book());
    for (int i = 0; i < 40; i++) {
      listens.observeReads("a", reads(4, 30), List.of(), i * 100L * MS);
      listens.advance(i * 100L * MS);
    }
    for (int i = 0; i < 300; i++) {
      long now = (4000 + i * 100L) * MS;
      listens.observeReads("a", List.of(), reads(4, i * 100L), now);
      listens.advance(now);
      if (listens.reads().wantsTest(now)) {
        listens.reads().noteTest(now); // and none comes back, either
      }
      assertThat(listens.describeStalls(now).isPresent()).isEqualTo(i >= 50);
    }
    listens.observeReads("a", reads(4, 30_000), List.of(), 34_000 * MS);
    assertThat(listens.advance(34_000 * MS).doubt()).isEqualTo(Doubt.NONE);
    listens.observeReads("a", reads(4, 30), reads(4, 10), 34_100 * MS);
    assertThat(listens.advance(34_100 * MS).open()).isEmpty();
    assertThat(listens.describeStalls(34_100 * MS)).isEmpty();
    assertThat(events).isEmpty();
  }

  /** Somebody who is felt, and goes on behind a named phase whose tail counters still report. */
  @Test
  void theTailOfANamedPhaseDoesNotKeepItFromListening() {
    var listens = new PhaseWatch(WatchOptions.DEFAULT, new Recorder(), new Book());
    listens.add(COUNTERS);
    for (int i = 1; i <= 19; i++) {
      readAlone(listens, i * 100L, i <= 15 ? 30 : 90);
    }
    assertThat(listens.reads().state()).isEqualTo(CarrierSense.State.FOREIGN);
    var total = new Sighting(Evidence.SOMEBODY, 1000 * MS, 2000 * MS, 100_000_000, false);
    listens.observe(COUNTERS.name(), List.of(total), 2000 * MS);
    listens.announced().begin("ior", LEASE, 2050 * MS);
    assertThat(listens.advance(2060 * MS).open()).hasSize(1);
    listens.announced().end("ior", 2500 * MS);
    var view = listens.advance(2500 * MS);
    assertThat(listens.openBesides("reads", 2500 * MS)).as("the tail").isTrue();
    assertThat(view.open()).isEmpty();
    assertThat(view.doubt()).isEqualTo(Doubt.LISTENING);
    assertThat(listens.advance(2510 * MS).doubt()).as("also later").isEqualTo(Doubt.LISTENING);
    assertThat(listens.reads().wantsTest(2510 * MS)).isTrue();
    readAlone(listens, 2610, 90);
    readAlone(listens, 2710, 90);
    assertThat(listens.advance(2720 * MS).open())
        .extracting(Evidence::application)
        .containsExactly(Evidence.SOMEBODY);
    listens.announced().begin("ior", LEASE, 2750 * MS);
    listens.advance(2760 * MS);
    listens.announced().end("ior", 2800 * MS);
    assertThat(listens.advance(2800 * MS).doubt()).isEqualTo(Doubt.LISTENING);
    listens.announced().begin("lammps", LEASE, 2810 * MS);
    assertThat(listens.advance(2810 * MS).doubt()).as("held for anyway").isEqualTo(Doubt.NONE);
    assertThat(listens.reads().wantsTest(2810 * MS)).isFalse();
  }

  /** A single read, and time passes. */
  private static void readAlone(PhaseWatch watch, long endMillis, long millis) {
    watch.observeReads("a", reads(1, millis), List.of(), endMillis * MS);
    watch.advance(endMillis * MS);
  }

  private static List<ReadTime> reads(int count, long millis) {
    return Collections.nCopies(count, new ReadTime(0, millis * MS, 1 << 20, count));
  }
}
