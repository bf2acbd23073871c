package io.eley.bb.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.ConnectionOptions;
import io.eley.bb.api.client.PushHandler;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A stranger who opens sockets and says nothing, while honest clients come. */
@ExtendWith(LeakCheck.class)
@Timeout(120)
class IdleStrangersTest {
  private static final int PLACES = FrameServerOptions.Limits.DEFAULT.maxUnauthenticated();
  private static final int HONEST = 300;

  private final Secret secret = Secret.random();
  private final List<SocketChannel> idle = new ArrayList<>();
  private final List<Connection> honest = new ArrayList<>();

  /**
   * Read by who dials, and now and then written by strangers who come again: who stands still in
   * his dial on a busy machine would become the oldest of all otherwise, and rightly go.
   */
  private final ReadWriteLock rounds = new ReentrantReadWriteLock(true);

  private FrameServer server;

  @BeforeEach
  void start() throws EleyException {
    server =
        FrameServer.start(
            new FrameServerOptions("127.0.0.1", 0, "test").withLimits(BlockingPeer.PATIENT),
            new Credentials(secret, BlockingPeer.SERVER),
            new FrameServerTest.Answering());
  }

  @AfterEach
  void stop() throws IOException {
    honest.forEach(Connection::close);
    for (var socket : idle) {
      socket.close();
    }
    server.close();
  }

  private SocketChannel stranger() throws IOException {
    var socket =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    socket.configureBlocking(false);
    return socket;
  }

  private Connection dial() throws EleyException {
    rounds.readLock().lock();
    try {
      return Connection.open(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()),
          new Credentials(secret, Identity.CLIENT),
          ConnectionOptions.toCoordinator("honest", Duration.ofSeconds(20)),
          PushHandler.IGNORE);
    } finally {
      rounds.readLock().unlock();
    }
  }

  @Test
  void shutsOutNotOneHonestClientOfManyThatComeMeanwhile() throws Exception {
    for (int i = 0; i < PLACES; i++) {
      idle.add(stranger());
    }
    await().untilAsserted(() -> assertThat(server.unauthenticated()).isEqualTo(PLACES));

    dialMany();

    assertThat(honest).hasSize(HONEST).allMatch(Connection::isOpen);
    for (var client : honest) {
      assertThat(client.call(new GetView(), Duration.ofSeconds(20))).isEqualTo(new Ok());
    }
    assertThat(server.unauthenticated()).isLessThanOrEqualTo(PLACES);
  }

  @Test
  void shutsOutNobodyThoughWhoIsEvictedComesAgain() throws Exception {
    for (int i = 0; i < PLACES; i++) {
      idle.add(stranger());
    }
    var obstinate = new Thread(this::comeAgain, "obstinate");
    obstinate.start();

    dialMany();
    obstinate.interrupt();
    obstinate.join();

    assertThat(honest).hasSize(HONEST).allMatch(Connection::isOpen);
    await().untilAsserted(() -> assertThat(server.unauthenticated()).isLessThanOrEqualTo(PLACES));
  }

  private void dialMany() throws Exception {
    var threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Connection>> dials = new ArrayList<>();
      for (int i = 0; i < HONEST; i++) {
        dials.add(this::dial);
      }
      for (Future<Connection> dialled : threads.invokeAll(dials)) {
        honest.add(dialled.get());
      }
    } finally {
      threads.shutdown();
    }
  }

  /** Until it is interrupted; during one dial less often than there are places. */
  private void comeAgain() {
    int returns = 0;
    try {
      while (!Thread.currentThread().isInterrupted()) {
        for (int i = 0; i < idle.size(); i++) {
          if (ended(idle.get(i))) {
            idle.get(i).close();
            idle.set(i, stranger());
            if (++returns % (PLACES / 4) == 0) {
              rounds.writeLock().lockInterruptibly();
              rounds.writeLock().unlock();
            }
          }
        }
      }
    } catch (IOException | InterruptedException e) {
      // Interrupted while connecting, or while others dial.
    }
  }

  private static boolean ended(SocketChannel socket) {
    try {
      var said = ByteBuffer.allocate(512);
      while (socket.read(said.clear()) > 0) {
        // The reason; what comes after it is the end.
      }
      return socket.read(said.clear()) < 0;
    } catch (IOException e) {
      return true;
    }
  }
}
