package io.eley.spark.connector.plan;

import io.eley.spark.connector.fs.ExecutorHosts;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor's question to the driver: on which hosts are executors? Of the JDK's classes, since
 * Spark's message needs no class of ours then.
 */
final class HostsQuestion {
  private static final Logger LOG = LoggerFactory.getLogger(HostsQuestion.class);
  private static final String WORD = "eley-executor-hosts";

  private HostsQuestion() {}

  /** Asks, and waits as long as Spark waits for an answer; none when it does not come. */
  static Set<String> ask(PluginContext driver) {
    try {
      return driver.ask(WORD) instanceof String[] hosts ? Set.of(hosts) : Set.of();
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt(); // the task was killed meanwhile
      }
      LOG.debug("the driver does not say where executors are", e);
      return Set.of();
    }
  }

  /** On the driver: the answer, or empty when the message is another one. */
  static Optional<String[]> answer(Object message) {
    return WORD.equals(message)
        ? Optional.of(ExecutorHosts.ofDriver().known().toArray(String[]::new))
        : Optional.empty();
  }
}
