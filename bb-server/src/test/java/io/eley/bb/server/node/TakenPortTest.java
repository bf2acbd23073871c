package io.eley.bb.server.node;

import static io.eley.bb.server.node.NodeFixture.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Codec;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another user of the host, who takes the port of a coordinator that has died. */
@Timeout(60)
class TakenPortTest {
  private static final int HEADER = 20;

  @TempDir Path directory;

  @Test
  void whoPassesAVictimsHandshakeOnToANodeReadsNothingOutOfItsMemory() throws Exception {
    try (var fixture = new NodeFixture(directory)) {
      String word = "what only its owner may read, ".repeat(100);
      byte[] content = word.getBytes(StandardCharsets.US_ASCII);
      Files.write(directory.resolve("origin").resolve("private"), content);
      var node = fixture.start();
      var block = fixture.blocks("private").get(0);
      fixture.prefetch(fixture.blocks("private"));
      var victim = fixture.eleyClient(Map.of("eley.client.request-deadline", "1s"));
      fixture.coordinator.close();
      try (var stranger =
          new Stranger(node.address().port(), Codec.encode(whole(block), 9).array())) {
        Files.writeString(
            directory.resolve("deployment").resolve("coordinator.address"),
            "127.0.0.1:" + stranger.port());
        assertThatThrownBy(() -> victim.stat("/private")).isInstanceOf(EleyException.class);

        assertThat(stranger.stolen()).isNotEmpty().doesNotContain("owner may read");
      }
    }
  }

  /** Passes the handshake on to a node, message by message, and goes on by itself. */
  private static final class Stranger implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final CompletableFuture<String> stolen = new CompletableFuture<>();
    private final int node;
    private final byte[] request;

    Stranger(int node, byte[] request) throws IOException {
      this.node = node;
      this.request = request;
      var thread = new Thread(this::run, "stranger");
      thread.setDaemon(true);
      thread.start();
    }

    int port() {
      return listener.getLocalPort();
    }

    /** All that the node has said. */
    String stolen() throws Exception {
      return stolen.get(20, TimeUnit.SECONDS);
    }

    private void run() {
      var said = new ByteArrayOutputStream();
      try (var victim = listener.accept();
          var served = new Socket(InetAddress.getLoopbackAddress(), node)) {
        served.setSoTimeout(3000);
        victim.setSoTimeout(3000);
        passHandshake(victim, served, said);
        served.getOutputStream().write(request);
        served.getInputStream().transferTo(said);
      } catch (IOException e) {
        // Whatever it has until then.
      }
      stolen.complete(said.toString(StandardCharsets.ISO_8859_1));
    }

    private static void passHandshake(Socket victim, Socket served, ByteArrayOutputStream said)
        throws IOException {
      try {
        for (int message = 0; message < 2; message++) {
          served.getOutputStream().write(frame(victim));
          byte[] answer = frame(served);
          said.writeBytes(answer);
          victim.getOutputStream().write(answer);
        }
      } catch (IOException e) {
        // The victim has noticed. The node is still there.
      }
    }

    private static byte[] frame(Socket from) throws IOException {
      var in = new DataInputStream(from.getInputStream());
      byte[] header = new byte[HEADER];
      in.readFully(header);
      byte[] body = new byte[ByteBuffer.wrap(header).getInt()];
      in.readFully(body);
      return ByteBuffer.allocate(HEADER + body.length).put(header).put(body).array();
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }
}
