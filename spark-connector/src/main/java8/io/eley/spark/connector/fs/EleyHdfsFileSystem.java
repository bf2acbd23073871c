package io.eley.spark.connector.fs;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Accelerates unchanged {@code hdfs://} paths below the origin, as {@link EleyLocalFileSystem} does
 * those of a mount: {@code
 * spark.hadoop.fs.hdfs.impl=io.eley.spark.connector.fs.EleyHdfsFileSystem}. Everything but reading
 * is Hadoop's.
 *
 * <p>Safe for several threads.
 */
public class EleyHdfsFileSystem extends DistributedFileSystem {
  private @Nullable FileOpener buffer;

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(name, conf);
    buffer = Openers.find(conf, statistics, "hdfs");
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    FSDataInputStream served = buffer == null ? null : buffer.open(makeQualified(path));
    return served == null ? super.open(path, bufferSize) : served;
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
