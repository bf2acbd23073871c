package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.ConnectionOptions;
import io.eley.bb.api.client.PushHandler;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.View;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stranger who has the port that a victim knows, and the coordinator at another one. */
@Timeout(60)
class RelayedCoordinatorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path temporary;

  private static Connection dial(TestDeployment deployment, InetSocketAddress address)
      throws IOException {
    return Connection.open(
        address,
        new Credentials(deployment.secret(), Identity.CLIENT),
        ConnectionOptions.toCoordinator("victim", PATIENCE),
        PushHandler.IGNORE);
  }

  @Test
  void isNotReachedThroughTheStrangersPortAndIsThroughItsOwn() throws Exception {
    try (var deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY);
        var stranger = new Stranger(deployment.server().address())) {
      assertThatThrownBy(() -> dial(deployment, stranger.address()))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED))
          .hasMessageContaining("a stranger relays it");
      assertThat(stranger.passed).as("bytes that were passed on").hasPositiveValue();

      try (var connection = dial(deployment, deployment.server().address())) {
        assertThat(connection.call(new GetView(), PATIENCE)).isInstanceOf(View.class);
      }
    }
  }

  /** Passes bytes both ways, one connection. */
  private static final class Stranger implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final InetSocketAddress coordinator;
    private final AtomicInteger passed = new AtomicInteger();

    Stranger(InetSocketAddress coordinator) throws IOException {
      this.coordinator = coordinator;
      daemon(this::run);
    }

    InetSocketAddress address() {
      return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    private void run() {
      try (var victim = listener.accept();
          var served = new Socket(coordinator.getAddress(), coordinator.getPort())) {
        daemon(() -> pass(served, victim));
        pass(victim, served);
      } catch (IOException e) {
        // closed
      }
    }

    private void pass(Socket from, Socket to) {
      byte[] buffer = new byte[4096];
      try {
        for (int count = from.getInputStream().read(buffer); count > 0; ) {
          passed.addAndGet(count);
          to.getOutputStream().write(buffer, 0, count);
          count = from.getInputStream().read(buffer);
        }
      } catch (IOException e) {
        // One of them has hung up.
      }
    }

    private static void daemon(Runnable work) {
      var thread = new Thread(work, "stranger");
      thread.setDaemon(true);
      thread.start();
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }
}
