package io.eley.cli;

import ch.qos.logback.classic.pattern.RootCauseFirstThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.eley.bb.api.edge.PlainText;
import java.util.stream.Collectors;

/**
 * A stack trace in a log, escaped and moved to the right line by line: the message of an exception
 * may hold line feeds, and a log line begins at the margin.
 */
public final class PlainTrace extends RootCauseFirstThrowableProxyConverter {
  @Override
  public String convert(ILoggingEvent event) {
    return super.convert(event)
        .lines()
        .map(line -> "  | " + PlainText.escapeLines(line) + System.lineSeparator())
        .collect(Collectors.joining());
  }
}
