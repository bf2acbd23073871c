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

  private final Configuration conf;
  private final AtomicBoolean told = new AtomicBoolean();

  FooterReader(Configuration conf) {
    this.conf = conf;
  }

  Footer read(ColumnarFile file) throws IOException {
    if (file.length() < END_BYTES) {
      return new Footer.Rows();
    }
    try (FSDataInputStream in = file.path().getFileSystem(conf).open(file.path())) {
      var end = new byte[END_BYTES];
      in.readFully(file.length() - END_BYTES, end);
      String last = new String(end, StandardCharsets.ISO_8859_1);
      if (last.endsWith("PAR1") || last.endsWith("PARE")) {
        int footer = ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN).getInt();
        var tail = tail(file, END_BYTES + (long) Math.max(0, footer));
        return understood(file, tail, () -> ParquetFooters.read(file, in, tail, conf));
      }
      // The last byte is the length of what stands before it.
      if (last.startsWith("ORC", END_BYTES - 4)) {
        return understood(
            file, tail(file, OrcFooters.FIRST_READ), () -> OrcFooters.read(file, conf));
      }
      return new Footer.Rows();
    }
  }

  private static ByteRange tail(ColumnarFile file, long length) {
    long bytes = Math.min(file.length(), length);
    return new ByteRange(file.length() - bytes, bytes);
  }

  /** What a format's reader says, or the tail alone when there is none that understands it. */
  private Footer understood(ColumnarFile file, ByteRange tail, Format format) throws IOException {
    try {
      return format.read();
    } catch (RuntimeException | LinkageError e) {
      tell(file, e);
      return new Footer.Tail(tail);
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
