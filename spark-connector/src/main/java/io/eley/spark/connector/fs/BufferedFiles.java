package io.eley.spark.connector.fs;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Opens files below the origin, for the file systems that {@link Openers} serves, which finds it by
 * its name. An instance that was closed opens files still, as Hadoop's file system of local files
 * does: all tasks of an executor share one, and any of them may close it. Safe for several threads.
 */
final class BufferedFiles implements FileOpener {
  private final Configuration conf;
  private final SharedClients.Lease lease;
  private final FileSystem.@Nullable Statistics statistics;

  BufferedFiles(Configuration conf, FileSystem.@Nullable Statistics statistics)
      throws EleyException {
    this.conf = conf;
    this.statistics = statistics;
    lease = SharedClients.acquire(conf);
  }

  @Override
  public @Nullable FSDataInputStream open(Path path) throws IOException {
    if (!lease.closed()) {
      return open(path, lease);
    }
    // Without one of ours nobody would know what is read: no permit, no ledger.
    try (var anew = SharedClients.acquire(conf)) {
      return open(path, anew);
    } catch (EleyException e) {
      throw Errors.hadoop(e);
    }
  }

  private @Nullable FSDataInputStream open(Path path, SharedClients.Lease lease)
      throws IOException {
    Optional<String> served = served(path, lease);
    if (served.isEmpty()) {
      return null;
    }
    try {
      var counts = new IoCounts(statistics).reader();
      return lease.open(served.get(), counts).map(FSDataInputStream::new).orElse(null);
    } catch (EleyException e) {
      if (e.code() == ErrorCode.OUTSIDE_ORIGIN) {
        return null; // A link leads to bytes that are not the origin's, nor ours to refuse here.
      }
      // The client has been at the origin itself by now. Who read it without us would be in no
      // permit and in no ledger.
      throw Errors.hadoop(e);
    }
  }

  private static Optional<String> served(Path path, SharedClients.Lease lease) {
    try {
      return OriginPath.served(path.toUri(), lease.client());
    } catch (EleyException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    lease.close();
  }
}
