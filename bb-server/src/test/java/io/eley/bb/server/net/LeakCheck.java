package io.eley.bb.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Fails a test class that has leaked a Netty buffer. Netty reports a leak when it finds a buffer
 * collected but not released, on its next allocation; so this collects and allocates.
 */
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
  private final Reports reports = new Reports();

  @Override
  public void beforeAll(ExtensionContext context) {
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
    reports.listen();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    provoke();
    reports.silence();
    assertThat(reports.seen()).as("leaked buffers").isEmpty();
  }

  /** Collects garbage and lets Netty look at what was collected. */
  static void provoke() {
    for (int i = 0; i < 3; i++) {
      System.gc();
      System.runFinalization();
      ByteBufAllocator.DEFAULT.directBuffer(1).release();
    }
  }

  /** What Netty's leak detector logs. */
  static final class Reports extends AppenderBase<ILoggingEvent> {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    void listen() {
      start();
      detectorLog().addAppender(this);
    }

    void silence() {
      detectorLog().detachAppender(this);
    }

    List<String> seen() {
      return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
      lines.add(event.getFormattedMessage());
    }

    private static Logger detectorLog() {
      return (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    }
  }
}
