package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.client.EleyClient;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TextOutputFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output through {@code bb://}, without a deployment: it passes to the origin itself then. */
class PassThroughOutputTest {
  private static final int PIECE = 1 << 20;
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("bb:///out");

  @TempDir private Path temp;
  private CountedOrigin.Calls calls;
  private BbFileSystem fs;

  @BeforeEach
  void open() throws Exception {
    calls = CountedOrigin.calls(temp);
    fs = new BbFileSystem();
    fs.initialize(URI.create("bb:///"), configuration());
  }

  @AfterEach
  void close() throws Exception {
    fs.close();
  }

  private Configuration configuration() {
    var conf = new Configuration(false);
    conf.set("eley.client.origin", "counted://" + temp);
    return conf;
  }

  private byte[] written() throws IOException {
    return Files.readAllBytes(temp.resolve("out"));
  }

  /** The writer of saveAsTextFile. */
  @Test
  void aHundredThousandLinesOfTextReachTheOriginAMebibyteAtATime() throws Exception {
    var job = new JobConf(configuration());
    job.setClass("fs.bb.impl", BbFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
    job.set("fs.bb.impl.disable.cache", "true"); // other tests have other origins
    job.set("mapreduce.task.output.dir", "bb:///");
    job.set("mapreduce.task.attempt.id", "attempt_1_0001_m_000000_0");
    job.set("mapreduce.output.fileoutputformat.outputdir", "bb:///");
    var lines = new TextOutputFormat<NullWritable, Text>().getRecordWriter(fs, job, "out", null);
    var expected = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      String line = "line " + i + " of many";
      lines.write(NullWritable.get(), new Text(line));
      expected.append(line).append('\n');
    }
    lines.close(Reporter.NULL);
    assertThat(written()).isEqualTo(expected.toString().getBytes(StandardCharsets.UTF_8));
    int whole = expected.length() / PIECE;
    assertThat(calls.writes).hasSize(whole + 1);
    assertThat(calls.writes.subList(0, whole)).containsOnly(PIECE);
  }

  @Test
  void whateverTheSizesOfWritesTheFileIsTheirBytesInPiecesOfAMebibyteAtMost() throws Exception {
    var random = new Random(14);
    byte[] all = new byte[9 * PIECE + 77];
    random.nextBytes(all);
    int[] sizes = {1, 100, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 5, 0};
    try (FSDataOutputStream out = fs.create(FILE)) {
      for (int at = 0; at < all.length; ) {
        int count = Math.min(sizes[random.nextInt(sizes.length)], all.length - at);
        out.write(all, at, count);
        at += count;
        assertThat(out.getPos()).isEqualTo(at);
      }
    }
    assertThat(Arrays.equals(written(), all)).isTrue();
    assertThat(calls.writes).allMatch(count -> count <= PIECE);
  }

  @Test
  void appendsArePromisedWhereTheOriginHasThem() throws Exception {
    assertThat(fs.hasPathCapability(FILE, CommonPathCapabilities.FS_APPEND)).isTrue();
    calls.appends = false;
    assertThat(fs.hasPathCapability(FILE, CommonPathCapabilities.FS_APPEND)).isFalse();
  }

  @Test
  void bytesAreAtTheOriginAfterAFlushAndOnStableStorageAfterASync() throws Exception {
    try (FSDataOutputStream out = fs.create(FILE)) {
      out.write('a');
      assertThat(written()).isEmpty();
      out.flush();
      assertThat(written()).hasSize(1);
      out.write('b');
      out.hflush();
      assertThat(written()).hasSize(2);
      assertThat(calls.forces).hasValue(0);
      out.write('c');
      out.hsync();
      assertThat(written()).hasSize(3);
      assertThat(calls.forces).hasValue(1);
      assertThat(out.hasCapability("hflush")).isTrue();
      assertThat(out.hasCapability("hsync")).isTrue();
      assertThat(out.hasCapability("dropbehind")).isFalse();
    }
    assertThat(calls.writes).containsExactly(1, 1, 1);
  }

  @Test
  void aSyncIsRefusedWhereTheOriginCannotDoItAndTheBytesAreFlushedAllTheSame() throws Exception {
    calls.durable = false;
    try (FSDataOutputStream out = fs.create(FILE)) {
      out.write('a');
      assertThat(out.hasCapability("hsync")).isFalse();
      assertThat(out.hasCapability("hflush")).isFalse();
      assertThatThrownBy(out::hsync).isInstanceOf(UnsupportedOperationException.class);
      assertThat(written()).hasSize(1);
    }
  }

  @Test
  void closingTwiceClosesOnceAndAClosedStreamTakesNothing() throws Exception {
    FSDataOutputStream out = fs.create(FILE);
    out.write('a');
    out.close();
    out.close();
    assertThat(calls.closes).hasValue(1);
    assertThat(written()).hasSize(1);
    assertThatThrownBy(() -> out.write('b')).isInstanceOf(IOException.class);
    assertThatThrownBy(out::hflush).isInstanceOf(IOException.class);
    assertThatThrownBy(out::hsync).isInstanceOf(IOException.class);
  }

  @Test
  void anErrorIsReportedWhereBytesPassAndAgainWhenTheFileThatLacksThemIsClosed() throws Exception {
    FSDataOutputStream out = fs.create(FILE);
    out.write('a');
    calls.full = true;
    assertThatThrownBy(out::flush).hasMessageContaining("no space left");
    calls.full = false;
    assertThatThrownBy(() -> out.write('b')).hasMessageContaining("incomplete");
    assertThatThrownBy(out::close)
        .hasMessageContaining("incomplete")
        .hasRootCauseMessage("no space left");
    out.close();
    assertThat(calls.closes).hasValue(1);
    assertThat(written()).isEmpty();
  }

  @Test
  void aCloseThatCannotWriteWhatItHoldsFailsAndClosesTheOriginsStream() throws Exception {
    FSDataOutputStream out = fs.create(FILE);
    out.write('a');
    calls.full = true;
    assertThatThrownBy(out::close).hasMessageContaining("no space left");
    assertThat(calls.closes).hasValue(1);
  }

  /** Where the end of a stream makes an object of what was written. */
  @Test
  void whatLacksBytesIsGivenUpWhereThatCanBeAndWhatIsWholeIsClosed() throws Exception {
    calls.abortable = true;
    calls.full = true;
    FSDataOutputStream early = fs.create(FILE);
    early.write('a');
    assertThatThrownBy(early::flush).hasMessageContaining("no space left");
    FSDataOutputStream late = fs.create(FILE);
    late.write('a');
    assertThatThrownBy(late::close).hasMessageContaining("no space left");
    assertThat(calls.aborts).hasValue(1);
    calls.full = false;
    assertThatThrownBy(early::close).hasMessageContaining("incomplete");
    early.close();
    assertThat(calls.aborts).hasValue(2);
    assertThat(calls.closes).hasValue(0);
    fs.create(FILE).close();
    assertThat(calls.aborts).hasValue(2);
    assertThat(calls.closes).hasValue(1);
  }

  @Test
  void anInterruptedThreadWritesNoHalfFileInSilence() throws Exception {
    FSDataOutputStream out = fs.create(FILE);
    out.write('a');
    Thread.currentThread().interrupt();
    assertThatThrownBy(out::close).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(calls.closes).hasValue(1);
  }

  /** As of a stream that compresses: what it throws is what closing ours says. */
  @Test
  void anInterruptionIsOneAlsoThroughStreamsAroundIt() throws Exception {
    var out = new BufferedOutputStream(fs.create(FILE));
    out.write('a');
    Thread.currentThread().interrupt();
    assertThatThrownBy(out::flush).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    out.write('b');
    assertThatThrownBy(out::close).isInstanceOf(InterruptedIOException.class);
    assertThat(calls.closes).hasValue(1);
  }

  /** By whoever shares it, as {@code FileSystem.closeAll} does: a log of the driver goes on. */
  @Test
  void aFileSystemThatIsClosedLeavesItsClientToTheStreamsThatWrite() throws Exception {
    FSDataOutputStream created = fs.create(FILE);
    FSDataOutputStream appended = fs.append(FILE);
    EleyClient client = client();
    fs.close();
    assertThat(client()).isSameAs(client);
    fs.create(new org.apache.hadoop.fs.Path("bb:///by-who-shares-it")).close();
    created.write('a');
    created.close();
    created.close();
    assertThat(client()).isSameAs(client);
    appended.write('b');
    appended.close();
    assertThat(written()).asString().isEqualTo("ab");
    assertThat(client()).isNotSameAs(client);
  }

  @Test
  void aStreamThatIsNotOpenedKeepsNoClient() throws Exception {
    calls.failsAfterAppend = true;
    Files.write(temp.resolve("out"), new byte[1]);
    EleyClient client = client();
    assertThatThrownBy(() -> fs.append(FILE)).hasMessage("gone");
    fs.close();
    assertThat(client()).isNotSameAs(client);
  }

  private EleyClient client() throws Exception {
    try (var lease = SharedClients.acquire(configuration())) {
      return lease.client();
    }
  }

  @Test
  void positionsOfAnAppendCountFromTheFilesEnd() throws Exception {
    try (FSDataOutputStream out = fs.create(FILE)) {
      out.write(new byte[100]);
    }
    Files.write(temp.resolve("out"), new byte[150]); // beside us, after we have looked
    try (FSDataOutputStream out = fs.append(FILE)) {
      assertThat(out.getPos()).isEqualTo(150);
      out.write(new byte[7]);
      assertThat(out.getPos()).isEqualTo(157);
    }
    assertThat(written()).hasSize(157);
  }

  @Test
  void anAppendToAnEndThatNobodyTellsLeavesNoStreamOpen() throws Exception {
    Files.write(temp.resolve("out"), new byte[1]);
    calls.failsAfterAppend = true;
    assertThatThrownBy(() -> fs.append(FILE)).isInstanceOf(IOException.class).hasMessage("gone");
    assertThat(calls.closes).hasValue(1);
  }
}
