package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is opened for unchanged paths is read by us, or fails: nothing passes us by. */
class BufferedFilesTest {
  @TempDir private Path temp;

  private BufferedFiles files() throws Exception {
    var conf = new Configuration(false);
    conf.set("eley.client.origin", "counted://" + temp);
    conf.set("eley.client.origin-deadline", "3s");
    return new BufferedFiles(conf, null);
  }

  private org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path("counted://" + temp + "/" + name);
  }

  @Test
  void whatLiesBelowTheOriginIsServedAndNothingElse() throws Exception {
    Files.writeString(temp.resolve("in"), "input");
    try (var files = files();
        var in = files.open(path("in"))) {
      assertThat(in).isNotNull();
      assertThat(in.readAllBytes()).asString().isEqualTo("input");
      assertThat(files.open(new org.apache.hadoop.fs.Path("file:///elsewhere"))).isNull();
      assertThatThrownBy(() -> files.open(path("none"))).isInstanceOf(FileNotFoundException.class);
    }
  }

  /** As with Hadoop's own: all tasks of an executor share it, and any of them may close it. */
  @Test
  void aFileSystemOfTheMountThatIsClosedEndsNoStreamAndOpensMore() throws Exception {
    byte[] content = new byte[5 << 20];
    new Random(1).nextBytes(content);
    var big = new org.apache.hadoop.fs.Path(Files.write(temp.resolve("in"), content).toUri());
    var conf = new Configuration(false);
    conf.set("eley.client.origin", temp.toString());
    var fs = new EleyLocalFileSystem();
    fs.initialize(URI.create("file:///"), conf);
    try (var in = fs.open(big)) {
      assertThat(in.getWrappedStream()).isInstanceOf(BbInputStream.class);
      int first = in.read();
      fs.close();
      assertThat(first).isEqualTo(Byte.toUnsignedInt(content[0]));
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 1, content.length));
      try (var later = fs.open(big)) {
        assertThat(later.getWrappedStream()).as("in the ledger").isInstanceOf(BbInputStream.class);
        assertThat(later.readAllBytes()).isEqualTo(content);
      }
    }
  }

  @Test
  void aClientIsClosedWithTheLastStream() throws Exception {
    Files.writeString(temp.resolve("in"), "input");
    var conf = new Configuration(false);
    conf.set("eley.client.origin", temp.toString());
    var bb = new BbFileSystem();
    bb.initialize(URI.create("bb:///"), conf);
    EleyClient client = client(conf);
    var in = bb.open(new org.apache.hadoop.fs.Path("bb:///in"));
    bb.close();
    assertThatThrownBy(() -> bb.open(new org.apache.hadoop.fs.Path("bb:///in")))
        .isInstanceOf(IOException.class);
    assertThat(client(conf)).isSameAs(client);
    assertThat(in.readAllBytes()).asString().isEqualTo("input");
    in.close();
    in.close();
    assertThat(client(conf)).isNotSameAs(client);
  }

  private static EleyClient client(Configuration conf) throws Exception {
    try (var lease = SharedClients.acquire(conf)) {
      return lease.client();
    }
  }

  @Test
  void whatALinkLeadsToElsewhereIsLeftToItsOwnFileSystem() throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    Path elsewhere = Files.writeString(temp.resolve("elsewhere"), "input");
    Files.createSymbolicLink(origin.resolve("in"), elsewhere);
    var conf = new Configuration(false);
    conf.set("eley.client.origin", origin.toString());
    try (var fs = new EleyLocalFileSystem()) {
      fs.initialize(URI.create("file:///"), conf);
      try (var in = fs.open(new org.apache.hadoop.fs.Path(origin.resolve("in").toUri()))) {
        assertThat(in.readAllBytes()).asString().isEqualTo("input");
      }
    }
    try (var bb = new BbFileSystem()) {
      bb.initialize(URI.create("bb:///"), conf);
      assertThatThrownBy(() -> bb.open(new org.apache.hadoop.fs.Path("bb:///in")))
          .isInstanceOf(AccessControlException.class);
    }
  }

  @Test
  void anOriginThatHangsFailsAnOpenAndIsNotReadBehindOurBack() throws Exception {
    Files.writeString(temp.resolve("in"), "input");
    CountedOrigin.Calls calls = CountedOrigin.calls(temp);
    calls.hangs = true;
    try (var files = files()) {
      assertThatThrownBy(() -> files.open(path("in")))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ORIGIN_HUNG));
      calls.hangs = false;
      try (var in = files.open(path("in"))) {
        assertThat(in).isNotNull();
      }
    } finally {
      calls.answers.countDown();
    }
  }
}
