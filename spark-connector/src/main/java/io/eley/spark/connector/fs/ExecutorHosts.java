package io.eley.spark.connector.fs;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * On which hosts this JVM's Spark driver has executors, by the names that Spark gives the hosts;
 * none in a JVM without a driver. Safe for several threads.
 */
public final class ExecutorHosts {
  private static final ExecutorHosts OF_DRIVER = new ExecutorHosts();

  private final Map<String, String> hosts = new ConcurrentHashMap<>();

  ExecutorHosts() {}

  /** Those of the driver in this JVM. */
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

  /** Each host once. */
  public Set<String> known() {
    return Set.copyOf(hosts.values());
  }
}
