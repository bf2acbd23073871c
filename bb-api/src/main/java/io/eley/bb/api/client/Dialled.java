package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.SecuredFrames;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A socket on which both sides have proved themselves.
 *
 * @param channel connected, blocking
 * @param frames how frames are protected on it
 */
record Dialled(SocketChannel channel, SecuredFrames frames) {
  private static final int RECEIVE_BUFFER = 1 << 20;

  /**
   * Connects and authenticates in both directions. Blocks within the options' time-out.
   *
   * @throws EleyException {@code UNAVAILABLE} when nobody answers or another process of the
   *     deployment than the one that was dialled, {@code UNAUTHENTICATED}, {@code INCOMPATIBLE},
   *     {@code INTERRUPTED}: that says nothing of the peer
   */
  static Dialled to(InetSocketAddress address, Credentials credentials, ConnectionOptions options)
      throws EleyException {
    if (address.isUnresolved()) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot resolve " + address.getHostString());
    }
    long deadline = System.nanoTime() + options.connectTimeout().toNanos();
    SocketChannel channel = null;
    try {
      channel = SocketChannel.open();
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
      channel.socket().connect(address, (int) options.connectTimeout().toMillis());
      var frames = ClientHandshake.perform(channel, credentials, options.dialled(), deadline);
      return new Dialled(channel, frames);
    } catch (IOException e) {
      closeQuietly(channel, e);
      if (Thread.currentThread().isInterrupted()) {
        throw new EleyException(ErrorCode.INTERRUPTED, "interrupted: connect to " + address, e);
      }
      if (e instanceof EleyException ours) {
        throw ours;
      }
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot connect to " + address + ": " + e.getMessage(), e);
    }
  }

  /** Closes a channel, if there is one; what goes wrong is noted with the error. */
  static void closeQuietly(@Nullable SocketChannel channel, IOException why) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }
}
