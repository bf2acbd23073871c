package io.eley.spark.connector.fs;

import io.eley.spark.connector.JavaRelease;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
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
    if (JavaRelease.sufficesFor("Eley for file:// paths")) {
      buffer = opener(conf);
    }
  }

  private @Nullable FileOpener opener(Configuration conf) throws IOException {
    try {
      return Class.forName("io.eley.spark.connector.fs.BufferedFiles")
          .asSubclass(FileOpener.class)
          .getDeclaredConstructor(Configuration.class, Statistics.class)
          .newInstance(conf, statistics);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException) {
        // No deployment: a local file system is still a local file system.
        LOG.info("Eley is not used for file:// paths: {}", e.getCause().getMessage());
        return null;
      }
      throw new IOException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IOException("the connector's jar is not whole", e);
    }
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
