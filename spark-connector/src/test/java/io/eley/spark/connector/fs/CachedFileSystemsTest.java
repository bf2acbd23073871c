package io.eley.spark.connector.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Two Spark contexts of one JVM, one after the other, with an origin each. */
@Isolated("it closes what Hadoop keeps for all of this JVM")
class CachedFileSystemsTest {
  private static final URI BB = URI.create("bb:///");
  private static final URI LOCAL = URI.create("file:///");

  @TempDir private Path temp;

  /** Those of other tests in this JVM, and then ours. */
  @BeforeEach
  @AfterEach
  void forget() throws Exception {
    Configuration conf = of("forgotten");
    FileSystem.get(BB, conf).close();
    FileSystem.get(LOCAL, conf).close();
  }

  private Configuration of(String origin) throws Exception {
    Path root = Files.createDirectories(temp.resolve(origin));
    Files.writeString(root.resolve("in"), origin);
    var conf = new Configuration(false);
    conf.set("fs.bb.impl", BbFileSystem.class.getName());
    conf.set("fs.file.impl", EleyLocalFileSystem.class.getName());
    conf.set("eley.client.origin", root.toString());
    return conf;
  }

  private static String read(Configuration conf) throws Exception {
    try (var in = FileSystem.get(BB, conf).open(in("bb:///in"))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private static org.apache.hadoop.fs.Path in(String uri) {
    return new org.apache.hadoop.fs.Path(uri);
  }

  @Test
  void aSecondContextReadsItsOwnOrigin() throws Exception {
    Configuration first = of("one");
    Configuration second = of("two");
    assertThat(read(first)).isEqualTo("one");
    try (var open = FileSystem.get(BB, first).open(in("bb:///in"))) {
      FileSystem local = FileSystem.get(LOCAL, first);
      CachedFileSystems.closeThoseOfOthers(second);
      assertThat(read(second)).isEqualTo("two");
      assertThat(open.readAllBytes()).asString().as("what is open reads on").isEqualTo("one");
      assertThat(FileSystem.get(LOCAL, second)).isNotSameAs(local);
    }
  }

  @Test
  void whatIsOfTheSameInputStays() throws Exception {
    Configuration conf = of("one");
    FileSystem before = FileSystem.get(BB, conf);
    FileSystem local = FileSystem.get(LOCAL, conf);
    var again = new Configuration(conf);
    again.set("eley.client.read-ahead", "false");
    CachedFileSystems.closeThoseOfOthers(again);
    assertThat(FileSystem.get(BB, again)).isSameAs(before);
    assertThat(FileSystem.get(LOCAL, again)).isSameAs(local);
    assertThat(read(conf)).isEqualTo("one");
  }
}
