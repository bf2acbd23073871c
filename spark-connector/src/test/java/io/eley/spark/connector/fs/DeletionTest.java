package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deletions beside those of others: of a killed task beside the committer's, for one. */
class DeletionTest {
  private static final org.apache.hadoop.fs.Path TREE = new org.apache.hadoop.fs.Path("bb:///tree");

  @TempDir private Path temp;
  private CountedOrigin.Calls calls;
  private BbFileSystem fs;

  @BeforeEach
  void open() throws Exception {
    calls = CountedOrigin.calls(temp);
    var conf = new Configuration(false);
    conf.set("eley.client.origin", "counted://" + temp);
    fs = new BbFileSystem();
    fs.initialize(URI.create("bb:///"), conf);
  }

  @AfterEach
  void close() throws Exception {
    fs.close();
  }

  private void grow(int directories, int files) throws IOException {
    for (int d = 0; d < directories; d++) {
      Path directory = Files.createDirectories(temp.resolve("tree/attempt-" + d));
      for (int f = 0; f < files; f++) {
        Files.createFile(directory.resolve("part-" + f));
      }
    }
  }

  @Test
  void twoWhoDeleteTheSameTreeBothEndWell() throws Exception {
    grow(20, 100);
    var together = new CyclicBarrier(2);
    calls.before.put("delete", path -> together.await(60, TimeUnit.SECONDS));
    var threads = Executors.newFixedThreadPool(2);
    try {
      var deletions = new ArrayList<Future<Boolean>>();
      for (int i = 0; i < 2; i++) {
        deletions.add(threads.submit(() -> fs.delete(TREE, true)));
      }
      for (Future<Boolean> deletion : deletions) {
        assertThat(deletion.get(60, TimeUnit.SECONDS)).isNotNull();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(temp.resolve("tree")).doesNotExist();
  }

  @Test
  void whatSomebodyElseHasDeletedSinceWeLookedWasNotDeletedByUs() throws Exception {
    for (boolean recursive : new boolean[] {true, false}) {
      Files.createFile(temp.resolve("tree"));
      calls.before.put("delete", path -> Files.delete(temp.resolve("tree")));
      assertThat(fs.delete(TREE, recursive)).isFalse();
    }
  }

  @Test
  void whatIsThereIsDeletedOnce() throws Exception {
    grow(2, 2);
    assertThat(fs.delete(TREE, true)).isTrue();
    assertThat(fs.delete(TREE, true)).isFalse();
  }
}
