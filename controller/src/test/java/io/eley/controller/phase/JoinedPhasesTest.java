package io.eley.controller.phase;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.phase.PhaseListener.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole phases out of what sources report by themselves, through the fusion. */
class JoinedPhasesTest {
  private static final long MS = 1_000_000;
  private static final String SOMEBODY = Evidence.SOMEBODY;
  private static final Map<String, Duration> RESOLUTIONS =
      Map.of(
          "announced", Duration.ZERO,
          "reads", Duration.ofMillis(400),
          "slurm", Duration.ofMillis(500),
          "counters", Duration.ofSeconds(1),
          "board", Duration.ofSeconds(1));

  private final List<SettledPhase> settled = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final Heard whole = new Heard();
  private final JoinedPhases joined =
      new JoinedPhases(
          Duration.ofSeconds(1),
          s -> RESOLUTIONS.getOrDefault(s, Duration.ZERO),
          new Book(),
          whole);
  private final PhaseFusion fusion = new PhaseFusion(Duration.ofSeconds(1), joined);
  private final PhaseListener reports = joined.reportsTo(fusion);
  private final Map<String, Evidence> open = new TreeMap<>();
  private final List<PhaseSource> sources =
      RESOLUTIONS.keySet().stream().sorted().map(this::source).toList();

  /** Whether sources see bytes after the last phase's end, as long as they see a phase. */
  private boolean bytesGoOn;

  private PhaseSource source(String name) {
    var kind = SourceKind.sampled(name, 0.9, Duration.ofSeconds(1), Duration.ofSeconds(10));
    return new PhaseSource() {
      @Override
      public SourceKind kind() {
        return kind;
      }

      @Override
      public void expire(long now) {}

      @Override
      public List<Evidence> openPhases(long now) {
        return open.values().stream().filter(e -> e.source().equals(name)).toList();
      }

      @Override
      public boolean busyAfter(String application, long time) {
        return bytesGoOn && open.containsKey(name + application);
      }

      @Override
      public SourceHealth health(long now) {
        return new SourceHealth(name, SourceHealth.State.FRESH, Duration.ZERO, "");
      }
    };
  }

  private final class Book implements JoinedListener {
    @Override
    public void opened(Evidence phase) {
      events.add("opened " + phase.application());
    }

    @Override
    public void closed(Evidence phase, long at, Ending why) {
      events.add("closed " + phase.application());
    }

    @Override
    public void resumed(Evidence phase, Evidence as) {
      events.add("resumed " + phase.application() + " as " + as.application());
    }

    @Override
    public void settled(Evidence phase, SettledPhase result) {
      settled.add(result);
    }
  }

  private void begin(String source, String application, long millis) {
    var phase = new Evidence(application, source, millis * MS, 0.9);
    open.put(source + application, phase);
    reports.opened(phase);
    fusion.update(sources, phase.since());
  }

  private void end(String source, String application, long millis, Ending why) {
    reports.closed(open.remove(source + application), millis * MS, why);
    fusion.update(sources, millis * MS);
  }

  private SettledPhase only(long now) {
    joined.settle(now * MS);
    assertThat(settled).as("%s", events).hasSize(1);
    return settled.get(0);
  }

  @Test
  void anAnnouncedPhaseIsWhatWasAnnounced() {
    begin("announced", "ior", 1000);
    end("announced", "ior", 3500, Ending.ANNOUNCED);
    assertThat(only(3500))
        .isEqualTo(
            new SettledPhase(
                "ior", "announced", 1000 * MS, 3500 * MS, Duration.ZERO, Ending.ANNOUNCED, ""));
    assertThat(whole.closed).hasSize(1);
  }

  @Test
  void twoAnnouncedPhasesAreTwoHoweverCloseTheyAre() {
    begin("announced", "ior", 0);
    end("announced", "ior", 1000, Ending.ANNOUNCED);
    begin("announced", "ior", 1000);
    end("announced", "ior", 2000, Ending.ANNOUNCED);
    joined.settle(2000 * MS);
    assertThat(settled).hasSize(2);
    assertThat(whole.closed).hasSize(2);
  }

