package io.eley.bb.api.client;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Secret;
import io.eley.fuzz.Input;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * The client's handshake over a real socket with a server that answers anything and hangs up: an
 * {@link IOException}, and never a wait for what was announced and does not come.
 */
public final class ServersAnswerFuzz {
  private static final Credentials CLIENT =
      new Credentials(Secret.random(), Identity.CLIENT, NetworkProtection.AUTO);

  /** Its first run loads every class, beside other work. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final ServerSocketChannel SERVER = listen();

  private ServersAnswerFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    try (var client = SocketChannel.open(SERVER.getLocalAddress());
        var server = SERVER.accept()) {
      // Reset instead of a port that waits for a minute: there are thousands a second.
      client.setOption(StandardSocketOptions.SO_LINGER, 0);
      server.write(ByteBuffer.wrap(input));
      server.shutdownOutput();
      perform(client);
    }
  }

  private static void perform(SocketChannel client) {
    try {
      ClientHandshake.perform(
          client, CLIENT, Identity.COORDINATOR, System.nanoTime() + PATIENCE.toNanos());
      Input.require(false, "a stranger was taken for the server");
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the client waited for a peer that has hung up", e);
    } catch (IOException e) {
      // As it must be.
    }
  }

  private static ServerSocketChannel listen() {
    try {
      return ServerSocketChannel.open()
          .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
