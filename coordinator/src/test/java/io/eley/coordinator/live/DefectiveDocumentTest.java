package io.eley.coordinator.live;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.eley.coordinator.LogOf;
import io.eley.coordinator.phases.HttpAnnouncements;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A document of which one form cannot be made. */
@Timeout(60)
class DefectiveDocumentTest {
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
    try (var log = new LogOf(HttpAnnouncements.class);
        var site = new LiveSite(DefectiveDocumentTest::document)) {
      HttpResponse<String> answer = get(site, "/metrics");
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).hasLineCount(1).contains("log");
      assertThat(answer.headers().firstValue("content-type")).contains("text/plain; charset=utf-8");
      assertThat(log.events())
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
