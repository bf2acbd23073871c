package io.eley.coordinator.live;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.eley.coordinator.phases.HttpAnnouncements;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A document of which one form cannot be made. */
@Timeout(60)
class DefectiveDocumentTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(HttpAnnouncements.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
  }

  /** Two nodes of one name, which Prometheus does not take. */
  private static LiveDocument document() {
    var one = LiveDocuments.of(SampleFacts.at(1, 1, 0));
    return new LiveDocument(
        one.version(),
        one.at(),
        one.deployment(),
        one.traffic(),
        one.phases(),
        List.of(one.nodes().get(0), one.nodes().get(0)),
        one.applications(),
        one.hpc(),
        one.sources(),
        one.notes());
  }

  private static HttpResponse<String> get(LiveSite site, String path) throws Exception {
    String query = site.page().getRawQuery();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(site.page().resolve(path + "?" + query)).build(),
            BodyHandlers.ofString());
  }

  @Test
  void isAnsweredAndLoggedAndTheOtherFormIsServed() throws Exception {
    try (var site = new LiveSite(DefectiveDocumentTest::document)) {
      HttpResponse<String> answer = get(site, "/metrics");
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).hasLineCount(1).contains("log");
      assertThat(answer.headers().firstValue("content-type")).contains("text/plain; charset=utf-8");
      List<ILoggingEvent> logged;
      synchronized (lines) { // as appending is
        logged = List.copyOf(lines.list);
      }
      assertThat(logged)
          .filteredOn(e -> e.getFormattedMessage().contains("/metrics"))
          .singleElement()
          .satisfies(
              e -> {
                assertThat(e.getLevel()).isEqualTo(Level.ERROR);
                assertThat(e.getThrowableProxy()).isNotNull();
                assertThat(e.getFormattedMessage()).doesNotContain("token");
              });
      assertThat(get(site, "/live/document").statusCode()).isEqualTo(200);
    }
  }
}
