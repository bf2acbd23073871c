package io.eley.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.ByteRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times as they were measured on an OrangeFS of four servers of 20 MB/s. */
class StripedFileSystemTest {
  private static final Percentage NEARLY = Percentage.withPercentage(10);

  /** Where readers with four under way beside writers got more than an equal share. */
  private static final Percentage ABOUT = Percentage.withPercentage(22);

  private final Agenda agenda = new Agenda();
  private final StripedFileSystem files = files(0.15);
  private final List<Double> millis = new ArrayList<>();

  private StripedFileSystem files(double noise) {
    var bed = new Testbed(20e6, Testbed.COMPUTE_SECONDS, noise);
    return new StripedFileSystem(agenda, bed.layout(), new Random(1));
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 27", "2, 1, 28", "2, 4, 112"})
  void readsTakeTheMeasuredTimeWhenNobodyElseIsThere(int nodes, int underWay, double measured) {
    assertThat(medianOfReads(nodes, underWay, 0)).isCloseTo(measured, NEARLY);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 65", "2, 1, 79", "2, 4, 279"})
  void readsTakeTheMeasuredTimeBesideFourWriters(int nodes, int underWay, double measured) {
    assertThat(medianOfReads(nodes, underWay, 4)).isCloseTo(measured, ABOUT);
  }

  private double medianOfReads(int nodes, int underWay, int writers) {
    for (int i = 0; i < writers; i++) {
      moveForEver(files.mount(), "/w" + i, 0, new ArrayList<>());
    }
    for (int i = 0; i < nodes; i++) {
      Mount mount = files.mount();
      for (int k = 0; k < underWay; k++) {
        moveForEver(mount, "/r" + i + "." + k, 0, millis);
      }
    }
    runUntil(20);
    return millis.stream().sorted().toList().get(millis.size() / 2);
  }

  private void moveForEver(Mount mount, String file, long at, List<Double> times) {
    long began = agenda.now();
    var range = new ByteRange(at, Testbed.MIB);
    mount.move(
        file,
        range,
        () -> {
          times.add((agenda.now() - began) / 1e6);
          moveForEver(mount, file, range.end(), times);
        });
  }

  @Test
  void aFrozenServerLetsRequestsWaitAndThenGoesOn() {
    var quiet = files(0);
    var ends = new ArrayList<Double>();
    quiet.freeze(2, 3 * Testbed.SECOND);
    quiet.mount().move("/f", new ByteRange(0, Testbed.MIB), () -> ends.add(agenda.now() / 1e9));
    runUntil(2.9);
    assertThat(ends).isEmpty();
    runUntil(4);
    assertThat(ends).singleElement().satisfies(end -> assertThat(end).isCloseTo(3, within(0.05)));
  }

  @Test
  void whatIsUnderWayStandsStillTooWhenAServerFreezes() {
    var quiet = files(0);
    var ends = new ArrayList<Double>();
    quiet.mount().move("/f", new ByteRange(0, Testbed.MIB), () -> ends.add(agenda.now() / 1e9));
    agenda.at(20_000_000, () -> quiet.freeze(0, Testbed.SECOND));
    runUntil(2);
    assertThat(ends)
        .singleElement()
        .satisfies(end -> assertThat(end).isCloseTo(1.02, within(0.02)));
  }

  @Test
  void oneMountServesOneRequestAfterTheOtherAndAllBytesAreCounted() {
    var quiet = files(0);
    var ends = new ArrayList<Double>();
    Mount mount = quiet.mount();
    mount.move("/f", new ByteRange(0, 2 * Testbed.MIB), () -> ends.add(agenda.now() / 1e6));
    mount.move("/g", new ByteRange(0, 100_000), () -> ends.add(agenda.now() / 1e6));
    runUntil(1);
    assertThat(ends).hasSize(2).isSorted();
    assertThat(ends.get(0)).isCloseTo(2 * 27.9, within(1.0));
    assertThat(quiet.moved()).isEqualTo(2 * Testbed.MIB + 100_000);
  }

  private void runUntil(double seconds) {
    agenda.after(Math.max(0, (long) (seconds * 1e9) - agenda.now()), () -> {});
    assertThat(agenda.run(() -> agenda.now() >= seconds * 1e9, Duration.ofMinutes(1))).isTrue();
  }
}
