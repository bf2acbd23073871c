package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Announcements as a job script makes them. */
@Timeout(60)
class HttpAnnouncementsTest {
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

  @Test
  void aPhaseBeginsWhenTheNodesHoldAndEnds() throws Exception {
    var node = deployment.node("a", 7001);
    node.register();
    var begun = post("/begin", "app=climate+model&lease=1m", token());
    assertThat(begun.statusCode()).isEqualTo(200);
    assertThat(begun.body()).startsWith("phase of climate model is open: ").contains(" of 1 nodes");
    assertThat(deployment.report().openPhases()).containsExactly("climate model");
    assertThat(get(token()).body()).contains("full delay for climate model");

    assertThat(post("/end", "app=climate%20model", token()).body()).contains("is over");
    assertThat(post("/end", "app=climate%20model", token()).body()).contains("was not open");
    assertThat(deployment.report().openPhases()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/begin, lease=1m, 400, app=NAME",
    "/begin, app=x&lease=soon, 400, soon",
    "/begin, app=x&lease=0s, 400, lease",
    "/begin, app=a%0Ab, 400, a\\x0ab",
    "/begin, app=%1b[2J, 400, control characters",
    "/end, app=a%E2%80%AEb, 400, a\\u202eb",
    "/begin, app=x&lease=1%0A2, 400, 1\\x0a2",
    "/nothing%0Anext, app=x, 404, /begin",
    "/nothing, app=x, 404, /begin",
    "/status, app=x, 405, GET"
  })
  void nonsenseIsRefusedInOneLineAndOpensNothing(String path, String form, int status, String says)
      throws Exception {
    var answer = post(path, form, token());
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body().strip()).contains(says).doesNotContain("\n");
    assertThat(deployment.report().openPhases()).isEmpty();
  }

  @Test
  void aBodyBeyondTheBoundIsRefused() throws Exception {
    assertThat(post("/begin", "app=" + "x".repeat(5000), token()).statusCode()).isEqualTo(400);
    assertThat(deployment.report().openPhases()).isEmpty();
  }

  @Test
  void whoDoesNotKnowTheTokenIsRefused() throws Exception {
    for (String wrong : new String[] {"Bearer 0", "Bearer " + "0".repeat(64), "", "Basic eA=="}) {
      var answer = post("/begin", "app=x", wrong);
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.body()).contains("announce.curl");
    }
    assertThat(deployment.report().openPhases()).isEmpty();
  }

  @Test
  void theTokenIsPrivateNotTheSecretAndGoneWithTheCoordinator() throws Exception {
    Path file = deployment.directory.resolve("announce.curl");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    String secret = Files.readString(deployment.directory.resolve("secret")).strip();
    assertThat(token()).doesNotContain(secret);
    deployment.stop();
    assertThat(file).doesNotExist();
    assertThat(deployment.directory.resolve("announce.url")).doesNotExist();
  }

  @Test
  void itCanBeSwitchedOffAndAPortInUseIsSaid() throws Exception {
    int taken = URI.create(url()).getPort();
    deployment.set("eley.coordinator.directory", temporary.resolve("other").toString());
    deployment.set("eley.http.port", Integer.toString(taken));
    assertThatThrownBy(() -> CoordinatorServer.start(deployment.options()))
        .hasMessageContaining("eley.http.port")
        .hasMessageNotContaining("\n");
    deployment.set("eley.http", "false");
    try (var silent = CoordinatorServer.start(deployment.options())) {
      assertThat(silent.address().getPort()).isPositive();
      assertThat(temporary.resolve("other/announce.url")).doesNotExist();
    }
  }

  private String url() throws Exception {
    return Files.readString(deployment.directory.resolve("announce.url")).strip();
  }

  private String token() throws Exception {
    var line =
        Pattern.compile("header = \"Authorization: (.*)\"")
            .matcher(Files.readString(deployment.directory.resolve("announce.curl")));
    assertThat(line.find()).isTrue();
    return line.group(1);
  }

  private HttpResponse<String> post(String path, String form, String token) throws Exception {
    return send(request(path, token).POST(BodyPublishers.ofString(form)));
  }

  private HttpResponse<String> get(String token) throws Exception {
    return send(request("/status", token).GET());
  }

  private HttpRequest.Builder request(String path, String token) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(url() + path));
    return token.isEmpty() ? request : request.header("Authorization", token);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), BodyHandlers.ofString());
  }
}
