package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.coordinator.live.LiveDocument;
import io.eley.coordinator.live.LiveJson;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The live page, its stream and metrics, as browsers, Prometheus and strangers ask for them. */
@Timeout(60)
class LiveHttpTest {
  @TempDir Path temporary;
  private final HttpClient http = HttpClient.newHttpClient();
  private TestDeployment deployment;

  @BeforeEach
  void start() throws Exception {
    deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY);
  }

  @AfterEach
  void stop() {
    deployment.close();
  }

  private URI page() throws Exception {
    return URI.create(Files.readString(deployment.directory.resolve("live.url")).strip());
  }

  private String token() throws Exception {
    return page().getQuery().substring("token=".length());
  }

  private HttpRequest.Builder to(String pathAndQuery) throws Exception {
    return HttpRequest.newBuilder(page().resolve(pathAndQuery));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/live", "/live/events", "/live/document", "/metrics", "/live/x"})
  void withoutTheTokenThereIsNothing(String path) throws Exception {
    String right = token();
    String wrong = (right.charAt(0) == '0' ? '1' : '0') + right.substring(1);
    String announce = Files.readString(deployment.directory.resolve("announce.curl"));
    for (String query : List.of("", "?token=", "?token=" + wrong, "?token=" + right + "0")) {
      var answer = send(to(path + query));
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.body()).hasLineCount(1).contains("live.url");
    }
    String bearer = announce.replaceAll("(?s).*Authorization: ([^\"]*)\".*", "$1");
    assertThat(bearer).startsWith("Bearer ");
    assertThat(send(to(path).header("Authorization", bearer)).statusCode()).isEqualTo(401);
  }

  @Test
  void theTokenOpensNothingElseIsPrivateAndGoneWithTheCoordinator() throws Exception {
    Path file = deployment.directory.resolve("live.url");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    var begin =
        to("/begin")
            .header("Authorization", "Bearer " + token())
            .POST(HttpRequest.BodyPublishers.ofString("app=x"));
    assertThat(send(begin).statusCode()).isEqualTo(401);
    assertThat(deployment.report().openPhases()).isEmpty();
    deployment.stop();
    assertThat(file).doesNotExist();
  }

  @Test
  void thePageNeedsNothingElseAndSaysWhatItMay() throws Exception {
    var answer = send(HttpRequest.newBuilder(page()));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).startsWith("<!DOCTYPE html>").contains("echarts");
    assertThat(answer.body()).doesNotContain(token());
    var headers = answer.headers().map();
    assertThat(headers.get("cache-control")).containsExactly("no-store");
    assertThat(headers.get("referrer-policy")).containsExactly("no-referrer");
    assertThat(headers.get("x-content-type-options")).containsExactly("nosniff");
    assertThat(headers.get("content-security-policy").get(0))
        .contains("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe", "*");
    assertThat(headers).doesNotContainKey("access-control-allow-origin");
    assertThat(send(HttpRequest.newBuilder(page()).DELETE()).statusCode()).isEqualTo(405);
    assertThat(send(to("/live/nothing?token=" + token())).statusCode()).isEqualTo(404);
  }

  @Test
  void documentsArePushedEachWithTheTrafficThatIsNew() throws Exception {
    deployment.node("a", 7001).register();
    var request = to("/live/events?token=" + token()).build();
    var answer = http.send(request, BodyHandlers.ofLines());
    assertThat(answer.headers().firstValue("content-type").orElse("")).contains("event-stream");
    try (var lines = answer.body()) {
      List<LiveDocument> documents =
          lines
              .filter(l -> l.startsWith("data: "))
              .limit(3)
              .map(l -> read(l.substring("data: ".length())))
              .toList();
      assertThat(documents)
          .allMatch(d -> d.nodes().size() == 1 && d.nodes().get(0).id().equals("a"));
      assertThat(documents.get(2).at()).isGreaterThan(documents.get(0).at());
      assertThat(documents.get(2).traffic().points())
          .noneMatch(documents.get(1).traffic().points()::contains);
    }
    assertThat(send(to("/live/document?token=" + token())).body()).contains("\"version\":1");
  }

  private static LiveDocument read(String json) {
    try {
      return LiveJson.read(json);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void theCoordinatorStopsWhileSomebodyLooks() throws Exception {
    var request = to("/live/events?token=" + token()).build();
    try (var lines = http.send(request, BodyHandlers.ofLines()).body()) {
      var each = lines.iterator();
      assertThat(each.hasNext()).isTrue();
      deployment.stop();
    }
  }

  /** By hand, since the JDK's client sets these headers itself. */
  private String raw(String host, String... headers) throws Exception {
    try (var socket = new Socket(page().getHost(), page().getPort())) {
      OutputStream out = socket.getOutputStream();
      String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
      out.write(
          ("GET /live/document?token=" + token() + " HTTP/1.1\r\nHost: " + host + "\r\n" + lines)
              .getBytes(StandardCharsets.US_ASCII));
      out.write("Connection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      var in = new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8);
      return new BufferedReader(in).readLine();
    }
  }

  @Test
  void aTunnelsNameIsFineAndAnotherOriginIsNot() throws Exception {
    assertThat(raw("localhost:8080")).contains(" 200 ");
    assertThat(raw("localhost:8080", "Origin: http://localhost:8080")).contains(" 200 ");
    assertThat(raw("localhost:8080", "Sec-Fetch-Site: same-origin")).contains(" 200 ");
    assertThat(raw("x:1", "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate")).contains(" 200 ");
    String link = "Sec-Fetch-Site: cross-site";
    assertThat(raw("x:1", link, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"))
        .contains(" 200 ");
    assertThat(raw("x:1", link, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"))
        .contains(" 403 ");
    assertThat(raw("x:1", link, "Sec-Fetch-Mode: cors")).contains(" 403 ");
    assertThat(raw("x:1", "Sec-Fetch-Site: same-site")).contains(" 403 ");
    assertThat(raw("x:1", "Origin: http://evil.example")).contains(" 403 ");
    assertThat(raw("x:1", "Origin: null")).contains(" 403 ");
  }

  @Test
  void metricsTakeABearerOrAreOpenOnLoopbackWhereThatIsWanted() throws Exception {
    deployment.node("a", 7001).register();
    var answer = send(to("/metrics").header("Authorization", "Bearer " + token()));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("eley_node_ram_bytes{node=\"a\"}");
    assertThat(answer.headers().firstValue("content-type").orElse("")).startsWith("text/plain");
    deployment.stop();
    deployment.set("eley.http.open-metrics", "true");
    deployment.start();
    assertThat(send(to("/metrics")).statusCode()).isEqualTo(200);
    assertThat(send(to("/live")).statusCode()).isEqualTo(401);
  }
}
