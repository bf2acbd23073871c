package io.eley.spark.connector.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.client.ScratchOutputs.Place;
import io.eley.bb.api.wire.ScratchMessage.ScratchOpened;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.server.OneForOneStreamManager;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With a service that answers when the test has it do so. */
@Timeout(120)
class ServiceRegistrationsTest {
  private static final TransportConf CONF = new TransportConf("shuffle", MapConfigProvider.EMPTY);

  private final List<RpcResponseCallback> asked = new CopyOnWriteArrayList<>();
  private TransportContext context;
  private TransportServer service;
  private Place place;

  private record NoSecrets() implements SecretKeyHolder {
    @Override
    public String getSaslUser(String application) {
      return "";
    }

    @Override
    public String getSecretKey(String application) {
      return "";
    }
  }

  private final class AnswersLater extends RpcHandler {
    private final StreamManager streams = new OneForOneStreamManager();

    @Override
    public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
      asked.add(callback);
    }

    @Override
    public StreamManager getStreamManager() {
      return streams;
    }
  }

  @BeforeEach
  void listen() {
    context = new TransportContext(CONF, new AnswersLater());
    service = context.createServer("127.0.0.1", 0, List.of());
    place =
        new Place(
            new NodeAddress(new NodeId("a"), "127.0.0.1", 1, ""),
            new ScratchOpened("eley-a", service.getPort(), "/there"));
  }

  @AfterEach
  void end() {
    service.close();
    context.close();
  }

  private static ServiceRegistrations registrations(Duration patience) {
    return new ServiceRegistrations("app-1", Map.of(), new NoSecrets(), false, patience);
  }

  /** As a JVM that has just begun, on a host full of tasks that begin. */
  @Test
  void aServiceThatTakesLongerThanSparkWaitsIsWaitedForAndAskedOnce() throws Exception {
    try (var registrations = registrations(ServiceRegistrations.PATIENCE)) {
      var registering =
          new FutureTask<>(
              () -> {
                registrations.require(place);
                return true;
              });
      new Thread(registering).start();
      await().until(() -> !asked.isEmpty());
      await()
          .during(Duration.ofSeconds(6))
          .atMost(Duration.ofSeconds(20))
          .until(() -> asked.size() == 1 && !registering.isDone());
      asked.get(0).onSuccess(ByteBuffer.allocate(0));
      assertThat(registering.get(60, TimeUnit.SECONDS)).isTrue();
      registrations.require(place);
      assertThat(asked).hasSize(1);
    }
  }

  /** Its task has another node to go to. */
  @Test
  void aServiceThatHangsIsNotWaitedForAgainAndAgain() {
    try (var registrations = registrations(Duration.ofSeconds(1))) {
      assertThatThrownBy(() -> registrations.require(place))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not to be registered with");
      await().untilAsserted(() -> assertThat(asked).hasSize(1));
    }
  }
}