  @Test
  void piecesThatASourceCannotTellApartAreOnePhase() {
    begin("reads", SOMEBODY, 1000);
    end("reads", SOMEBODY, 1400, Ending.QUIET);
    joined.settle(1700 * MS);
    assertThat(settled).as("it may go on").isEmpty();
    begin("reads", SOMEBODY, 1800);
    end("reads", SOMEBODY, 6000, Ending.QUIET);
    var phase = only(7401);
    assertThat(phase.begin()).isEqualTo(1000 * MS);
    assertThat(phase.end()).isEqualTo(6000 * MS);
    assertThat(phase.corrections()).isEqualTo("2 pieces");
    assertThat(phase.resolution()).isEqualTo(Duration.ofMillis(400));
    assertThat(events)
        .containsExactly(
            "opened somebody",
            "closed somebody",
            "resumed somebody as somebody",
            "closed somebody");
    assertThat(whole.opened).as("who learns from phases sees one").hasSize(1);
    assertThat(whole.closed).hasSize(1);
  }

  @Test
  void aPieceThatIsReportedLateIsJoined() {
    begin("reads", SOMEBODY, 1000);
    end("reads", SOMEBODY, 1266, Ending.QUIET);
    joined.settle(1900 * MS);
    assertThat(settled).as("its next piece may be on its way").isEmpty();
    begin("reads", SOMEBODY, 1352);
    end("reads", SOMEBODY, 6000, Ending.QUIET);
    assertThat(only(7401).corrections()).isEqualTo("2 pieces");
  }

  @Test
  void phasesThatASourceCanTellApartAreTwo() {
    begin("reads", SOMEBODY, 1000);
    end("reads", SOMEBODY, 1400, Ending.QUIET);
    begin("reads", SOMEBODY, 1801);
    end("reads", SOMEBODY, 6000, Ending.QUIET);
    joined.settle(8000 * MS);
    assertThat(settled).hasSize(2);
    assertThat(settled).extracting(SettledPhase::corrections).containsOnly("");
  }

  @Test
  void whoIsNamedALittleLaterHadThePhaseFromItsBegin() {
    begin("reads", SOMEBODY, 1000);
    begin("slurm", "ior", 1600);
    end("reads", SOMEBODY, 5900, Ending.QUIET);
    end("slurm", "ior", 6100, Ending.QUIET);
    var phase = only(8000);
    assertThat(phase.application()).isEqualTo("ior");
    assertThat(phase.sources()).isEqualTo("reads+slurm");
    assertThat(phase.corrections()).isEqualTo("first of somebody, end -0.20 s by reads");
    assertThat(phase.end()).isEqualTo(5900 * MS);
    assertThat(events).contains("resumed somebody as ior");
    assertThat(whole.closed)
        .extracting(c -> c.phase().application() + " " + c.why())
        .containsExactly("somebody NAMED", "ior QUIET");
    assertThat(whole.opened.get(1).since()).as("from its begin").isEqualTo(1000 * MS);
  }

  @Test
  void whoIsNamedMuchLaterHasAPhaseOfHisOwn() {
    begin("counters", SOMEBODY, 1000);
    begin("slurm", "ior", 61_000);
    joined.settle(61_000 * MS);
    var first = settled.get(0);
    assertThat(first.why()).isEqualTo(Ending.NAMED);
    assertThat(first.begin()).isEqualTo(1000 * MS);
    assertThat(first.end()).isEqualTo(61_000 * MS);
    end("counters", SOMEBODY, 70_000, Ending.QUIET);
    end("slurm", "ior", 70_000, Ending.QUIET);
    joined.settle(75_000 * MS);
    assertThat(settled).hasSize(2);
    assertThat(settled.get(1).begin()).as("of the second one").isEqualTo(61_000 * MS);
  }

  @Test
  void aPhaseThatWasOverGetsItsNameFromASlowSource() {
    begin("reads", SOMEBODY, 1000);
    end("reads", SOMEBODY, 1500, Ending.QUIET);
    begin("slurm", "ior", 1600);
    end("slurm", "ior", 4000, Ending.QUIET);
    var phase = only(6000);
    assertThat(phase.application()).isEqualTo("ior");
    assertThat(phase.begin()).isEqualTo(1000 * MS);
    assertThat(phase.corrections()).isEqualTo("2 pieces, first of somebody");
  }

