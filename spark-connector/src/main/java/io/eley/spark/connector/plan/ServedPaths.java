package io.eley.spark.connector.plan;

import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.spark.connector.fs.Openers;
import io.eley.spark.connector.fs.OriginPath;
import io.eley.spark.connector.fs.SharedClients;
import java.net.URI;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which of Spark's input paths Eley serves: {@code bb://}, and the origin's own paths, such as
 * {@code file://}, when those are accelerated. Where the origin is says the client that the
 * driver's file systems have, too: it knows that also while the coordinator is away, and a stage
 * that nobody planned then would be read without a plan to its end.
 *
 * <p>Used by the plan's one thread; closed by any.
 */
final class ServedPaths implements Function<Path, Optional<String>>, AutoCloseable {
  private final Configuration conf;

  // Both guarded by this.
  private SharedClients.@Nullable Lease lease;
  private boolean closed;

  /** Paths of a deployment; asks nobody yet. */
  ServedPaths(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Optional<String> apply(Path path) {
    URI uri = path.toUri();
    String scheme = uri.getScheme() == null ? "file" : uri.getScheme();
    try {
      return Openers.serve(conf.get("fs." + scheme + ".impl"))
          ? OriginPath.served(uri, client())
          : OriginPath.served(uri, "");
    } catch (EleyException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private synchronized EleyClient client() throws EleyException {
    if (closed) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "the application is over");
    }
    SharedClients.Lease known = lease;
    if (known == null) {
      known = SharedClients.acquire(conf);
      lease = known;
    }
    return known.client();
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (lease != null) {
      lease.close();
    }
  }
}
