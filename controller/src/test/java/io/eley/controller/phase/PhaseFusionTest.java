package io.eley.controller.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eley.controller.phase.PhaseListener.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One test a rule. */
class PhaseFusionTest {
  private static final long MS = 1_000_000;
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final PhaseThresholds THRESHOLDS =
      new PhaseThresholds(4e6, Duration.ofMillis(500), Duration.ofSeconds(10));

  private final Heard heard = new Heard();
  private final PhaseFusion fusion = new PhaseFusion(Duration.ofSeconds(1), heard);
  private final AnnouncedPhases announced = new AnnouncedPhases(fusion);
  private final SampledPhases slurm = sampled("slurm", 0.9, false);
  private final SampledPhases counters = sampled("counters", 0.8, true);
  private final List<PhaseSource> all = List.of(announced, slurm, counters);

  private SampledPhases sampled(String name, double confidence, boolean seesEverybody) {
    var kind = SourceKind.sampled(name, confidence, Duration.ofMillis(250), Duration.ofSeconds(2));
    return new SampledPhases(seesEverybody ? kind.ofTotals() : kind, THRESHOLDS, fusion);
  }

  private static void saw(
      SampledPhases source, String application, long from, long to, boolean busy) {
    source.accept(
        List.of(new Sighting(application, from * MS, to * MS, busy ? 100_000_000 : 0, false)),
        to * MS);
  }

  private List<Evidence> open(long millis) {
    all.forEach(s -> s.expire(millis * MS));
    return fusion.update(all, millis * MS);
  }

  @Test
  void oneSourceIsEnoughAndTheLastToLetGoEndsIt() {
    saw(slurm, "ior", 0, 250, true);
    assertThat(open(250)).extracting(Evidence::source).containsExactly("slurm");
    announced.begin("ior", LEASE, 300 * MS);
    assertThat(open(300)).extracting(Evidence::source).containsExactly("announced+slurm");
    assertThat(heard.opened).hasSize(1);
    saw(slurm, "ior", 250, 1000, false);
    assertThat(open(1000)).as("it is announced still").hasSize(1);
    announced.end("ior", 1500 * MS);
    assertThat(open(1500)).isEmpty();
    assertThat(heard.closed).hasSize(1);
  }

  @Test
  void theApplicationItselfKnowsBestWhenItIsOver() {
    announced.begin("ior", LEASE, 0);
    saw(slurm, "ior", 0, 250, true);
    announced.end("ior", 300 * MS);
    assertThat(open(300)).as("accounting is late, no more").isEmpty();
    saw(slurm, "ior", 250, 500, true);
    assertThat(open(500)).as("an interval that began before the end").isEmpty();
    saw(slurm, "ior", 500, 750, true);
    assertThat(open(750)).as("but this goes on").hasSize(1);
    assertThat(heard.opened).hasSize(2);
    assertThat(heard.opened.get(1).since()).isEqualTo(300 * MS);
    saw(slurm, "ior", 750, 1500, false);
    assertThat(open(1500)).isEmpty();
    assertThat(heard.closed).hasSize(2);
  }

  @Test
  void theLastOfSeveralAnnouncedEndsIsWhatCounts() {
    announced.begin("ior", LEASE, 0);
    saw(slurm, "ior", 0, 250, true);
    announced.end("ior", 300 * MS);
    saw(slurm, "ior", 250, 500, true);
    assertThat(open(500)).isEmpty();
    announced.begin("ior", LEASE, 900 * MS);
    assertThat(open(900)).hasSize(1);
    announced.end("ior", 1000 * MS);
    saw(slurm, "ior", 850, 1100, true);
    assertThat(open(1100)).as("an interval that began before the second end").isEmpty();
    saw(slurm, "ior", 1100, 1350, true);
    assertThat(open(1350)).as("but this goes on").hasSize(1);
    assertThat(heard.opened.get(2).since()).isEqualTo(1000 * MS);
  }

  @Test
  void somebodyIsWhoeverIsKnown() {
    announced.begin("ior", LEASE, 0);
    saw(counters, Evidence.SOMEBODY, 0, 1000, true);
    assertThat(open(1000)).hasSize(1);
    assertThat(open(1000).get(0).confidence()).isCloseTo(1, within(1e-9));
    announced.end("ior", 1500 * MS);
    assertThat(open(1500)).as("its tail").isEmpty();
    saw(counters, Evidence.SOMEBODY, 1000, 2000, true);
    assertThat(open(2000)).as("this interval began before the end").isEmpty();
    saw(counters, Evidence.SOMEBODY, 2000, 3000, true);
    assertThat(open(3000)).extracting(Evidence::application).containsExactly(Evidence.SOMEBODY);
    saw(counters, Evidence.SOMEBODY, 3000, 4000, false);
    assertThat(open(4000)).isEmpty();
    assertThat(heard.closed)
        .extracting(Heard.Closed::why)
        .containsExactly(Ending.ANNOUNCED, Ending.QUIET);
  }