  /** Who learns from phases knows one of each application at a time. */
  @Test
  void aPhaseThatGetsItsNameEndsTheOneBeforeItFirst() {
    begin("slurm", "ior", 0);
    end("slurm", "ior", 5000, Ending.QUIET);
    bytesGoOn = true;
    begin("reads", SOMEBODY, 5900);
    begin("slurm", "ior", 6000);
    assertThat(whole.opened)
        .extracting(Evidence::application)
        .containsExactly("ior", SOMEBODY, "ior");
    assertThat(whole.closed)
        .extracting(c -> c.phase().application() + " " + c.at() / MS)
        .containsExactlyInAnyOrder("ior 5000", "somebody 6000");
    end("reads", SOMEBODY, 9000, Ending.QUIET);
    end("slurm", "ior", 9000, Ending.QUIET);
    joined.settle(12_000 * MS);
    assertThat(settled).extracting(SettledPhase::end).containsExactly(5000 * MS, 9000 * MS);
    assertThat(whole.closed).hasSize(3);
    assertThat(whole.closed.get(2).phase().since()).isEqualTo(5900 * MS);
  }

  @Test
  void aCommandThatBeginsBeforeItsIoIsCorrectedByWhoSeesBytes() {
    begin("announced", "ior", 0);
    begin("counters", SOMEBODY, 1250);
    end("announced", "ior", 8000, Ending.ANNOUNCED);
    joined.settle(8100 * MS);
    assertThat(settled).as("the counters are late").isEmpty();
    end("counters", SOMEBODY, 6500, Ending.QUIET);
    var phase = only(8200);
    assertThat(phase.begin()).isEqualTo(1250 * MS);
    assertThat(phase.end()).isEqualTo(6500 * MS);
    assertThat(phase.resolution()).isEqualTo(Duration.ofSeconds(1));
    assertThat(phase.corrections()).isEqualTo("begin +1.25 s by counters, end -1.50 s by counters");
  }

  /** Slurm sees no quiet interval in a pause that is shorter than one. */
  @Test
  void whatASourceSawOfAnApplicationsLastPhaseIsNotOfItsNextOne() {
    begin("announced", "ior", 0);
    begin("slurm", "ior", 0);
    end("announced", "ior", 10_000, Ending.ANNOUNCED);
    begin("announced", "ior", 10_400);
    end("announced", "ior", 20_000, Ending.ANNOUNCED);
    end("slurm", "ior", 20_100, Ending.QUIET);
    joined.settle(24_000 * MS);
    assertThat(settled).hasSize(2);
    assertThat(settled.get(0).end()).isEqualTo(10_000 * MS);
    assertThat(settled.get(1).begin()).as("as far as slurm can tell").isEqualTo(10_400 * MS);
    assertThat(settled.get(1).corrections()).isEmpty();
  }

  @Test
  void anotherPhaseOfTheSameApplicationBeginsWhereThatOneWasOver() {
    begin("announced", "ior", 0);
    begin("slurm", "ior", 0);
    end("announced", "ior", 10_000, Ending.ANNOUNCED);
    begin("announced", "ior", 12_000);
    end("slurm", "ior", 20_000, Ending.QUIET);
    end("announced", "ior", 20_000, Ending.ANNOUNCED);
    joined.settle(24_000 * MS);
    assertThat(settled).hasSize(2);
    assertThat(settled.get(1).begin()).as("its bytes went on").isEqualTo(10_000 * MS);
  }

  @Test
  void whatACoarseSourceSaysCorrectsNothingItCannotKnow() {
    begin("announced", "ior", 0);
    begin("counters", SOMEBODY, 900);
    end("announced", "ior", 8000, Ending.ANNOUNCED);
    end("counters", SOMEBODY, 7100, Ending.QUIET);
    var phase = only(8200);
    assertThat(phase.begin()).isZero();
    assertThat(phase.end()).isEqualTo(8000 * MS);
    assertThat(phase.resolution()).isEqualTo(Duration.ZERO);
    assertThat(phase.corrections()).isEmpty();
  }

