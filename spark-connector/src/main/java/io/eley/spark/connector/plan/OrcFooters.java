package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.orc.OrcFile;
import org.apache.orc.OrcProto;
import org.apache.orc.Reader;
import org.apache.orc.StripeInformation;
import org.apache.orc.StripeStatistics;
import org.apache.orc.impl.RecordReaderImpl;

/** Reads the tail and the stripe footers of an ORC file with the reader that Spark brings. */
final class OrcFooters {
  /** What ORC's reader asks for before it knows how long the tail is. */
  static final int FIRST_READ = 16 << 10;

  private OrcFooters() {}

  /** Where the file's streams are. Blocks: a read for each stripe. */
  static Footer read(ColumnarFile file, Configuration conf) throws IOException {
    var options =
        OrcFile.readerOptions(conf)
            .filesystem(file.path().getFileSystem(conf))
            .maxLength(file.length());
    try (Reader reader = OrcFile.createReader(file.path(), options)) {
      ByteRange tail = tail(file, reader.getFileTail());
      return reader.getColumnEncryptionKeys().length > 0
          ? new Footer.Tail(tail)
          : new OrcFooter(reader.getSchema(), stripes(reader), tail);
    }
  }

  /**
   * How long the file's tail is, of which ORC's reader makes one buffer.
   *
   * @param end the file's last bytes, with the postscript
   */
  static long tailBytes(byte[] end) throws IOException {
    int postscript = end[end.length - 1] & 0xff;
    int begins = end.length - 1 - postscript;
    var bytes = Arrays.copyOfRange(end, begins, begins + postscript);
    return tailBytes(OrcProto.PostScript.parseFrom(bytes), postscript);
  }

  private static long tailBytes(OrcProto.PostScript script, long postscript) {
    long bytes = 1 + postscript;
    for (long part :
        new long[] {
          script.getFooterLength(), script.getMetadataLength(), script.getStripeStatisticsLength()
        }) {
      if (part < 0 || part > Integer.MAX_VALUE) {
        return Long.MAX_VALUE; // it has no sign in the file
      }
      bytes += part;
    }
    return bytes;
  }

  private static ByteRange tail(ColumnarFile file, OrcProto.FileTail tail) {
    long bytes = tailBytes(tail.getPostscript(), tail.getPostscriptLength());
    long most = Math.min(file.length(), Math.max(bytes, FIRST_READ));
    return new ByteRange(file.length() - most, most);
  }

  /** Rows of no stripe are asked for, so nothing but the footers is read. */
  private static List<OrcFooter.Stripe> stripes(Reader reader) throws IOException {
    var stripes = new ArrayList<OrcFooter.Stripe>();
    List<StripeStatistics> statistics = reader.getStripeStatistics();
    try (var rows = (RecordReaderImpl) reader.rows(reader.options().range(0, 0))) {
      for (StripeInformation stripe : reader.getStripes()) {
        Optional<StripeStatistics> values =
            stripes.size() < statistics.size()
                ? Optional.of(statistics.get(stripes.size()))
                : Optional.empty();
        stripes.add(stripe(stripe, rows.readStripeFooter(stripe), values));
      }
    }
    return stripes;
  }

  private static OrcFooter.Stripe stripe(
      StripeInformation stripe,
      OrcProto.StripeFooter footer,
      Optional<StripeStatistics> statistics) {
    var streams = new ArrayList<OrcFooter.Stream>();
    long at = stripe.getOffset();
    for (OrcProto.Stream stream : footer.getStreamsList()) {
      var range = new ByteRange(at, stream.getLength());
      streams.add(new OrcFooter.Stream(stream.getColumn(), isIndex(stream.getKind()), range));
      at = range.end();
    }
    long data = stripe.getIndexLength() + stripe.getDataLength();
    var ends = new ByteRange(stripe.getOffset() + data, stripe.getFooterLength());
    return new OrcFooter.Stripe(stripe.getOffset(), streams, ends, statistics);
  }

  private static boolean isIndex(OrcProto.Stream.Kind kind) {
    return switch (kind) {
      case ROW_INDEX, BLOOM_FILTER, BLOOM_FILTER_UTF8 -> true;
      default -> false;
    };
  }
}