  /** As a board, which knows that a phase is over when its own sources have been quiet. */
  @Test
  void whatIsToldOfAPhaseThatIsOverIsItsTailUntilTheTellerCouldKnow() {
    var teller = teller();
    List<PhaseSource> both = List.of(announced, teller);
    announced.begin("ior", LEASE, 0);
    var openAt = new ArrayList<Long>();
    for (long to = 150; to <= 3600; to += 150) {
      if (to == 1500) {
        announced.end("ior", 1500 * MS);
      }
      tell(teller, to - 150, to);
      if (!fusion.update(both, to * MS).isEmpty()) {
        openAt.add(to);
      }
    }
    assertThat(openAt)
        .as("as announced, then from its resolution and a quiet behind the end on")
        .containsExactly(
            150L, 300L, 450L, 600L, 750L, 900L, 1050L, 1200L, 1350L, 3150L, 3300L, 3450L, 3600L);
  }

  @Test
  void aPhaseThatIsToldToHaveBegunBehindTheLastOneIsOpenAtOnce() {
    var teller = teller();
    List<PhaseSource> both = List.of(announced, teller);
    announced.begin("ior", LEASE, 0);
    tell(teller, 0, 150);
    announced.end("ior", 200 * MS);
    teller.accept(List.of(), 400 * MS);
    assertThat(fusion.update(both, 400 * MS)).isEmpty();
    tell(teller, 450, 550);
    assertThat(fusion.update(both, 550 * MS))
        .extracting(Evidence::application)
        .containsExactly(Evidence.SOMEBODY);
  }

  @Test
  void whomASourceTellsBesideANameIsSomebodyElse() {
    var teller = teller();
    List<PhaseSource> both = List.of(slurm, teller);
    var somebody = new Sighting(Evidence.SOMEBODY, 0, 150 * MS, 0, true, 0.6);
    teller.accept(List.of(somebody, new Sighting("ior", 0, 150 * MS, 0, true, 0.7)), 150 * MS);
    saw(slurm, "lammps", 0, 150, true);
    assertThat(fusion.update(both, 150 * MS))
        .as("nor does it support another one's")
        .containsExactly(
            new Evidence("ior", "board", 0, 0.7),
            new Evidence("lammps", "slurm", 0, 0.9),
            new Evidence(Evidence.SOMEBODY, "board", 0, 0.6));
    assertThat(heard.closed).isEmpty();
  }

  /** What asks each 150 ms somebody whose own sources look each second. */
  private SampledPhases teller() {
    var kind = SourceKind.sampled("board", 1, Duration.ofMillis(150), Duration.ofSeconds(2));
    return new SampledPhases(
        kind.within(Duration.ofSeconds(1)).tellingPhases(), THRESHOLDS, fusion);
  }

  private static void tell(SampledPhases teller, long from, long to) {
    teller.accept(List.of(new Sighting(Evidence.SOMEBODY, from * MS, to * MS, 0, true)), to * MS);
  }

  @Test
  void somebodyGetsItsNameWhenItIsKnown() {
    saw(counters, Evidence.SOMEBODY, 0, 1000, true);
    assertThat(open(1000)).extracting(Evidence::application).containsExactly(Evidence.SOMEBODY);
    saw(slurm, "ior", 900, 1150, true);
    assertThat(open(1150)).extracting(Evidence::application).containsExactly("ior");
    assertThat(open(1150).get(0).source()).isEqualTo("counters+slurm");
    assertThat(open(1150).get(0).confidence()).isCloseTo(0.98, within(1e-9));
    assertThat(heard.closed.get(0).why()).isEqualTo(Ending.NAMED);
  }

  @Test
  void twoApplicationsAreTwoPhases() {
    announced.begin("ior", LEASE, 0);
    saw(slurm, "lammps", 0, 250, true);
    assertThat(open(250)).extracting(Evidence::application).containsExactly("ior", "lammps");
  }

  @Test
  void whoSeesEverybodyAndNothingDisputes() {
    announced.begin("ior", LEASE, 0);
    saw(counters, Evidence.SOMEBODY, 0, 1000, false);
    assertThat(open(1000).get(0).confidence()).as("it may be late").isEqualTo(1);
    saw(counters, Evidence.SOMEBODY, 1000, 2000, false);
    assertThat(open(2000)).as("still open: HPC first").hasSize(1);
    assertThat(open(2000).get(0).confidence()).isEqualTo(0.5);
    assertThat(open(9000).get(0).confidence()).as("a lost source disputes nothing").isEqualTo(1);
  }

  // The probe sees what the counters see, later or earlier.
  @Test
  void somebodyWhomTwoSourcesSeeIsThereUntilTheLastLetsGo() {
    SampledPhases probe = sampled("probe", 0.5, false);
    List<PhaseSource> both = List.of(counters, probe);
    saw(counters, Evidence.SOMEBODY, 0, 1000, true);
    saw(probe, Evidence.SOMEBODY, 0, 1000, true);
    assertThat(fusion.update(both, 1000 * MS)).hasSize(1);
    saw(counters, Evidence.SOMEBODY, 1000, 2000, false);
    assertThat(heard.closed).as("the probe sees it still").isEmpty();
    saw(counters, Evidence.SOMEBODY, 2000, 3000, true);
    saw(probe, Evidence.SOMEBODY, 2000, 3000, false);
    assertThat(heard.closed).as("the counters see it again").isEmpty();
    saw(counters, Evidence.SOMEBODY, 3000, 4000, false);
    assertThat(heard.opened).hasSize(1);
    assertThat(heard.closed).hasSize(1);
  }
}
