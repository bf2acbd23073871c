package io.eley.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.coordinator.live.LiveDocument;
import io.eley.coordinator.live.LiveDocument.Deployment;
import io.eley.coordinator.live.LiveDocument.Phases;
import io.eley.coordinator.live.LiveDocument.Traffic;
import io.eley.coordinator.live.LiveJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveStreamTest {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  static final LiveDocument DOCUMENT =
      new LiveDocument(
          1,
          1_795_438_800_000L,
          new Deployment("FullDelay", "/mnt/pfs", 1, "open", "", false, 0, 1, 0, 0, 0, 0, 0, 0),
          new Traffic(1000, null, List.of()),
          new Phases(List.of(), List.of(), List.of()),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of());

  @TempDir private Path directory;

  private LiveStream of(int port, Duration patience) throws IOException {
    var files = new DeploymentFiles(directory);
    serves(port, files);
    return LiveStream.of(files, patience);
  }

  /** Says that a coordinator serves the live page at a port of this host. */
  static void serves(int port, DeploymentFiles files) throws IOException {
    Files.createFile(
        files.liveUrl(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(files.liveUrl(), "http://127.0.0.1:" + port + "/live?token=t\n");
  }

  /** A coordinator that serves one document and leaves the stream open. */
  static HttpServer onceAndThenSilent() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/live/events",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          String event = "data: " + LiveJson.write(DOCUMENT) + "\n\n";
          exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush(); // and is not closed
        });
    server.start();
    return server;
  }

  /** Of a host that is lost no end of its connections is told. */
  @Test
  void aStreamThatFallsSilentIsGivenUp() throws Exception {
    HttpServer server = onceAndThenSilent();
    try {
      var stream = of(server.getAddress().getPort(), PATIENCE);
      var seen = new ArrayList<LiveDocument>();
      // On a busy machine the first answer of a JVM may take that long, too.
      for (int attempt = 0; attempt < 10 && seen.isEmpty(); attempt++) {
        assertThatThrownBy(() -> stream.follow(seen::add))
            .isInstanceOf(IOException.class)
            .hasMessage("the coordinator has said nothing for 2 s");
      }
      assertThat(seen).containsExactly(DOCUMENT);
    } finally {
      server.stop(0);
    }
  }

  /** As one does whose process stands still: the system takes connections for it. */
  @Test
  void aCoordinatorThatAnswersNothingIsGivenUp() throws Exception {
    try (var frozen = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      var stream = of(frozen.getLocalPort(), PATIENCE);
      assertThatThrownBy(stream::once).hasMessage("the coordinator has said nothing for 2 s");
      assertThatThrownBy(() -> stream.follow(d -> {}))
          .hasMessage("the coordinator has said nothing for 2 s");
    }
  }

  /** One that was stopped leaves no URL, and is no reason to look at the configuration. */
  @Test
  void aCoordinatorThatWasStoppedIsToldFromOneWithoutHttp() throws Exception {
    var files = new DeploymentFiles(directory);
    assertThatThrownBy(() -> LiveStream.of(files)).hasMessage("no coordinator runs there now");
    Files.createFile(files.coordinatorAddress());
    assertThatThrownBy(() -> LiveStream.of(files))
        .hasMessage("its coordinator serves nothing by HTTP; see eley.http");
  }

  @Test
  void aCoordinatorThatIsGoneIsSaidInWords() throws Exception {
    LiveStream stream;
    try (var free = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      stream = of(free.getLocalPort(), Duration.ofSeconds(60));
    }
    assertThatThrownBy(stream::once).hasMessage("the coordinator cannot be reached");
  }
}
