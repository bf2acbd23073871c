package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eley.report.PaperValue;
import io.eley.report.PhaseRecord;
import io.eley.report.RunRecord;
import io.eley.report.RunTimeline;
import io.eley.report.SeriesRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class PaperFiguresTest {
  private static final Offset<Double> HAIR = within(1e-9);

  /** A run of Sort whose phases took so many per cent longer than alone. */
  private static SeriesRun run(String system, int... percent) {
    var phases = new ArrayList<PhaseRecord>();
    for (int slower : percent) {
      phases.add(new PhaseRecord(10 * phases.size(), 1 + slower / 100.0, 1, 0, 0, true, "ior"));
    }
    var nothing =
        new RunTimeline(0, 60, List.of(), List.of(), List.of(), 1, Map.of(), List.of(), List.of());
    var record =
        new RunRecord(
            system, "Sort", 50.0, 60.0, 1, 0.5, phases, List.of(), Map.of(), "d", nothing, 1);
    return new SeriesRun(1, "runs/" + system, record, List.of());
  }

  private static double ours(List<PaperValue> values, String what) {
    return values.stream()
        .filter(v -> v.workload().equals("Sort") && v.what().equals(what))
        .map(PaperValue::ours)
        .findFirst()
        .orElseThrow();
  }

  /**
   * A slow system's map phase meets more phases than a fast one's: the first three of both count.
   */
  @Test
  void allPhasesOfBothSystemsCountAlike() {
    var values =
        PaperFigures.values(
            1, List.of(run("NaiveBB", 50, 50, 50, 10, 10), run("NoAction", 40, 40, 40)));

    assertThat(ours(values, "IOR's phases beside NaiveBB against alone")).isCloseTo(50, HAIR);
    assertThat(ours(values, "IOR's phases beside NoAction against alone")).isCloseTo(40, HAIR);
    assertThat(ours(values, "IOR's phases beside NoAction against beside NaiveBB"))
        .isCloseTo(100 * (140 / 150.0 - 1), HAIR);
  }
}
