package io.eley.spark.connector.shuffle;

import com.codahale.metrics.MetricRegistry;
import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;

/** A plugin's way to a driver that answers as a test says. */
record ToldDriver(Function<Object, Object> answers) implements PluginContext {
  static PluginContext answering(Function<Object, Object> answers) {
    return new ToldDriver(answers);
  }

  /** One that does not answer. */
  static PluginContext away() {
    return new ToldDriver(
        message -> {
          throw new IllegalStateException("no answer to " + message);
        });
  }

  @Override
  public Object ask(Object message) {
    return answers.apply(message);
  }

  @Override
  public void send(Object message) throws IOException {
    throw new IOException("nobody takes " + message);
  }

  @Override
  public MetricRegistry metricRegistry() {
    return new MetricRegistry();
  }

  @Override
  public SparkConf conf() {
    return new SparkConf(false);
  }

  @Override
  public String executorID() {
    return "1";
  }

  @Override
  public String hostname() {
    return "localhost";
  }

  @Override
  public Map<String, ResourceInformation> resources() {
    return Map.of();
  }
}
