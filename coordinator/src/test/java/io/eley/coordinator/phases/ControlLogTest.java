package io.eley.coordinator.phases;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener.Ending;
import io.eley.coordinator.LogOf;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ControlLogTest {
  private static final Evidence PHASE = new Evidence("logged", "slurm", 1_000_000, 0.9);

  private final LogOf logged = new LogOf(ControlLog.class);
  private final ControlLog log = new ControlLog(new ArrayList<>()::add);

  @AfterEach
  void stop() {
    logged.close();
  }

  /** Without those of the classes that run beside this one. */
  private List<ILoggingEvent> ours() {
    return logged.events().stream()
        .filter(e -> Thread.currentThread().getName().equals(e.getThreadName()))
        .toList();
  }

  private List<String> lines() {
    return ours().stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void aPhaseBeginsWithItsApplicationAndSource() {
    log.opened(PHASE);
    assertThat(lines()).containsExactly("logged is in a phase (slurm)");
  }

  @ParameterizedTest
  @EnumSource(Ending.class)
  void eachEndingHasOneLineWithThePhasesLength(Ending ending) {
    log.closed(PHASE, 251_000_000, ending);
    assertThat(lines()).singleElement().asString().contains("250 ms");
  }

  @ParameterizedTest
  @CsvSource({
    "ANNOUNCED, INFO",
    "QUIET, INFO",
    "NAMED, INFO",
    "LEASE_EXPIRED, WARN",
    "SOURCE_LOST, WARN"
  })
  void anEndThatNobodyReportedIsAWarning(Ending ending, String level) {
    log.closed(PHASE, 251_000_000, ending);
    assertThat(ours()).extracting(ILoggingEvent::getLevel).containsExactly(Level.toLevel(level));
  }
}
