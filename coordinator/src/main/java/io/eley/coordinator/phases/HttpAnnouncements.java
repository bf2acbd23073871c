package io.eley.coordinator.phases;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.eley.bb.api.config.Durations;
import io.eley.bb.api.edge.NameRule;
import io.eley.bb.api.edge.PlainText;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.PhaseHeld;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announcements for job scripts that have nothing but curl(1):
 *
 * <pre>
 * curl -K $DIR/announce.curl -d app=climate -d lease=10m $(cat $DIR/announce.url)/begin
 * curl -K $DIR/announce.curl -d app=climate              $(cat $DIR/announce.url)/end
 * curl -K $DIR/announce.curl                             $(cat $DIR/announce.url)/status
 * </pre>
 *
 * <p>Served by the JDK's own HTTP server: an announcement is a few dozen bytes a minute. Every
 * request needs the {@link HttpToken}; a body is read up to {@value #MAX_BODY} bytes. Whoever sends
 * slowly is cut off after {@value #REQUEST_SECONDS} s, and at once when others come ({@link
 * FreshFirst}). A connection on which nothing comes costs no thread, and is closed within a second
 * more; while there are {@value #MAX_CONNECTIONS} of all kinds, new ones are closed at once. Off
 * this host it speaks TLS ({@link HttpIdentity}), since the token is in each request.
 */
public final class HttpAnnouncements implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpAnnouncements.class);
  private static final int MAX_BODY = 4096;
  private static final int BACKLOG = 256;
  private static final int REQUEST_SECONDS = 2;
  private static final int TICK_MILLIS = 1000;

  /**
   * Above what requests and viewers take, and a quarter of the descriptors that a process has where
   * a system gives few: the coordinator needs them for nodes and drivers.
   */
  private static final int MAX_CONNECTIONS = 1024;

  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration ANSWER = Duration.ofSeconds(15);

  /** The operations of the endpoint; each returns at once. */
  public interface Phases {
    CompletableFuture<PhaseHeld> begin(BeginPhase phase);

    CompletableFuture<Boolean> end(String application);

    CompletableFuture<DeploymentReport> report();
  }

  /** What else is served at the same port, with access of its own. */
  public interface Extension {
    /** Whether requests for this path are its. */
    boolean serves(String path);

    /**
     * Answers; the exchange is closed afterwards.
     *
     * @param proved is to be run once the request has shown that it may come: before that it may be
     *     ended for another one
     */
    void handle(HttpExchange exchange, Runnable proved) throws IOException;

    /** Nothing else. */
    Extension NONE =
        new Extension() {
          @Override
          public boolean serves(String path) {
            return false;
          }

          @Override
          public void handle(HttpExchange exchange, Runnable proved) {
            throw new IllegalStateException("nothing is served here");
          }
        };
  }

  static {
    // The JDK reads them once in a process. Silent connections are looked for at each tick: its own
    // tick of ten seconds would let them stay four times as long as a request may take.
    setUnlessSet("sun.net.httpserver.maxReqTime", REQUEST_SECONDS); // also of silence before it
    setUnlessSet("sun.net.httpserver.clockTick", TICK_MILLIS);
    setUnlessSet("jdk.httpserver.maxConnections", MAX_CONNECTIONS); // JDK 17.0.5 and newer
  }

  private static void setUnlessSet(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  private record Answer(int status, String text) {}

  private final HttpServer server;
  private final FreshFirst threads;
  private final HttpToken token;
  private final Phases phases;
  private final Extension more;

  private HttpAnnouncements(
      HttpServer server, FreshFirst threads, HttpToken token, Phases phases, Extension more) {
    this.more = more;
    this.server = server;
    this.threads = threads;
    this.token = token;
    this.phases = phases;
  }

  /**
   * Starts to listen.
   *
   * @param at port 0 for any free one
   * @param identity for TLS; without one everything is sent in the clear
   * @param more that is served beside the announcements
   * @throws EleyException {@code UNAVAILABLE} naming the port, when it is taken
   */
  public static HttpAnnouncements start(
      InetSocketAddress at,
      Optional<HttpIdentity> identity,
      HttpToken token,
      Phases phases,
      Extension more)
      throws EleyException {
    try {
      HttpServer server = create(at, identity);
      var threads = new FreshFirst(FreshFirst.Limits.DEFAULT, "eley-http");
      var endpoint = new HttpAnnouncements(server, threads, token, phases, more);
      server.setExecutor(threads);
      server.createContext("/", endpoint::handle);
      server.start();
      return endpoint;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "cannot listen for HTTP on "
              + at.getAddress().getHostAddress()
              + ":"
              + at.getPort()
              + " (eley.http.port): "
              + e.getMessage(),
          e);
    }
  }

  private static HttpServer create(InetSocketAddress at, Optional<HttpIdentity> identity)
      throws IOException {
    if (identity.isEmpty()) {
      return HttpServer.create(at, BACKLOG);
    }
    var server = HttpsServer.create(at, BACKLOG);
    server.setHttpsConfigurator(new HttpsConfigurator(identity.get().context()));
    return server;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      try {
        if (more.serves(exchange.getRequestURI().getPath())) {
          more.handle(exchange, threads::prove);
        } else {
          send(exchange, answer(exchange));
        }
      } catch (RuntimeException e) {
        // The JDK's server would close the connection without a word.
        LOG.error("defect while answering {}", PlainText.escape(pathOf(exchange)), e);
        if (exchange.getResponseCode() < 0) {
          send(exchange, new Answer(500, "a defect: the coordinator's log has it"));
        }
      }
    }
  }

  private static String pathOf(HttpExchange exchange) {
    return String.valueOf(exchange.getRequestURI().getPath()); // The query may be a token.
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    // A path or a value may be quoted in it.
    byte[] text = (PlainText.escapeLines(answer.text()) + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    exchange.sendResponseHeaders(answer.status(), text.length);
    exchange.getResponseBody().write(text);
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    if (!token.matches(exchange.getRequestHeaders().getFirst("Authorization"))) {
      return new Answer(401, "use the deployment's announce.curl: curl -K DIR/announce.curl ...");
    }
    threads.prove();
    String path = exchange.getRequestURI().getPath();
    String wanted = path.equals("/status") ? "GET" : "POST";
    if (!exchange.getRequestMethod().equals(wanted)) {
      return new Answer(405, PlainText.escape(path) + " takes " + wanted);
    }
    try {
      return switch (path) {
        case "/begin" -> begin(form(exchange));
        case "/end" -> end(form(exchange));
        case "/status" -> status();
        default -> new Answer(404, "there are /begin, /end and /status");
      };
    } catch (IllegalArgumentException e) {
      return new Answer(400, PlainText.escape(String.valueOf(e.getMessage())));
    } catch (TimeoutException e) {
      return new Answer(503, "the coordinator does not answer");
    }
  }

  private Answer begin(Map<String, String> form) throws TimeoutException {
    String application = application(form);
    String lease = form.get("lease");
    var phase = new BeginPhase(application, lease == null ? LEASE : Durations.parse(lease));
    PhaseHeld held = await(phases.begin(phase));
    return new Answer(
        200,
        String.format(
            Locale.ROOT,
            "phase of %s is open: %d of %d nodes confirmed in %.1f ms",
            application,
            held.confirmed(),
            held.nodes(),
            held.micros() / 1e3));
  }

  private Answer end(Map<String, String> form) throws TimeoutException {
    String application = application(form);
    boolean was = await(phases.end(application));
    return new Answer(200, "phase of " + application + (was ? " is over" : " was not open"));
  }

  private Answer status() throws TimeoutException {
    DeploymentReport report = await(phases.report());
    return new Answer(
        200,
        "permits: "
            + report.permitReason()
            + "\nphases open: "
            + (report.openPhases().isEmpty() ? "none" : String.join(", ", report.openPhases())));
  }

  private static String application(Map<String, String> form) {
    String application = form.getOrDefault("app", "");
    try {
      return NameRule.APPLICATION.require(application);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("app=NAME: " + e.getMessage(), e);
    }
  }

  private static Map<String, String> form(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
    if (body.length > MAX_BODY) {
      throw new IllegalArgumentException("more than " + MAX_BODY + " bytes");
    }
    var form = new HashMap<String, String>();
    for (String pair : new String(body, StandardCharsets.UTF_8).split("&", -1)) {
      int is = pair.indexOf('=');
      if (is > 0) {
        form.put(decoded(pair.substring(0, is)), decoded(pair.substring(is + 1)));
      }
    }
    return form;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static <T> T await(CompletableFuture<T> future) throws TimeoutException {
    try {
      return future.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TimeoutException("the coordinator stops");
    } catch (ExecutionException e) {
      LOG.warn("an announcement failed: {}", e.getCause() == null ? e : e.getCause().getMessage());
      throw new TimeoutException("the coordinator failed");
    }
  }

  /** Stops listening at once; requests under way are cut off. */
  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
