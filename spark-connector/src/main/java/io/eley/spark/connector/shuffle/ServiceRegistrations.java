package io.eley.spark.connector.shuffle;

import io.eley.bb.api.client.ScratchOutputs.Place;
import java.io.IOException;
import java.time.Duration;
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

  /**
   * For an answer. A service that has just begun, on a host full of tasks that begin, may need more
   * than the 5 s that Spark's executors have for it; one that is gone refuses at once.
   */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** As often as Spark's own executors do it ({@code spark.shuffle.registration.maxAttempts}). */
  private static final int ATTEMPTS = 3;

  private final ExternalBlockStoreClient client;
  private final Duration patience;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /**
   * @param settings Spark's, of the network
   * @param secrets of the application
   * @param patience with a service that does not answer, {@link #PATIENCE} but in tests
   */
  ServiceRegistrations(
      String application,
      Map<String, String> settings,
      SecretKeyHolder secrets,
      boolean authenticate,
      Duration patience) {
    this.patience = patience;
    var transport = new TransportConf("shuffle", new MapConfigProvider(settings));
    client = new ExternalBlockStoreClient(transport, secrets, authenticate, patience.toMillis());
    client.init(application);
  }

  /**
   * Registers a service's outputs, unless that was done. One that is only slow is not asked again.
   *
   * @throws IOException when it does not answer in time, or the thread is interrupted
   */
  void require(Place place) throws IOException {
    String executor = place.service().executor();
    long began = System.nanoTime();
    for (int attempt = 1; !known.contains(executor); attempt++) {
      try {
        register(place, executor);
        known.add(executor);
      } catch (IOException | RuntimeException e) {
        boolean slow = System.nanoTime() - began >= patience.toNanos();
        if (slow || attempt == ATTEMPTS) {
          throw new IOException("the shuffle service is not to be registered with: " + e, e);
        }
      }
    }
  }

  private void register(Place place, String executor) throws IOException {
    var info =
        new ExecutorShuffleInfo(new String[] {place.service().directory()}, SUBDIRECTORIES, SORT);
    try {
      client.registerWithShuffleServer(place.node().host(), place.service().port(), executor, info);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
