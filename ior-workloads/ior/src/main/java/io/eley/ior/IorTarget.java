package io.eley.ior;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The port to storage. Implementations are safe for several tasks; a file belongs to one. */
public interface IorTarget extends AutoCloseable {
  /**
   * Opens a file, which is made when it is opened for writing and does not exist. Blocks.
   *
   * @param path absolute
   */
  IorFile open(String path, boolean write) throws IOException;

  /** Deletes a file that may not exist; anything that is not a file is left alone. */
  void delete(String path) throws IOException;

  /** Length of a file in bytes; 0 when it does not exist. */
  long size(String path) throws IOException;

  @Override
  void close();

  /** An open file. */
  interface IorFile extends Closeable {
    /** Writes all of the buffer. */
    void write(ByteBuffer bytes, long position) throws IOException;

    /** Fills the buffer; a file that ends before is an error. */
    void read(ByteBuffer bytes, long position) throws IOException;

    /** fsync(2). */
    void sync() throws IOException;
  }
}
