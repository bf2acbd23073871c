package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.StageEnded;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
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
      var splits = IntStream.rangeClosed(0, MANY).mapToObj(PlanSenderTest::split).toList();
      sender.post(model -> model.addStage(RUNS, splits));
      try (coordinator;
          Socket waiting = coordinator.accept()) {
        assertThat(waiting.isConnected()).as("the sender waits for an answer").isTrue();
        for (int i = 0; i < MANY; i++) {
          sender.post(new PlanQueue.TaskEnd(RUNS, i));
        }
        sender.post(model -> model.endStage(ENDED));
      }
      assertThat(everything(sender).stream().filter(PlanSenderTest::ofAStage))
          .containsExactly(new PlanStage(RUNS, splits.subList(MANY, MANY + 1), true));
    }
  }

  @Test
  void whereThereIsNoRoomForThePlanThatIsAnAnswer() throws Exception {
    try (var coordinator = new FakeCoordinator(temp.resolve("full"), PlanSenderTest::withoutRoom);
        PlanSender sender = sender(coordinator.directory(), Duration.ofHours(1))) {
      sender.post(model -> model.addStage(RUNS, splits()));
      for (int i = 1; i <= 20; i++) {
        int tasks = i;
        sender.post(model -> model.setWaveSize(tasks));
        await().until(() -> coordinator.requests().contains(new WaveSize("app-1", tasks)));
      }
      assertThat(coordinator.requests()).filteredOn(StartApplication.class::isInstance).hasSize(1);
      assertThat(coordinator.requests()).noneMatch(PlanStage.class::isInstance);
    }
  }

  @Test
  void thePlanIsToldWhenThereIsRoomForIt() throws Exception {
    var starts = new AtomicInteger();
    try (var coordinator =
            new FakeCoordinator(
                temp.resolve("full"),
                message ->
                    message instanceof StartApplication && starts.incrementAndGet() > 1
                        ? Optional.of(new Ok())
                        : withoutRoom(message));
        PlanSender sender = sender(coordinator.directory(), Duration.ZERO)) {
      sender.post(model -> model.addStage(RUNS, splits()));
      await().until(() -> coordinator.requests().contains(new PlanStage(RUNS, splits(), true)));
    }
  }

  /** As of a coordinator whose host has lost its power, and is there again. */
  @Test
  void aDriverWithNothingToSayComesBackToACoordinatorThatWasGone() throws Exception {
    var unheard = new AtomicInteger();
    try (var coordinator = new FakeCoordinator(temp.resolve("gone"), deaf(unheard));
        PlanSender sender = sender(coordinator.directory())) {
      PlanStage plan = report(coordinator, sender);
      // A question, and the one whether it lives; both again, and the connection has ended.
      unheard.set(4);
      await()
          .untilAsserted(
              () -> {
                assertThat(coordinator.requests())
                    .filteredOn(StartApplication.class::isInstance)
                    .hasSize(2);
                assertThat(coordinator.requests()).filteredOn(plan::equals).hasSize(2);
              });
    }
  }

  /** As in a long collection of garbage: what it has been told it knows afterwards. */
  @Test
  void aCoordinatorThatStandsStillForAMomentKeepsItsPlan() throws Exception {
    var unheard = new AtomicInteger();
    try (var coordinator = new FakeCoordinator(temp.resolve("still"), deaf(unheard));
        PlanSender sender = sender(coordinator.directory())) {
      PlanStage plan = report(coordinator, sender);
      unheard.set(2);
      await().until(() -> unheard.get() == 0);
      int before = coordinator.requests().size();
      await().until(() -> coordinator.requests().size() > before + 1); // one was answered
      assertThat(coordinator.requests()).filteredOn(StartApplication.class::isInstance).hasSize(1);
      assertThat(coordinator.requests()).filteredOn(plan::equals).hasSize(1);
    }
  }

  private static PlanStage report(FakeCoordinator coordinator, PlanSender sender) {
    sender.post(model -> model.addStage(RUNS, splits()));
    var plan = new PlanStage(RUNS, splits(), true);
    // Behind something else it has been answered.
    await()
        .until(
            () -> {
              List<Message> requests = coordinator.requests();
              return requests.contains(plan) && requests.indexOf(plan) < requests.size() - 1;
            });
    return plan;
  }

  /** One that does not hear so many messages. */
  private static Function<Message, Optional<Message>> deaf(AtomicInteger unheard) {
    return message ->
        unheard.getAndUpdate(left -> Math.max(0, left - 1)) > 0
            ? Optional.empty()
            : withRoom(message);
  }

  /** One that soon notices when nobody answers. */
  private static PlanSender sender(Path directory) throws Exception {
    var settings =
        Settings.of(
            Map.of(
                "eley.deployment", directory.toString(),
                "eley.client.connect-timeout", "60s",
                "eley.client.silence", "150ms"));
    return PlanSender.start(
        CoordinatorClient.open(ClientOptions.from(settings)),
        new PlanModel("app-1", "sort"),
        Duration.ofHours(1),
        Duration.ofMillis(100));
  }

  /** The scheduler knows that a stage is over before its last tasks' ends have come by the bus. */
  @Test
  void aStageThatIsSeenToBeOverEndsBehindItsTasks() throws Exception {
    try (var coordinator = new FakeCoordinator(temp.resolve("all"), PlanSenderTest::withRoom);
        PlanSender sender = sender(coordinator.directory(), Duration.ofHours(1))) {
      var over = new AtomicBoolean();
      sender.post(model -> model.addStage(ENDED, splits()));
      sender.post(
          model -> {
            model.endWhen(ENDED, over::get);
            return List.of();
          });
      await().until(() -> coordinator.requests().contains(new PlanStage(ENDED, splits(), true)));
      long later = System.nanoTime() + Duration.ofSeconds(2).toNanos();
      sender.post(
          model -> {
            over.set(true);
            // The sender is with this next, as with a coordinator that is slow, while the rest
            // comes.
            sender.post(
                busy -> {
                  await().until(() -> System.nanoTime() - later > 0);
                  sender.post(new PlanQueue.TaskEnd(ENDED, 0));
                  return List.of();
                });
            return List.of();
          });
      await().until(() -> coordinator.requests().contains(new StageEnded(ENDED)));
      assertThat(coordinator.requests())
          .filteredOn(m -> m instanceof TasksEnded || m instanceof StageEnded)
          .containsExactly(new TasksEnded(ENDED, List.of(0)), new StageEnded(ENDED));
    }
  }

  static Optional<Message> withoutRoom(Message message) {
    return message instanceof StartApplication
        ? Optional.of(new Failure(ErrorCode.NO_SPACE, "no room"))
        : withRoom(message);
  }

  static Optional<Message> withRoom(Message message) {
    return withRoom(message, BufferMode.FULL_DELAY);
  }

  static Optional<Message> withRoom(Message message, BufferMode mode) {
    if (message instanceof GetView) {
      var geometry = new BlockGeometry(1 << 20, 1 << 20);
      return Optional.of(new View(new ClusterView(1, geometry, mode, List.of()), "/origin"));
    }
    return Optional.of(new Ok());
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
    return sender(directory, Duration.ofSeconds(10));
  }

  static PlanSender sender(Path directory, Duration roomRetry) throws Exception {
    var settings =
        Settings.of(
            Map.of("eley.deployment", directory.toString(), "eley.client.connect-timeout", "60s"));
    return PlanSender.start(
        CoordinatorClient.open(ClientOptions.from(settings)),
        new PlanModel("app-1", "sort"),
        roomRetry,
        Duration.ofHours(1));
  }

  private static List<Split> splits() {
    return List.of(split(0));
  }

  private static Split split(int partition) {
    return new Split(partition, List.of(new FileSlice("/in", new ByteRange(0, 100))));
  }
}
