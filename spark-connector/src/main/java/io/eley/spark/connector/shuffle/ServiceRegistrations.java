package io.eley.spark.connector.shuffle;

import io.eley.bb.api.client.ScratchOutputs.Place;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.shuffle.ExternalBlockStoreClient;
import org.apache.spark.network.shuffle.protocol.ExecutorShuffleInfo;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/**
 * Tells nodes' shuffle services where outputs lie, each once from this JVM: a service hands out
 * what executors have registered. Safe for several threads; blocks.
 */
final class ServiceRegistrations implements AutoCloseable {
  /** Spark's {@code spark.diskStore.subDirectories}, by which nodes lay files out. */
  private static final int SUBDIRECTORIES = 64;

  private static final String SORT = "org.apache.spark.shuffle.sort.SortShuffleManager";
  private static final long TIMEOUT_MILLIS = 5000;

  private final ExternalBlockStoreClient client;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /**
   * @param settings Spark's, of the network
   * @param secrets of the application
   */
  ServiceRegistrations(
      String application,
      Map<String, String> settings,
      SecretKeyHolder secrets,
      boolean authenticate) {
    var transport = new TransportConf("shuffle", new MapConfigProvider(settings));
    client = new ExternalBlockStoreClient(transport, secrets, authenticate, TIMEOUT_MILLIS);
    client.init(application);
  }

  void require(Place place) throws IOException, InterruptedException {
    String executor = place.service().executor();
    if (known.contains(executor)) {
      return;
    }
    client.registerWithShuffleServer(
        place.node().host(),
        place.service().port(),
        executor,
        new ExecutorShuffleInfo(new String[] {place.service().directory()}, SUBDIRECTORIES, SORT));
    known.add(executor);
  }

  @Override
  public void close() {
    client.close();
  }
}
