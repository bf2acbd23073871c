package io.eley.cli;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.eley.bb.api.edge.PlainText;

/** A log line's message, escaped: what it quotes cannot begin a line of its own. */
public final class PlainMessage extends MessageConverter {
  @Override
  public String convert(ILoggingEvent event) {
    return PlainText.escape(String.valueOf(super.convert(event)));
  }
}
