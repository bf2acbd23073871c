package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the end of a file with the readers of the formats that this Spark has. The format is what
 * the file's last bytes say. A reader that is missing, of another version, or that does not
 * understand the file costs the ranges only: the end of the file is what is known then.
 *
 * <p>Safe for several threads; blocks for as long as the file system does.
 */
final class FooterReader {
  private static final Logger LOG = LoggerFactory.getLogger(FooterReader.class);

  /** Parquet's last bytes: the footer's length and the magic. */
  private static final int END_BYTES = 8;

  /** ORC's last bytes: a postscript, and a byte that is its length. */
  private static final int FIRST_READ = 256;

  /** Of a file that is not understood: its last bytes may say any length. */
  private static final long MOST_TAIL = 1 << 20;

  private static final long MOST_BYTES = 16 << 20;

  /** As objects a footer takes some eight times its bytes, and eight are read at once. */
  private static final long HEAP_PARTS = 256;

  private final Configuration conf;
  private final long most;
  private final AtomicBoolean told = new AtomicBoolean();

  /** A reader of footers that, eight at once, take a quarter of the heap at most. */
  FooterReader(Configuration conf) {
    this(conf, Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PARTS));
  }

  /**
   * A reader.
   *
   * @param most the bytes of a footer; a longer one is not read
   */
  FooterReader(Configuration conf, long most) {
    this.conf = conf;
    this.most = most;
  }

  Footer read(ColumnarFile file) throws IOException {
    if (file.length() < END_BYTES) {
      return new Footer.Rows();
    }
    try (FSDataInputStream in = file.path().getFileSystem(conf).open(file.path())) {
      var end = new byte[(int) Math.min(file.length(), FIRST_READ)];
      in.readFully(file.length() - end.length, end);
      String last = new String(end, StandardCharsets.ISO_8859_1);
      if (last.endsWith("PAR1") || last.endsWith("PARE")) {
        int footer =
            ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN).getInt(end.length - END_BYTES);
        long bytes = END_BYTES + (long) Math.max(0, footer);
        return understood(
            file,
            bytes,
            () -> {
              requireShort(bytes);
              return ParquetFooters.read(file, in, tail(file, bytes), conf);
            });
      }
      // The last byte is the length of what stands before it.
      if (last.startsWith("ORC", end.length - 4)) {
        return understood(
            file,
            OrcFooters.FIRST_READ,
            () -> {
              requireShort(OrcFooters.tailBytes(end));
              return OrcFooters.read(file, conf);
            });
      }
      return new Footer.Rows();
    }
  }

  /** Before it is read: a length that is wrong, or of a very wide table, costs no heap. */
  private void requireShort(long bytes) {
    if (bytes > most) {
      throw new IllegalArgumentException(
          "its footer has " + bytes + " bytes, and no more than " + most + " are read");
    }
  }

  private static ByteRange tail(ColumnarFile file, long length) {
    long bytes = Math.min(file.length(), length);
    return new ByteRange(file.length() - bytes, bytes);
  }

  /**
   * What a format's reader says, or the tail alone when there is none that understands it.
   *
   * @param bytes of the tail, as the file says
   */
  private Footer understood(ColumnarFile file, long bytes, Format format) throws IOException {
    try {
      return format.read();
    } catch (RuntimeException | LinkageError e) {
      tell(file, e);
      return new Footer.Tail(tail(file, Math.min(bytes, MOST_TAIL)));
    }
  }

  private interface Format {
    Footer read() throws IOException;
  }

  private void tell(ColumnarFile file, Throwable e) {
    if (told.compareAndSet(false, true)) {
      LOG.info("Eley cannot tell where columns of files such as {} are", file.path(), e);
    }
  }
}
