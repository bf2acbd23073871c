package io.eley.spark.connector.fs;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** Opens files that the buffer serves. Safe for several threads. */
interface FileOpener extends Closeable {
  /**
   * Opens a file. Blocks.
   *
   * @param path with scheme
   * @return null for a file that is to be read without us
   */
  @Nullable FSDataInputStream open(Path path) throws IOException;
}
