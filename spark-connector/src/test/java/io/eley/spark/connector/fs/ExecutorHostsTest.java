package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ExecutorHostsTest {
  private final AtomicLong clock = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();
  private final ExecutorHosts hosts = new ExecutorHosts(clock::get);

  private Set<String> answer() {
    asked.incrementAndGet();
    return Set.of("a", "b");
  }

  @Test
  void anExecutorAsksTheDriverOnceInAWhile() {
    assertThat(hosts.all()).as("without a driver").isEmpty();
    hosts.askThrough(this::answer);
    for (int i = 0; i < 100; i++) {
      assertThat(hosts.all()).containsExactlyInAnyOrder("a", "b");
    }
    assertThat(asked).hasValue(1);
    clock.addAndGet(TimeUnit.SECONDS.toNanos(6));
    assertThat(hosts.all()).hasSize(2);
    assertThat(asked).hasValue(2);
  }

  @Test
  void aDriverAsksNobodyAndNamesEachHostOnce() {
    hosts.askThrough(this::answer);
    hosts.add("1", "c");
    hosts.add("2", "c");
    hosts.add("3", "d");
    hosts.remove("3");
    assertThat(hosts.all()).containsExactly("c");
    assertThat(asked).hasValue(0);
  }
}
