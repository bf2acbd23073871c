package io.eley.coordinator.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.DeploymentReport.SourceReport;
import io.eley.coordinator.drivers.ReadTotals;
import io.eley.coordinator.live.LiveDocument.Level;
import io.eley.coordinator.live.LiveDocument.Note;
import io.eley.coordinator.live.LiveDocument.Point;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class LiveDocumentsTest {
  /** Five seconds into a phase. */
  private static final long NOW = 1_795_438_800_000L / 60_000 * 60_000 + 5_000;

  private final LiveDocument document = LiveDocuments.of(SampleFacts.at(NOW, 2, 2));

  @Test
  void figuresOfTheDeploymentAreSumsOfItsNodes() {
    var d = document.deployment();
    assertThat(d.ramBytes()).isEqualTo(19 * SampleFacts.GIB);
    assertThat(d.ramCapacityBytes()).isEqualTo(32 * SampleFacts.GIB);
    assertThat(d.held()).isTrue();
    assertThat(document.nodes()).hasSize(2).allMatch(n -> !n.permitOpen());
  }

  @Test
  void phasesHaveTimesOfDayAndOnlyThoseThatTheTrafficReachesBackTo() {
    var phases = document.phases();
    assertThat(phases.open()).hasSize(1);
    assertThat(phases.open().get(0).began()).isEqualTo(NOW - 5_000);
    assertThat(phases.expected().get(0).at()).isEqualTo(NOW + 55_000);
    // One a minute; 25 of climate's 30, and lammps' one, were over before the oldest point.
    assertThat(phases.past()).hasSize(5).allMatch(p -> p.application().equals("climate"));
  }

  @Test
  void anHpcApplicationIsToldByTheMedianAndWhatWasHeld() {
    var climate = document.hpc().get(0);
    assertThat(climate.application()).isEqualTo("climate");
    assertThat(climate.open()).isTrue();
    assertThat(climate.phases()).isEqualTo(30);
    assertThat(climate.heldBefore()).isEqualTo(26);
    assertThat(climate.slowdownPercent()).isEqualTo(0.8);
    var lammps = document.hpc().get(1);
    assertThat(lammps.slowdownPercent()).isNull();
  }

  @Test
  void whatWasSavedIsThePriceAtTheOriginLessWhatWasWaited() {
    // 1000 bytes at 20 ns, less 5 µs waited; never negative; unknown without a price.
    var price = OptionalDouble.of(20);
    assertThat(LiveDocuments.saved(new ReadTotals(1, 1000, 5_000), price)).isEqualTo(15e-6);
    assertThat(LiveDocuments.saved(new ReadTotals(1, 1000, 50_000), price)).isZero();
    assertThat(LiveDocuments.saved(new ReadTotals(1, 1000, 0), OptionalDouble.empty())).isNull();
    var cost = new OriginCost();
    assertThat(cost.nanosPerByte()).isEmpty();
    cost.note(
        List.of(
            new ReadTime(0, 3_000, 100, 1),
            new ReadTime(0, 1_000, 100, 1),
            new ReadTime(0, ReadTime.HANGS.toNanos(), 1, 1)));
    assertThat(cost.nanosPerByte()).hasValue(20);
  }

  @Test
  void whoHasTheEarlierTrafficGetsWhatIsNew() {
    long newest = document.traffic().points().get(TrafficRing.POINTS - 1).at();
    assertThat(document.after(newest).traffic().points()).isEmpty();
    assertThat(document.after(newest - 3_000).traffic().points()).hasSize(3);
    assertThat(document.after(0)).isEqualTo(document);
    assertThat(document.after(newest - 3_000).following(document)).isEqualTo(document);
    var later = LiveDocuments.of(SampleFacts.at(NOW + 2_000, 2, 2));
    assertThat(later.after(newest).following(document)).isEqualTo(later);
  }

  @Test
  void jsonComesBackEqualAndLaterFieldsAreSkipped() throws Exception {
    String json = LiveJson.write(document);
    assertThat(LiveJson.read(json)).isEqualTo(document);
    var tree = new ObjectMapper().readTree(json);
    assertThat(tree.at("/traffic/points/0").isArray()).isTrue();
    assertThat(LiveJson.read(json.replaceFirst("\\{", "{\"later\":1,"))).isEqualTo(document);
    assertThatThrownBy(() -> LiveJson.read(json.replaceFirst("\"version\":1", "\"version\":2")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("newer");
    for (String nonsense : List.of("", "null", "[]", "{\"version\":\"x\"}")) {
      assertThatThrownBy(() -> LiveJson.read(nonsense)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void theRingKeepsTheLastMinutesAndNoTimeGoesBack() {
    var ring = new TrafficRing();
    for (int i = 0; i < TrafficRing.POINTS + 5; i++) {
      ring.add(new Point(1000L * i, i, null, false));
    }
    ring.add(new Point(7, 0, null, false));
    assertThat(ring.all()).hasSize(TrafficRing.POINTS);
    assertThat(ring.all().get(0).at()).isEqualTo(5000);
  }

  @Test
  void theHistoryIsBounded() {
    var history = new PhaseHistory();
    for (int i = 0; i < PhaseHistory.APPLICATIONS + 10; i++) {
      history.add(SampleFacts.entry("a" + i, 1000L * i, 2, Optional.of(2.0), false));
    }
    for (int i = 0; i < PhaseHistory.SLOWDOWNS + 10; i++) {
      history.add(SampleFacts.entry("a50", 1000L * i, 2, Optional.of(2.0), false));
    }
    for (int i = 0; i < PhaseHistory.KEPT; i++) {
      history.add(SampleFacts.entry("a50", 1000L * i, 2, Optional.of(2.0), false));
    }
    assertThat(history.last()).hasSize(PhaseHistory.LAST);
    assertThat(history.since(Instant.EPOCH).figures().get(0).phases()).isEqualTo(PhaseHistory.KEPT);
    assertThat(history.figures()).hasSize(PhaseHistory.APPLICATIONS);
    var newest = history.figures().get(0);
    assertThat(newest.application()).isEqualTo("a50");
    assertThat(newest.phases()).isEqualTo(PhaseHistory.KEPT + PhaseHistory.SLOWDOWNS + 11);
    assertThat(newest.judged()).hasSize(PhaseHistory.SLOWDOWNS);
  }

  @Test
  void notesSayWhatToDoAndTheWorstFirst() {
    assertThat(document.notes())
        .extracting(Note::text)
        .anyMatch(t -> t.startsWith("join has") && t.contains("full delay for climate"));
    assertThat(document.notes()).extracting(Note::command).contains("eley why app-20261123-1000");
    // Twenty windows of 6 to 15 GiB against 2 x 16 GiB.
    var full = LiveDocuments.of(SampleFacts.at(NOW, 2, 20)).notes();
    assertThat(full).anyMatch(n -> n.level() == Level.ADVICE && n.text().contains("more RAM"));
    // Which options there are depends on how it was started: summaries know.
    assertThat(full).noneMatch(n -> n.text().contains("--"));
    assertThat(full.size()).isLessThanOrEqualTo(12);
    var none = LiveDocuments.of(SampleFacts.at(NOW, 0, 0)).notes();
    assertThat(none.get(0).level()).isEqualTo(Level.PROBLEM);
    assertThat(none.get(0).text()).contains("no node is here");
  }

  /** As before the first read of a deployment, which is no reason to announce anything. */
  @Test
  void thatNobodySeesPhasesIsSaidOfWhoDoesNotListen() {
    var announced = new SourceReport("announced", "fresh", 0, "");
    String blind = "nothing here sees phases by itself";
    for (String state : List.of("absent", "fresh")) {
      assertThat(told(announced, new SourceReport("reads", state, 0, "")))
          .as(state)
          .noneMatch(text -> text.startsWith(blind));
    }
    assertThat(told(announced, new SourceReport("reads", "lost", 9000, "")))
        .anyMatch(text -> text.startsWith(blind));
    assertThat(told(announced, new SourceReport("slurm", "absent", 0, "")))
        .anyMatch(text -> text.startsWith(blind));
    assertThat(told(announced)).anyMatch(text -> text.startsWith(blind));
  }

  private static List<String> told(SourceReport... sources) {
    return LiveDocuments.of(SampleFacts.at(NOW, List.of(sources))).notes().stream()
        .map(Note::text)
        .toList();
  }

  @Test
  void anApplicationIsToldOfThePhasesItMet() {
    var facts = SampleFacts.at(NOW, 2, 2);
    var join = facts.report().applications().get(0);
    assertThat(ApplicationWords.of(join, facts, met(facts, NOW - 120_000)))
        .satisfiesExactly(
            waits -> assertThat(waits).startsWith("join has"),
            reads -> assertThat(reads).contains("480 tasks read 61440 MiB", "190.0 s", "saved"),
            phases ->
                assertThat(phases)
                    .isEqualTo(
                        "phases of HPC applications met: 2 of climate (24.0 s, as alone to 1.2 %);"
                            + " open now: climate"));
    var pause = SampleFacts.at(NOW + 20_000, 2, 2);
    assertThat(ApplicationWords.phases(pause.report().openPhases(), met(pause, NOW + 15_000)))
        .isEqualTo("phases of HPC applications met: none");
  }

  /** Its tasks left unread what was planned for them, so that its window is empty. */
  @Test
  void aPlanThatIsLeftToDemandIsNotSaidToBeInRam() {
    var facts = SampleFacts.at(NOW, 2, 2);
    var left = new ApplicationReport("app-1", "limit", 8, 0, 0, 9, 2, 0);
    assertThat(ApplicationWords.of(left, facts, met(facts, NOW)).get(0))
        .isEqualTo(
            "the plan of app-1 is left to be read on demand: ask `eley why app-1/STAGE/TASK`");
    var over = new ApplicationReport("app-1", "limit", 8, 0, 0, 9, 9, 0);
    assertThat(ApplicationWords.of(over, facts, met(facts, NOW)).get(0))
        .isEqualTo("app-1 has told of nothing that it will read next");
  }

  private static PhaseHistory.Met met(LiveFacts facts, long since) {
    var history = new PhaseHistory();
    facts.past().forEach(history::add);
    return history.since(Instant.ofEpochMilli(since));
  }

  /** More than a chart shows, and more than are kept. */
  @Test
  void allPhasesSinceItBeganAreCounted() {
    var history = new PhaseHistory();
    for (int i = 0; i < PhaseHistory.LAST + 50; i++) {
      history.add(SampleFacts.entry("before", NOW + 1000L * i, 2, Optional.of(2.0), false));
    }
    long began = NOW + 1_000_000;
    for (int i = 0; i < PhaseHistory.LAST + 50; i++) {
      history.add(SampleFacts.entry("climate", began + 10_000L * i, 2, Optional.of(2.0), false));
      history.add(SampleFacts.entry("mesh", began + 10_000L * i, 3, Optional.of(2.0), false));
    }
    var met = history.since(Instant.ofEpochMilli(began));
    assertThat(ApplicationWords.phases(List.of(), met))
        .contains("met: 250 of climate (500.0 s, ", ", 250 of mesh (750.0 s, ")
        .doesNotContain("before", "at least");

    for (int i = 0; i < PhaseHistory.KEPT - 250; i++) {
      history.add(SampleFacts.entry("mesh", began + 10_000_000L, 3, Optional.of(2.0), false));
    }
    assertThat(ApplicationWords.phases(List.of(), history.since(Instant.ofEpochMilli(began))))
        .contains("at least 4875 of mesh");
  }

  @Test
  void whatIsNotKnownIsAbsent() {
    var facts = SampleFacts.at(NOW, 1, 1);
    var young =
        new LiveFacts(
            NOW,
            facts.report(),
            false,
            List.of(new Point(NOW, 0, null, false)),
            0,
            List.of(),
            List.of(),
            Map.of(),
            OptionalDouble.empty());
    String json = LiveJson.write(LiveDocuments.of(young));
    assertThat(json)
        .doesNotContain("capacityBytesPerSecond", "savedSeconds", "slowdownPercent")
        .contains("[" + NOW + ",0,null,false]");
  }
}
