package io.eley.spark.connector.plan;

import java.util.Map;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the client's counters in Spark's metrics. An exception here would kill executors in a loop,
 * so all are caught.
 */
final class EleyExecutorPlugin implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(EleyExecutorPlugin.class);

  @Override
  public void init(PluginContext context, Map<String, String> extraConf) {
    try {
      ClientGauges.register(context.metricRegistry());
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Eley's counters are not in Spark's metrics", e);
    }
  }
}
