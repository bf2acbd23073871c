package io.eley.spark.connector.plan;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.spark.connector.fs.SharedClients;
import java.util.Locale;

/** One gauge for each source of bytes, for example {@code eley.bytes.local_ram}. */
final class ClientGauges {
  private ClientGauges() {}

  static void register(MetricRegistry registry) {
    for (Source source : Source.values()) {
      Gauge<Long> bytes = () -> SharedClients.bytes(source);
      registry.register("eley.bytes." + source.name().toLowerCase(Locale.ROOT), bytes);
    }
  }
}
