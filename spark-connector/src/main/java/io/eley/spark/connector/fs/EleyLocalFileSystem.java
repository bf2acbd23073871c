package io.eley.spark.connector.fs;

import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.Remedy;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Accelerates unchanged {@code file:///mnt/pfs/...} paths: with {@code
 * spark.hadoop.fs.file.impl=io.eley.spark.connector.fs.EleyLocalFileSystem}, files below the origin
 * are read through the buffer. Everything else is Hadoop's {@link LocalFileSystem}: other files,
 * all metadata, all writes (an opening is validated against the origin, so a file that was just
 * written is read right). When Eley is not there, so is every read.
 *
 * <p>Safe for several threads.
 */
public class EleyLocalFileSystem extends LocalFileSystem {
  private SharedClients.@Nullable Lease lease;

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(name, conf);
    try {
      lease = SharedClients.acquire(conf);
    } catch (EleyException e) {
      // No deployment: a local file system is still a local file system.
      LOG.info("Eley is not used for file:// paths: {}", e.getMessage());
    }
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    Optional<String> served = served(path);
    if (served.isEmpty() || lease == null) {
      return super.open(path, bufferSize);
    }
    try {
      EleyClient client = lease.client();
      var counts = new IoCounts(statistics).reader();
      return new FSDataInputStream(new BbInputStream(client.openFile(served.get()), counts));
    } catch (EleyException e) {
      if (e.remedy() == Remedy.FAIL) {
        throw Errors.hadoop(e);
      }
      return super.open(path, bufferSize);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      if (lease != null) {
        lease.close();
      }
    }
  }

  private Optional<String> served(Path path) {
    if (lease == null) {
      return Optional.empty();
    }
    try {
      String mount = Mounts.of(lease.client().originAddress());
      return OriginPath.served(makeQualified(path).toUri(), mount);
    } catch (EleyException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
