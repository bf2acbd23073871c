package io.eley.coordinator.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A headless Chromium of the distribution, driven by its own protocol: one tab, what it asked for,
 * and what its console said. For one thread.
 */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger calls = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  /** The program, where the distribution has installed one. */
  static Optional<Path> program() {
    return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts one.
   *
   * @param profile an empty directory of its own
   */
  Browser(Path program, Path profile) throws Exception {
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--no-default-browser-check",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("browser.log").toFile())
            .start();
    try {
      socket = connect(profile.resolve("DevToolsActivePort"));
      for (String domain : List.of("Page", "Runtime", "Network", "Log")) {
        call(domain + ".enable", Map.of());
      }
    } catch (Exception | Error e) {
      process.destroyForcibly().waitFor();
      throw e;
    }
  }

  private WebSocket connect(Path portFile) throws Exception {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> Files.exists(portFile) && Files.readAllLines(portFile).size() >= 2);
    String port = Files.readAllLines(portFile).get(0);
    var tabs =
        JSON.readTree(
            HttpClient.newHttpClient()
                .send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                        .build(),
                    BodyHandlers.ofString())
                .body());
    for (JsonNode tab : tabs) {
      if (tab.path("type").asText().equals("page")) {
        return HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create(tab.path("webSocketDebuggerUrl").asText()), new Listener())
            .get(60, TimeUnit.SECONDS);
      }
    }
    throw new IOException("no tab in " + tabs);
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        take(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedFuture(null);
    }
  }

  private void take(String message) {
    JsonNode event;
    try {
      event = JSON.readTree(message);
    } catch (IOException e) {
      complaints.add(e.toString());
      return;
    }
    JsonNode what = event.path("params");
    if (event.has("id")) {
      Optional.ofNullable(answers.remove(event.path("id").asInt()))
          .ifPresent(answer -> answer.complete(event));
      return;
    }
    switch (event.path("method").asText()) {
      case "Network.requestWillBeSent" -> requests.add(what.at("/request/url").asText());
      case "Runtime.exceptionThrown" -> complaints.add(what.toString());
      case "Runtime.consoleAPICalled" -> complaints.add(what.toString());
      case "Log.entryAdded" -> complaints.add(what.at("/entry/text").asText());
      default -> {}
    }
  }

  private JsonNode call(String method, Map<String, ?> parameters) throws Exception {
    int id = calls.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    answers.put(id, answer);
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", JSON.valueToTree(parameters));
    socket.sendText(message.toString(), true).get(60, TimeUnit.SECONDS);
    JsonNode result = answer.get(60, TimeUnit.SECONDS);
    if (result.has("error")) {
      throw new IOException(method + ": " + result.path("error"));
    }
    return result.path("result");
  }

  /** Pretends a screen of this size, and a person's wish for dark or light. */
  void screen(int width, int height, boolean dark) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    call(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  void open(URI page) throws Exception {
    requests.clear();
    complaints.clear();
    call("Page.navigate", Map.of("url", page.toString()));
  }

  /** The value of an expression in the page, as text. */
  String value(String expression) throws Exception {
    return call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true))
        .at("/result/value")
        .asText();
  }

  /** Waits until an expression in the page is true. */
  void await(String expression) {
    Awaitility.await().atMost(PATIENCE).until(() -> value(expression).equals("true"));
  }

  byte[] picture() throws Exception {
    var data =
        call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
    return Base64.getDecoder().decode(data.path("data").asText());
  }

  /** Everything the page has asked for. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  /** What the console said: errors, warnings, refusals of the content security policy. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  @Override
  public void close() throws IOException {
    socket.abort();
    var all = Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(each -> each.onExit().orTimeout(60, TimeUnit.SECONDS).join());
  }
}
