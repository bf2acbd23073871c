package io.eley.coordinator.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.coordinator.LogOf;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SlowDiskTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(1);

  private final LogOf log = new LogOf(SlowDisk.class);

  @AfterEach
  void stop() {
    log.close();
  }

  private static SlowDisk disk(String name, Duration farewell) {
    return new SlowDisk("eley-test-" + name, "the file " + name, name + " may be old", farewell);
  }

  private List<String> linesOf(String name) {
    return log.lines().stream().filter(line -> line.contains(name)).toList();
  }

  @Test
  void whatFailsTwiceIsLoggedOnceAndWhatFollowsIsDone() {
    var done = new CopyOnWriteArrayList<String>();
    try (var disk = disk("a", LONG)) {
      disk.complain(new IOException("it cannot be read"));
      for (String each : List.of("first", "second")) {
        disk.execute(
            () -> {
              done.add(each);
              throw new IOException("disk full");
            });
      }
      disk.execute(() -> done.add("third"));
    }
    assertThat(done).containsExactly("first", "second", "third");
    assertThat(linesOf("file a")).containsExactly("the file a cannot be used: it cannot be read");
  }

  @Test
  void closingWaitsForWhatIsQueued() {
    var done = new CopyOnWriteArrayList<String>();
    Thread closing = Thread.currentThread();
    var disk = disk("b", LONG);
    disk.execute(() -> await().until(() -> closing.getState() == Thread.State.TIMED_WAITING));
    disk.execute(() -> done.add("queued"));
    disk.close();
    assertThat(done).containsExactly("queued");
    disk.execute(() -> done.add("late"));
    assertThat(linesOf("b may be old")).isEmpty();
  }

  @Test
  void aDiskThatHangsIsNotWaitedForForEver() {
    var hanging = new CountDownLatch(1);
    var disk = disk("c", SHORT);
    disk.execute(
        () -> {
          try {
            hanging.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    disk.close();
    assertThat(linesOf("c may be old")).hasSize(1);
    hanging.countDown();
  }
}
