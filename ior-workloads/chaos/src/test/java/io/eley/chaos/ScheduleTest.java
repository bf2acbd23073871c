package io.eley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.chaos.Schedule.Event;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final List<Fault> ALL = List.of(Fault.values());

  @Test
  void oneSeedIsOneSchedule() {
    for (long seed = 0; seed < 100; seed++) {
      assertThat(Schedule.of(seed, ALL)).isEqualTo(Schedule.of(seed, ALL));
    }
    assertThat(Schedule.of(1, ALL)).isNotEqualTo(Schedule.of(2, ALL));
  }

  @Test
  void manySeedsHaveEveryFaultAndOddNamesAndEmptyFiles() {
    Set<Fault> faults = EnumSet.noneOf(Fault.class);
    Set<String> names = new HashSet<>();
    boolean empty = false;
    for (long seed = 0; seed < 200; seed++) {
      var schedule = Schedule.of(seed, ALL);
      schedule.events().forEach(e -> faults.add(e.fault()));
      schedule.files().forEach(f -> names.add(f.name()));
      empty |= schedule.files().stream().anyMatch(f -> f.length() == 0);
      assertThat(schedule.files().stream().map(Schedule.Input::name)).doesNotHaveDuplicates();
      assertThat(schedule.events()).isNotEmpty().extracting(Event::atMillis).isSorted();
      assertThat(schedule.events()).allMatch(e -> e.atMillis() < Schedule.MILLIS);
    }
    assertThat(faults).hasSize(ALL.size());
    assertThat(names).hasSizeGreaterThan(30);
    assertThat(empty).isTrue();
  }

  @Test
  void whatIsNotPossibleDoesNotHappen() {
    for (long seed = 0; seed < 100; seed++) {
      assertThat(Schedule.of(seed, List.of(Fault.FLIP_BIT)).events())
          .allMatch(e -> e.fault() == Fault.FLIP_BIT);
    }
  }

  @Test
  void thereAreAsManySeedsAsRunsAlsoBehindTheLargest() {
    assertThat(ChaosExperiment.seeds(7, 3)).containsExactly(7L, 8L, 9L);
    assertThat(ChaosExperiment.seeds(Long.MAX_VALUE, 3))
        .containsExactly(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1);
  }
}
