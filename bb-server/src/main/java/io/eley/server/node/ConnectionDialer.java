package io.eley.server.node;

import io.eley.api.error.EleyException;
import io.eley.api.error.ErrorCode;
import io.eley.api.wire.Message;
import java.util.function.Consumer;

/** Dials the coordinator with the client's connection. */
final class ConnectionDialer implements Uplink.Dialer {
  private final NodeOptions.Coordinator coordinator;

  ConnectionDialer(NodeOptions.Coordinator coordinator) {
    this.coordinator = coordinator;
  }

  @Override
  public Uplink dial(Consumer<Message> pushes) throws EleyException {
    throw new EleyException(ErrorCode.UNAVAILABLE, "not yet: " + coordinator.locator().locate());
  }
}
