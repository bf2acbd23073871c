package io.eley.spark.connector.fs;

import java.io.IOException;
import java.net.URI;
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
  private @Nullable FileOpener buffer;

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(name, conf);
    buffer = Openers.find(conf, statistics, "file");
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
