package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Credentials;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client goes into handshakes with nodes with: the deployment's secret, read when it is
 * needed first, and again when a node does not know it. A deployment that was made anew in the same
 * directory has another one, and a client may live longer than it. Not read each time, as for the
 * coordinator: a client dials hundreds of nodes, and the file is on a file system that all share.
 *
 * <p>Safe for several threads; blocks while one of them reads the file.
 */
final class NodeCredentials {
  /** Between two looks into the file, whoever is refused: also a stranger at a port may refuse. */
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Reads the file. */
  @FunctionalInterface
  interface Source {
    Credentials read() throws EleyException;
  }

  private final Source source;
  private final LongSupplier nanos;
  private volatile @Nullable Credentials known;
  private long readAt;

  /**
   * Reads nothing yet.
   *
   * @param nanos as {@link System#nanoTime}
   */
  NodeCredentials(Source source, LongSupplier nanos) {
    this.source = source;
    this.nanos = nanos;
  }

  /**
   * Those to go into a handshake with.
   *
   * @throws EleyException {@code UNAUTHENTICATED} when the secret cannot be read
   */
  Credentials get() throws EleyException {
    Credentials current = known;
    return current != null ? current : read();
  }

  private synchronized Credentials read() throws EleyException {
    Credentials current = known;
    if (current == null) {
      current = source.read();
      known = current;
      readAt = nanos.getAsLong();
    }
    return current;
  }

  /** Notes how a handshake with these has failed: the next one may be with others. */
  synchronized void noteFailure(Credentials with, EleyException why) {
    if (why.code() == ErrorCode.UNAUTHENTICATED
        && with.equals(known)
        && nanos.getAsLong() - readAt >= AGAIN_NANOS) {
      known = null;
    }
  }
}
