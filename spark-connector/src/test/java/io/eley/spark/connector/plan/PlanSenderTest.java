package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.Secret;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A coordinator that does not answer, while tasks and stages end. */
@Timeout(120)
class PlanSenderTest {
  private static final int MANY = 20_000;
  private static final StageId ENDED = new StageId("app-1", 1, 0);
  private static final StageId RUNS = new StageId("app-1", 2, 0);

  @TempDir private Path temp;

  @Test
  void whatEndsMeanwhileHasEndedAfterwards() throws Exception {
    var coordinator = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    try (PlanSender sender = sender(coordinator.getLocalPort())) {
      sender.post(model -> model.addStage(ENDED, splits()));
      sender.post(model -> model.addStage(RUNS, splits()));
      try (coordinator;
          Socket waiting = coordinator.accept()) {
        assertThat(waiting.isConnected()).as("the sender waits for an answer").isTrue();
        for (int i = 0; i < MANY; i++) {
          sender.post(new PlanQueue.TaskEnd(RUNS, i));
        }
        sender.post(model -> model.endStage(ENDED));
      }
      assertThat(everything(sender).stream().filter(PlanSenderTest::ofAStage))
          .containsExactly(
              new TasksEnded(RUNS, IntStream.range(0, MANY).boxed().toList()),
              new PlanStage(RUNS, splits(), true));
    }
  }

  @Test
  void anErrorEndsThePlanAndIsTakenByNobodyElse() throws Exception {
    var uncaught = new AtomicReference<Throwable>();
    var before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> uncaught.set(error));
    try (var refuses = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      PlanSender sender = sender(refuses.getLocalPort());
      sender.post(
          model -> {
            throw new OutOfMemoryError("of a test");
          });
      sender.close();
      assertThat(uncaught).hasValue(null);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  private static boolean ofAStage(PlanMessage message) {
    return message instanceof PlanStage || message instanceof TasksEnded;
  }

  /** What would be reported once all that is queued now is taken. */
  private static List<PlanMessage> everything(PlanSender sender) throws Exception {
    var everything = new CompletableFuture<List<PlanMessage>>();
    await()
        .until(
            () -> {
              sender.post(
                  model -> {
                    everything.complete(model.everything());
                    return List.of();
                  });
              return everything.isDone();
            });
    return everything.get();
  }

  private PlanSender sender(int port) throws Exception {
    Path directory = Files.createDirectory(temp.resolve("deployment"));
    Secret.create(directory.resolve("secret"));
    Files.writeString(directory.resolve("coordinator.address"), "127.0.0.1:" + port);
    var settings =
        Settings.of(
            Map.of("eley.deployment", directory.toString(), "eley.client.connect-timeout", "60s"));
    return PlanSender.start(
        CoordinatorClient.open(ClientOptions.from(settings)), new PlanModel("app-1", "sort"));
  }

  private static List<Split> splits() {
    return List.of(new Split(0, List.of(new FileSlice("/in", new ByteRange(0, 100)))));
  }
}
