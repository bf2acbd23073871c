package io.eley.bb.server.node;

import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.ConnectionOptions;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Message;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Dials the coordinator with the client's connection. */
final class ConnectionDialer implements Uplink.Dialer {
  private static final ConnectionOptions OPTIONS =
      ConnectionOptions.toCoordinator("eley-node-coordinator", Duration.ofSeconds(3));

  private final NodeOptions.Locator locator;
  private final Credentials credentials;

  ConnectionDialer(NodeOptions.Locator locator, Credentials credentials) {
    this.locator = locator;
    this.credentials = credentials;
  }

  @Override
  public Uplink dial(Consumer<Message> pushes) throws EleyException {
    return new Dialled(Connection.open(locator.locate(), credentials, OPTIONS, pushes::accept));
  }

  private record Dialled(Connection connection) implements Uplink {
    @Override
    public CompletableFuture<Message> request(Message message) {
      return connection.request(message);
    }

    @Override
    public void send(Message message) throws EleyException {
      connection.send(message);
    }

    @Override
    public boolean isOpen() {
      return connection.isOpen();
    }

    @Override
    public void onClose(Runnable action) {
      connection.onClose(action);
    }

    @Override
    public String localHost() {
      return connection.localHost();
    }

    @Override
    public void close() {
      connection.close();
    }
  }
}
