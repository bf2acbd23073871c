package io.eley.coordinator;

import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a class logs until this is closed, also to tests that run beside this one. */
public final class LogOf implements AutoCloseable {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  public LogOf(Class<?> type) {
    // Who asks while another thread makes the first logger of all is given a substitute.
    await().until(() -> LoggerFactory.getLogger(type) instanceof Logger);
    logger = (Logger) LoggerFactory.getLogger(type);
    appender.start();
    logger.addAppender(appender);
  }

  public List<ILoggingEvent> events() {
    synchronized (appender) { // as appending is
      return List.copyOf(appender.list);
    }
  }

  public List<String> lines() {
    return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
  }
}
