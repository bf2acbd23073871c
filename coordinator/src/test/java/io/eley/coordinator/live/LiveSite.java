package io.eley.coordinator.live;

import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.PhaseHeld;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.phases.HttpAnnouncements;
import io.eley.coordinator.phases.HttpToken;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/** The live page over documents that a test makes, as the coordinator serves it. */
final class LiveSite implements AutoCloseable {
  /** The agent's thread. */
  static final String AGENT = "agent-of-live-site";

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, AGENT));
  private final HttpToken token = new HttpToken();
  final LiveFeed feed;
  private final HttpAnnouncements http;

  LiveSite(Supplier<LiveDocument> documents) throws Exception {
    feed = new LiveFeed(new Agent(thread, System::nanoTime, Instant::now), documents);
    http =
        HttpAnnouncements.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.empty(),
            new HttpToken(),
            new NoPhases(),
            new LiveHttp(feed, token, new RenderedPage(), false));
  }

  URI page() {
    return URI.create("http://127.0.0.1:" + http.port() + "/live?token=" + token.text());
  }

  private static final class NoPhases implements HttpAnnouncements.Phases {
    @Override
    public CompletableFuture<PhaseHeld> begin(BeginPhase phase) {
      throw new IllegalStateException();
    }

    @Override
    public CompletableFuture<Boolean> end(String application) {
      throw new IllegalStateException();
    }

    @Override
    public CompletableFuture<DeploymentReport> report() {
      throw new IllegalStateException();
    }
  }

  @Override
  public void close() {
    http.close();
    thread.shutdownNow();
  }
}
