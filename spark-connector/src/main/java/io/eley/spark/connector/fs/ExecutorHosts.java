package io.eley.spark.connector.fs;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * On which hosts Spark's driver has executors, by the names that Spark gives the hosts: known in
 * the driver's JVM, asked for in an executor's, since a listing of many directories is a job. Safe
 * for several threads.
 */
public final class ExecutorHosts {
  /** A table is listed by thousands of files a second. */
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final ExecutorHosts OF_DRIVER = new ExecutorHosts(System::nanoTime);

  private final Map<String, String> hosts = new ConcurrentHashMap<>();
  private final LongSupplier nanoClock;
  private volatile @Nullable Supplier<Set<String>> driver;
  private @Nullable Told told;

  /** What the driver has answered, and when. */
  private record Told(Set<String> hosts, long at) {}

  ExecutorHosts(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Those of this JVM's driver. */
  public static ExecutorHosts ofDriver() {
    return OF_DRIVER;
  }

  public void add(String executor, String host) {
    hosts.put(executor, host);
  }

  public void remove(String executor) {
    hosts.remove(executor);
  }

  /** For a new driver: the last one of this JVM heard of no executor's end when it stopped. */
  public void clear() {
    hosts.clear();
  }

  /**
   * Asks in this way where no driver is in this JVM.
   *
   * @param question may block, and does not fail
   */
  public synchronized void askThrough(Supplier<Set<String>> question) {
    driver = question;
    told = null;
  }

  /** Each host once, of this JVM's driver. */
  public Set<String> known() {
    return Set.copyOf(hosts.values());
  }

  /** Each host once; none while the driver knows none, or does not answer. May block to ask. */
  Set<String> all() {
    Set<String> own = known();
    Supplier<Set<String>> asked = driver;
    return own.isEmpty() && asked != null ? told(asked) : own;
  }

  private synchronized Set<String> told(Supplier<Set<String>> asked) {
    Told last = told;
    if (last == null || nanoClock.getAsLong() - last.at > KEPT_NANOS) {
      Set<String> answer = asked.get();
      last = new Told(answer, nanoClock.getAsLong());
      told = last;
    }
    return last.hosts;
  }
}
