package io.eley.coordinator.live;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.eley.coordinator.phases.HttpAnnouncements;
import io.eley.coordinator.phases.HttpToken;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page, its stream of documents and Prometheus' metrics, beside the announcements:
 *
 * <pre>
 * GET /live?token=T          the page, which needs nothing else
 * GET /live/events?token=T   Server-Sent Events: a document a second, with the traffic that is new
 * GET /live/document         one document
 * GET /metrics               for Prometheus
 * </pre>
 *
 * <p>The token is one of its own, which opens nothing but this; it may stand in the URL or in an
 * {@code Authorization: Bearer} header. No page of another origin gets an answer. The name in the
 * {@code Host} header is whatever a tunnel's user has typed, so it is not judged: a stranger's page
 * that gets here under a name of its own (DNS rebinding) does not know the token.
 */
public final class LiveHttp implements HttpAnnouncements.Extension {
  private static final Logger LOG = LoggerFactory.getLogger(LiveHttp.class);
  private static final Duration ANSWER = Duration.ofSeconds(15);
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(10);
  private static final String TEXT = "text/plain; charset=utf-8";

  private final LiveFeed feed;
  private final HttpToken token;
  private final RenderedPage page;
  private final boolean openMetrics;

  /**
   * Serves a feed.
   *
   * @param openMetrics whether {@code /metrics} needs no token
   */
  public LiveHttp(LiveFeed feed, HttpToken token, RenderedPage page, boolean openMetrics) {
    this.feed = feed;
    this.token = token;
    this.page = page;
    this.openMetrics = openMetrics;
  }

  @Override
  public boolean serves(String path) {
    return path.equals("/live") || path.startsWith("/live/") || path.equals("/metrics");
  }

  @Override
  public void handle(HttpExchange exchange, Runnable proved) throws IOException {
    protect(exchange.getResponseHeaders());
    String path = exchange.getRequestURI().getPath();
    if (!authorised(exchange) && !(openMetrics && path.equals("/metrics"))) {
      answer(exchange, 401, TEXT, "open the URL that is in the deployment's file live.url\n");
    } else if (CrossOrigin.is(exchange.getRequestHeaders())) {
      answer(exchange, 403, TEXT, "pages of others get nothing here\n");
    } else if (!exchange.getRequestMethod().equals("GET")) {
      answer(exchange, 405, TEXT, "there is nothing but GET\n");
    } else {
      proved.run();
      serve(exchange, path);
    }
  }

  private boolean authorised(HttpExchange exchange) {
    return token.matches(exchange.getRequestHeaders().getFirst("Authorization"))
        || token.matches("Bearer " + asked(exchange.getRequestURI().getRawQuery()));
  }

  /** The token in a query, or nothing. */
  private static String asked(@org.jspecify.annotations.Nullable String query) {
    if (query != null) {
      for (String pair : query.split("&", -1)) {
        if (pair.startsWith("token=")) {
          return pair.substring("token=".length());
        }
      }
    }
    return "";
  }

  private void serve(HttpExchange exchange, String path) throws IOException {
    switch (path) {
      case "/live" -> {
        exchange.getResponseHeaders().set("Content-Security-Policy", page.policy());
        answer(exchange, 200, "text/html; charset=utf-8", page.html());
      }
      case "/live/events" -> stream(exchange);
      case "/live/document" -> ofDocument(exchange, "application/json", LiveJson::write);
      case "/metrics" -> ofDocument(exchange, LiveMetrics.CONTENT_TYPE, LiveMetrics::text);
      default -> answer(exchange, 404, TEXT, "there are /live, /live/events, /live/document\n");
    }
  }

  private static void protect(Headers headers) {
    headers.set("Cache-Control", "no-store");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }

  private static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private void ofDocument(
      HttpExchange exchange, String type, java.util.function.Function<LiveDocument, String> form)
      throws IOException {
    try {
      LiveDocument document = feed.once().get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
      answer(exchange, 200, type, form.apply(document));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the coordinator stops");
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("no live document: {}", e.toString());
      answer(exchange, 503, TEXT, "the coordinator does not answer\n");
    }
  }

  /** Until the viewer has gone, which shows when something is written. */
  private void stream(HttpExchange exchange) throws IOException {
    Optional<LiveFeed.Viewer> viewer = feed.open();
    if (viewer.isEmpty()) {
      answer(exchange, 503, TEXT, "too many look already\n");
      return;
    }
    try (var looking = viewer.get()) {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
      exchange.sendResponseHeaders(200, 0);
      push(exchange, "retry: 2000\n\n");
      long known = 0;
      while (true) {
        Optional<LiveDocument> next = looking.next(SIGN_OF_LIFE);
        if (next.isPresent()) {
          push(exchange, "data: " + LiveJson.write(next.get().after(known)) + "\n\n");
          var points = next.get().traffic().points();
          known = points.isEmpty() ? known : points.get(points.size() - 1).at();
        } else {
          push(exchange, ": still here\n\n");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The coordinator stops.
    }
  }

  private static void push(HttpExchange exchange, String event) throws IOException {
    exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
    exchange.getResponseBody().flush();
  }
}
