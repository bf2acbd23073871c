package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Renames beside those of others. */
class RenameTest {
  private static final int ROUNDS = 300;

  @TempDir private java.nio.file.Path origin;
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private CountedOrigin.Calls calls;
  private BbFileSystem fs;

  @BeforeEach
  void open() throws Exception {
    calls = CountedOrigin.calls(origin);
    var conf = new Configuration(false);
    conf.set("eley.client.origin", "counted://" + origin);
    fs = new BbFileSystem();
    fs.initialize(URI.create("bb:///"), conf);
  }

  @AfterEach
  void close() throws Exception {
    other.shutdownNow();
    fs.close();
  }

  /** As HDFS says it, whether the name was taken before we looked or since. */
  @Test
  void whoseNameIsTakenInThatMomentHasNotRenamed() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Files.writeString(origin.resolve("a"), "a");
      Files.writeString(origin.resolve("b"), "b");
      var both = new CyclicBarrier(2);
      Future<Boolean> second = other.submit(renaming(both, "/b"));
      boolean first = renaming(both, "/a").call();
      assertThat(second.get()).isNotEqualTo(first);
      assertThat(origin.resolve("t")).hasContent(first ? "a" : "b");
      assertThat(origin.resolve(first ? "b" : "a")).exists();
      Files.delete(origin.resolve("t"));
    }
  }

  /** As it looks to who is told what was cached before others have deleted it. */
  @Test
  void whatHasGoneSinceItWasLookedUpIsInNobodysWay() throws Exception {
    Files.writeString(origin.resolve("a"), "a");
    Files.writeString(origin.resolve("t"), "t");
    calls.after.put(
        "stat",
        path -> {
          if (path.equals("/t")) {
            Files.deleteIfExists(origin.resolve("t"));
          }
        });
    assertThat(fs.rename(new Path("/a"), new Path("/t"))).isTrue();
    assertThat(origin.resolve("t")).hasContent("a");
    fs.create(new Path("/t"), false).close();
    assertThat(origin.resolve("t")).isEmptyFile();
  }

  private Callable<Boolean> renaming(CyclicBarrier both, String from) {
    return () -> {
      both.await();
      return fs.rename(new Path(from), new Path("/t"));
    };
  }
}
