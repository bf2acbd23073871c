package io.eley.controller.sense;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** With single reads as they were on a real OrangeFS of four servers beside four IOR writers. */
class BusyTestTest {
  private static final double NEITHER = 0.7;

  private final BusyTest test = new BusyTest();

  private long idleOf(double... excesses) {
    return DoubleStream.of(excesses).filter(excess -> test.takeUntilIdle(excess, NEITHER)).count();
  }

  /** One took 25 ms among others of 51 to 70, as the slower half does when nobody is about. */
  @Test
  void aReadThatFoundALullDoesNotEndAPhase() {
    assertThat(idleOf(1.08, 0.80, 1.07, 0.90, 1.18, 0.91, 1.13, 0.24)).isZero();
    assertThat(test.leansToIdle()).as("the next one is not waited for").isTrue();
    assertThat(idleOf(0.78, 1.04)).isZero();
    assertThat(test.leansToIdle()).isFalse();
  }

  /** Once two followed each other. */
  @Test
  void threeThatAreAsUsualEndIt() {
    assertThat(idleOf(1.08, 0.24, 0.31)).isZero();
    assertThat(test.leansToIdle()).isTrue();
    assertThat(idleOf(0.27)).isOne();
  }

  @Test
  void oneThatIsAsFastAsTheFastOnesEndsIt() {
    assertThat(idleOf(1.24, -0.44)).isOne();
  }

  @Test
  void noSingleReadDecidesThatSomebodyIsThere() {
    assertThat(test.take(5, NEITHER, 0)).isEqualTo(BusyTest.Verdict.UNDECIDED);
    assertThat(test.leansToBusy()).isTrue();
    assertThat(test.take(1.1, NEITHER, 0)).isEqualTo(BusyTest.Verdict.BUSY);
    assertThat(test.take(0.3, NEITHER, 0)).isEqualTo(BusyTest.Verdict.IDLE);
  }
}