  @Test
  void aBeginThatIsFoundToHaveBeenEarlierIsCorrectedBackwards() {
    begin("reads", SOMEBODY, 3000);
    begin("counters", SOMEBODY, 1000);
    end("reads", SOMEBODY, 6000, Ending.QUIET);
    end("counters", SOMEBODY, 6200, Ending.QUIET);
    var phase = only(8500);
    assertThat(phase.begin()).isEqualTo(1000 * MS);
    assertThat(phase.corrections()).isEqualTo("begin -2.00 s by counters, end -0.20 s by reads");
  }

  @Test
  void aSourceThatNeverStopsSeeingKeepsAPhaseForThreeSeconds() {
    begin("announced", "ior", 0);
    begin("counters", SOMEBODY, 100);
    end("announced", "ior", 5000, Ending.ANNOUNCED);
    joined.settle(8000 * MS);
    assertThat(settled).isEmpty();
    joined.settle(8001 * MS);
    assertThat(settled).hasSize(1);
    assertThat(settled.get(0).end()).isEqualTo(5000 * MS);
  }

  @Test
  void bytesOfNobodyByNameTellNothingOfTwoApplicationsAtOnce() {
    begin("announced", "ior", 0);
    begin("announced", "lammps", 500);
    begin("counters", SOMEBODY, 3000);
    end("announced", "lammps", 4000, Ending.ANNOUNCED);
    end("announced", "ior", 5000, Ending.ANNOUNCED);
    end("counters", SOMEBODY, 5000, Ending.QUIET);
    joined.settle(9000 * MS);
    assertThat(settled).extracting(SettledPhase::corrections).containsExactly("", "");
    assertThat(settled).extracting(SettledPhase::begin).containsExactlyInAnyOrder(0L, 500 * MS);
  }

  @Test
  void theRestOfAPhaseThatOneSourceHasLostBelongsToIt() {
    begin("slurm", "ior", 0);
    begin("counters", SOMEBODY, 100);
    bytesGoOn = true;
    end("slurm", "ior", 5000, Ending.QUIET);
    begin("slurm", "ior", 5800);
    end("counters", SOMEBODY, 9000, Ending.QUIET);
    end("slurm", "ior", 9100, Ending.QUIET);
    var phase = only(12_000);
    assertThat(phase.application()).isEqualTo("ior");
    assertThat(phase.begin()).isZero();
    assertThat(phase.end()).isEqualTo(9100 * MS);
    assertThat(phase.corrections()).isEqualTo("2 pieces");
  }

  static LongStream seeds() {
    return LongStream.range(0, 200).map(i -> Long.getLong("eley.test.base", 1) + i);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyPhaseThatIsOpenedIsSettledOnceWithTimesInOrder(long seed) {
    var random = new SplittableRandom(seed);
    var names = List.of("reads", "slurm", "counters", "announced", "board");
    long now = 0;
    for (int step = 0; step < 200; step++) {
      now += random.nextInt(1500);
      bytesGoOn = random.nextBoolean();
      String source = names.get(random.nextInt(names.size()));
      boolean named = source.equals("announced") || source.equals("slurm");
      named |= source.equals("board") && random.nextBoolean();
      String application = named ? List.of("ior", "lammps").get(random.nextInt(2)) : SOMEBODY;
      if (!open.containsKey(source + application)) {
        begin(source, application, now - random.nextInt(named ? 1 : 300));
      } else {
        Ending why = source.equals("announced") ? Ending.ANNOUNCED : Ending.QUIET;
        end(source, application, now, why);
      }
      joined.settle(now * MS);
      assertThat(List.of(learning("ior"), learning(SOMEBODY))).allMatch(n -> n == 0 || n == 1);
    }
    for (var each : List.copyOf(open.values())) {
      now += 10;
      end(each.source(), each.application(), now, Ending.QUIET);
    }
    joined.settle((now + 60_000) * MS);
    long opened = events.stream().filter(e -> e.startsWith("opened")).count();
    assertThat(opened).isPositive();
    assertThat(settled).hasSize((int) opened);
    assertThat(settled).allMatch(s -> s.begin() <= s.end());
    assertThat(whole.opened).as("each begin has its end").hasSameSizeAs(whole.closed);
  }

  /** Of so many phases of an application whoever learns has not seen the end yet. */
  private long learning(String application) {
    return whole.opened.stream().filter(e -> e.application().equals(application)).count()
        - whole.closed.stream().filter(c -> c.phase().application().equals(application)).count();
  }
}
