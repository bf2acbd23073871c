package io.eley.spark.connector.fs;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Accelerates unchanged {@code s3a://} paths below the origin, as {@link EleyLocalFileSystem} does
 * those of a mount: {@code spark.hadoop.fs.s3a.impl=io.eley.spark.connector.fs.EleyS3aFileSystem}.
 * Everything but reading is Hadoop's, its committers included.
 *
 * <p>Safe for several threads.
 */
public class EleyS3aFileSystem extends S3AFileSystem {
  private @Nullable FileOpener buffer;

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(name, conf);
    buffer = Openers.find(conf, statistics, "s3a");
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    FSDataInputStream served = buffer == null ? null : buffer.open(makeQualified(path));
    return served == null ? super.open(path, bufferSize) : served;
  }

  /** What Parquet and ORC call. */
  @Override
  public CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    FSDataInputStream served = buffer == null ? null : buffer.open(makeQualified(path));
    return served == null
        ? super.openFileWithOptions(path, parameters)
        : CompletableFuture.completedFuture(served);
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      if (buffer != null) {
        buffer.close();
      }
    }
  }
}
