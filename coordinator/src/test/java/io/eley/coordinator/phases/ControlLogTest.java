package io.eley.coordinator.phases;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener.Ending;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

class ControlLogTest {
  private static final Evidence PHASE = new Evidence("logged", "slurm", 1_000_000, 0.9);

  private final Logger logger = (Logger) LoggerFactory.getLogger(ControlLog.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final ControlLog log = new ControlLog(new ArrayList<>()::add);

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
  }

  /** Without those of the classes that run beside this one. */
  private List<ILoggingEvent> ours() {
    List<ILoggingEvent> all;
    synchronized (lines) { // as appending is
      all = List.copyOf(lines.list);
    }
    return all.stream()
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
