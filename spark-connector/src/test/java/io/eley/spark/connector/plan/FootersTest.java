package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** Which thread makes something of a footer. */
class FootersTest {
  private static final ColumnarFile FILE = new ColumnarFile(new Path("/in/f"), 1000, 1);

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final AtomicInteger uses = new AtomicInteger();
  private final Footers footers =
      new Footers(file -> new Footer.Rows(), tasks::add, Duration.ofSeconds(60));

  private CompletableFuture<Integer> use() {
    return footers.use(FILE, footer -> uses.incrementAndGet());
  }

  @Test
  void whoAsksNeverMakesItHimselfHoweverTheFooterComes() {
    var first = use();
    tasks.remove().run(); // reads, in the middle of whatever the caller does
    assertThat(uses).as("on the caller's thread").hasValue(0);
    var second = use();
    assertThat(uses).as("on the caller's thread, of a footer that is known").hasValue(0);
    assertThat(tasks).hasSize(2);
    tasks.forEach(Runnable::run);
    assertThat(first).isCompletedWithValue(1);
    assertThat(second).isCompletedWithValue(2);
  }

  @Test
  void whoReadsAFooterMakesItBeforeTheNextOneIsRead() throws Exception {
    var used = use();
    var reads = new Thread(tasks.remove());
    reads.start();
    reads.join();
    assertThat(used).isCompletedWithValue(1);
    assertThat(tasks).isEmpty();
  }
}
