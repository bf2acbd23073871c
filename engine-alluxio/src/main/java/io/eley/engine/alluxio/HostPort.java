package io.eley.engine.alluxio;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/**
 * The address of a master or a worker.
 *
 * @param port 1 to 65535
 */
record HostPort(String host, int port) {
  /**
   * Reads {@code host:port}.
   *
   * @throws EleyException {@code MALFORMED}
   */
  static HostPort parse(String text) throws EleyException {
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (colon > 0 && port > 0 && port <= 65535) {
        return new HostPort(text.substring(0, colon), port);
      }
    } catch (NumberFormatException e) {
      // As any other that is none.
    }
    throw new EleyException(ErrorCode.MALFORMED, "not an address host:port: '" + text + "'");
  }

  /** Connects once, and ends the connection; blocks up to the deadline. */
  void requireListening(Duration deadline) throws IOException {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), Math.toIntExact(deadline.toMillis()));
    }
  }

  /** Whether somebody takes connections there; blocks up to the deadline. */
  static boolean listens(String address, Duration deadline) {
    try {
      parse(address).requireListening(deadline);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
