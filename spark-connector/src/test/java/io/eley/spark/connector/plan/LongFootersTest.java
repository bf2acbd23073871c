package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ByteRange;
import java.io.ByteArrayOutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.orc.OrcProto;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose last bytes say that very many more are their footer: the driver does not read it. */
class LongFootersTest {
  private static final long LENGTH = 1L << 30;
  private static final int SAID = 900 << 20;
  private static final long MOST_TAIL = 1 << 20;

  @TempDir private Path temp;
  private final Configuration conf = new Configuration();

  @BeforeEach
  void withoutChecksums() {
    conf.set("fs.file.impl", RawLocalFileSystem.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
  }

  @Test
  void ofAParquetFileTheLastMebibyteIsPlanned() throws Exception {
    var end = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(SAID);
    end.put("PAR1".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(new FooterReader(conf).read(sparse(end.array())))
        .isEqualTo(new Footer.Tail(new ByteRange(LENGTH - MOST_TAIL, MOST_TAIL)));
  }

  @Test
  void ofAnOrcFileItsFirstReadIsPlanned() throws Exception {
    var first = new Footer.Tail(new ByteRange(LENGTH - (16 << 10), 16 << 10));
    assertThat(new FooterReader(conf).read(sparse(orcEnd(SAID, 0)))).isEqualTo(first);
    assertThat(new FooterReader(conf).read(sparse(orcEnd(-1, 100)))).isEqualTo(first);
  }

  @Test
  void aFooterIsReadThatIsAsLongAsIsAllowed() throws Exception {
    Path file = temp.resolve("table.parquet");
    var path = new org.apache.hadoop.fs.Path(file.toUri());
    ExampleParquetWriter.builder(path)
        .withConf(conf)
        .withType(MessageTypeParser.parseMessageType("message table { required int64 id; }"))
        .build()
        .close();
    var listed = new ColumnarFile(path, Files.size(file), 1);
    Footer understood = new FooterReader(conf).read(listed);
    long bytes = understood.tail().length();
    assertThat(understood).isInstanceOf(ParquetFooter.class);
    assertThat(new FooterReader(conf, bytes).read(listed)).isInstanceOf(ParquetFooter.class);
    assertThat(new FooterReader(conf, bytes - 1).read(listed))
        .isEqualTo(new Footer.Tail(understood.tail()));
  }

  private static byte[] orcEnd(long footer, long metadata) throws Exception {
    byte[] postscript =
        OrcProto.PostScript.newBuilder()
            .setFooterLength(footer)
            .setMetadataLength(metadata)
            .setCompression(OrcProto.CompressionKind.NONE)
            .setMagic("ORC")
            .build()
            .toByteArray();
    var end = new ByteArrayOutputStream();
    end.write(postscript);
    end.write(postscript.length);
    return end.toByteArray();
  }

  private ColumnarFile sparse(byte[] end) throws Exception {
    Path path = temp.resolve("sparse");
    try (var file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(LENGTH);
      file.seek(LENGTH - end.length);
      file.write(end);
    }
    return new ColumnarFile(new org.apache.hadoop.fs.Path(path.toUri()), LENGTH, 1);
  }
}
