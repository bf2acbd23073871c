package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.Forget;
import io.eley.bb.api.wire.MetadataMessage.GetListing;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.Listing;
import io.eley.bb.api.wire.MetadataMessage.StatusesChanged;
import io.eley.bb.api.wire.MetadataMessage.StatusesSeen;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.EndPhase;
import io.eley.bb.api.wire.PhaseMessage.GetReport;
import io.eley.bb.api.wire.PhaseMessage.GetWhy;
import io.eley.bb.api.wire.PhaseMessage.PhaseEnded;
import io.eley.bb.api.wire.PhaseMessage.PhaseHeld;
import io.eley.bb.api.wire.PhaseMessage.Report;
import io.eley.bb.api.wire.PhaseMessage.Why;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CoordinatorClientTest {
  private FakeDeployment deployment;
  private CoordinatorClient client;

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    deployment = new FakeDeployment(temp);
    client = deployment.coordinatorClient();
  }

  @AfterEach
  void stop() throws Exception {
    deployment.close();
  }

  @Test
  void itConnectsWhenItIsFirstAskedAndThenStaysConnected() throws Exception {
    assertThat(client.connected()).isFalse();
    assertThat(client.generation()).isZero();
    assertThat(deployment.coordinator().connections()).isZero();
    assertThat(client.view().originAddress()).isEqualTo(deployment.origin.toString());
    assertThat(client.view().view().epoch()).isEqualTo(1);
    assertThat(client.connected()).isTrue();
    assertThat(client.generation()).isEqualTo(1);
    assertThat(deployment.coordinator().connections()).isEqualTo(1);
    assertThat(deployment.asked(GetView.class)).isEqualTo(2);
  }

  @Test
  void oneThatIsAwayIsLeftAloneForAWhileAndAnswersEverybodyWhenItIsBack() throws Exception {
    client.view();
    deployment.stopCoordinator();
    failsWith(ErrorCode.UNAVAILABLE, client::view);
    await()
        .untilAsserted(
            () ->
                failsWith(ErrorCode.UNAVAILABLE, client::view)
                    .hasMessageContaining("will try again soon"));
    deployment.restart();
    await().ignoreException(EleyException.class).until(() -> client.view().view().epoch() == 1);
    for (int i = 0; i < 20; i++) {
      client.view();
    }
  }

  @Test
  void withoutADeploymentThereIsNobodyToAsk() {
    failsWith(
            ErrorCode.UNAVAILABLE,
            () -> CoordinatorClient.open(ClientOptions.from(Settings.of(Map.of()))))
        .hasMessageContaining("eley.deployment");
  }

  @Test
  void everyQuestionIsTheMessageForIt() throws Exception {
    var report =
        new DeploymentReport(
            BufferMode.FULL_DELAY,
            "/pfs",
            1,
            2,
            "why",
            List.of(),
            new DeploymentReport.Control("op", List.of(), List.of(), List.of()),
            List.of(),
            List.of());
    Map<Class<? extends Message>, Message> answers =
        Map.of(
            BeginPhase.class, new PhaseHeld(3, 2, 77),
            EndPhase.class, new PhaseEnded(true),
            GetReport.class, new Report(report),
            GetWhy.class, new Why(List.of("because")));
    deployment.coordinate(
        (peer, id, request) -> peer.send(id, answers.getOrDefault(request.getClass(), new Ok())));
    assertThat(client.beginPhase("climate", Duration.ofSeconds(5)))
        .isEqualTo(new PhaseHeld(3, 2, 77));
    assertThat(client.endPhase("climate")).isTrue();
    assertThat(client.report()).isEqualTo(report);
    assertThat(client.why("/f@7")).containsExactly("because");
    client.send(new WaveSize("app", 8));
    client.forget("/d");
    assertThat(deployment.coordinator().requests())
        .containsExactly(
            new BeginPhase("climate", Duration.ofSeconds(5)),
            new EndPhase("climate"),
            new GetReport(),
            new GetWhy("/f@7"),
            new WaveSize("app", 8),
            new Forget("/d"));
  }

  @Test
  void attributesAreAskedForWithTheirPurpose() throws Exception {
    Files.writeString(deployment.origin.resolve("f"), "12345");
    assertThat(client.stat("/f", true).length()).isEqualTo(5);
    assertThat(client.stat("/f", false).length()).isEqualTo(5);
    assertThat(deployment.coordinator().requests())
        .containsExactly(new GetStatus("/f", true), new GetStatus("/f", false));
    failsWith(ErrorCode.NOT_FOUND, () -> client.stat("/none", true));
  }

  @Test
  void aStatusThatIsLentIsAskedForOnceAndAnOpeningAsksAlways() throws Exception {
    deployment.lendStatuses(Duration.ofSeconds(60));
    Files.writeString(deployment.origin.resolve("f"), "12345");
    for (int i = 0; i < 3; i++) {
      assertThat(client.stat("/f", false).length()).isEqualTo(5);
    }
    assertThat(deployment.coordinator().requests()).containsExactly(new GetStatus("/f", false));
    Files.writeString(deployment.origin.resolve("f"), "123456");
    for (int i = 2; i < 5; i++) {
      assertThat(client.stat("/f", true).length()).isEqualTo(6);
      assertThat(client.stat("/f", false).length()).isEqualTo(6);
      assertThat(deployment.asked(GetStatus.class)).isEqualTo(i);
    }
  }

  @Test
  void whatIsNotThereAndWhatIsListedIsAskedForEachTime() throws Exception {
    deployment.lendStatuses(Duration.ofSeconds(60));
    failsWith(ErrorCode.NOT_FOUND, () -> client.stat("/f", false));
    failsWith(ErrorCode.NOT_FOUND, () -> client.stat("/f", false));
    assertThat(deployment.asked(GetStatus.class)).isEqualTo(2);
    Files.writeString(deployment.origin.resolve("f"), "12345");
    client.list("/");
    client.list("/");
    assertThat(deployment.asked(GetListing.class)).isEqualTo(2);
    assertThat(client.stat("/f", false).length()).isEqualTo(5);
    assertThat(deployment.asked(GetStatus.class)).isEqualTo(3);
  }

  @Test
  void aChangeOfAnotherTakesEverythingBackAndIsConfirmed() throws Exception {
    deployment.lendStatuses(Duration.ofSeconds(60));
    var connected = new CompletableFuture<ScriptedServer.Peer>();
    deployment.coordinate(
        (peer, id, request) -> {
          connected.complete(peer);
          deployment.answer(peer, id, request);
        });
    Files.writeString(deployment.origin.resolve("f"), "12345");
    client.stat("/f", false);
    Files.writeString(deployment.origin.resolve("f"), "123456");
    connected.join().send(FrameHeader.PUSH, new StatusesChanged(7));
    await().until(() -> deployment.asked(StatusesSeen.class) == 1);
    assertThat(client.stat("/f", false).length()).isEqualTo(6);
    assertThat(deployment.coordinator().requests())
        .containsExactly(
            new GetStatus("/f", false), new StatusesSeen(7), new GetStatus("/f", false));
  }

  @Test
  void anAnswerThatAChangeHasOvertakenIsGivenButNotKept() throws Exception {
    deployment.lendStatuses(Duration.ofSeconds(60));
    Files.writeString(deployment.origin.resolve("f"), "12345");
    deployment.coordinate(
        (peer, id, request) -> {
          if (deployment.asked(StatusesSeen.class) == 0 && request instanceof GetStatus) {
            peer.send(FrameHeader.PUSH, new StatusesChanged(1));
          }
          deployment.answer(peer, id, request);
        });
    assertThat(client.stat("/f", false).length()).isEqualTo(5);
    await().until(() -> deployment.asked(StatusesSeen.class) == 1);
    Files.writeString(deployment.origin.resolve("f"), "123456");
    assertThat(client.stat("/f", false).length()).isEqualTo(6);
    assertThat(client.stat("/f", false).length()).isEqualTo(6);
    assertThat(deployment.asked(GetStatus.class)).isEqualTo(2);
  }

  /** The answer to what is asked while the change is being told of may be from before it. */
  @Test
  void anOwnChangeTakesEverythingBackBeforeItIsToldAndAfterIt() throws Exception {
    deployment.lendStatuses(Duration.ofSeconds(60));
    Files.writeString(deployment.origin.resolve("f"), "12345");
    client.stat("/f", false);
    var other = new CompletableFuture<OriginStatus>();
    deployment.coordinate(
        (peer, id, request) -> {
          if (request instanceof Forget) {
            new Thread(() -> other.complete(statusOf("/f"))).start();
            deployment.coordinate(
                (same, question, asked) -> {
                  deployment.answer(same, question, asked);
                  Files.writeString(deployment.origin.resolve("f"), "123456");
                  deployment.coordinate(deployment::answer);
                  await().until(other::isDone);
                  deployment.answer(peer, id, request);
                });
          } else {
            deployment.answer(peer, id, request);
          }
        });
    client.forget("/f");
    assertThat(other.join().length()).as("not from what was kept, but asked").isEqualTo(5);
    assertThat(client.stat("/f", false).length()).isEqualTo(6);
    assertThat(deployment.asked(GetStatus.class)).isEqualTo(3);
  }

  /** A coordinator that stands still for a moment lives on with all that it has cached. */
  @Test
  void whatCouldNotBeToldIsToldBeforeTheNextQuestion() throws Exception {
    Files.writeString(deployment.origin.resolve("f"), "12345");
    var options = deployment.options(FakeDeployment.usualPatience(Map.of()));
    try (var hasty = CoordinatorClient.open(options)) {
      hasty.view();
      deployment.coordinator().setDeaf(true);
      deployment.coordinate((peer, id, request) -> {});
      failsWith(ErrorCode.DEADLINE, () -> hasty.stat("/f", false));
      assertThatThrownBy(() -> hasty.forget("/f")).isInstanceOf(EleyException.class);
      deployment.coordinator().setDeaf(false);
      deployment.coordinate(deployment::answer);
      await()
          .ignoreExceptionsInstanceOf(EleyException.class)
          .until(() -> hasty.stat("/f", false).length() == 5);
    }
    assertThat(deployment.coordinator().requests())
        .containsSubsequence(
            new GetStatus("/f", false), new Forget("/f"), new GetStatus("/f", false));
  }

  @Test
  void whatWasNotAnsweredIsToldOverTheNextConnectionAndThenNoMore() throws Exception {
    deployment.coordinate((peer, id, request) -> peer.hangUp());
    failsWith(ErrorCode.UNAVAILABLE, () -> client.forget("/f"));
    assertThat(deployment.asked(Forget.class)).isEqualTo(2);
    deployment.coordinate(
        (peer, id, request) -> {
          deployment.coordinate(deployment::answer);
          peer.hangUp();
        });
    client.view();
    assertThat(deployment.coordinator().requests())
        .endsWith(new Forget("/f"), new Forget("/f"), new GetView());
    client.view();
    assertThat(deployment.asked(Forget.class)).isEqualTo(4);
  }

  @Test
  void ofManyThatCouldNotBeToldAllIsOneChange() throws Exception {
    deployment.coordinate((peer, id, request) -> peer.hangUp());
    for (int i = 0; i <= UntoldChanges.MOST; i++) {
      String path = "/" + i;
      failsWith(ErrorCode.UNAVAILABLE, () -> client.forget(path));
    }
    deployment.coordinate(deployment::answer);
    client.view();
    assertThat(deployment.coordinator().requests()).endsWith(new Forget("/"), new GetView());
  }

  private OriginStatus statusOf(String path) {
    try {
      return client.stat(path, false);
    } catch (EleyException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatWasLentOverAConnectionIsGoneWithIt() throws Exception {
    deployment.lendStatuses(Duration.ofSeconds(60));
    Files.writeString(deployment.origin.resolve("f"), "12345");
    client.stat("/f", false);
    client.stat("/f", false);
    assertThat(deployment.asked(GetStatus.class)).isEqualTo(1);
    Files.writeString(deployment.origin.resolve("f"), "123456");
    deployment.restart();
    await().until(() -> !client.connected());
    await()
        .ignoreExceptionsInstanceOf(EleyException.class)
        .untilAsserted(() -> assertThat(client.stat("/f", false).length()).isEqualTo(6));
    assertThat(client.generation()).isEqualTo(2);
  }

  @Test
  void aListingComesPageByPageEachAfterTheLastNameOfTheOneBefore() throws Exception {
    deployment.coordinate(
        (peer, id, request) ->
            peer.send(
                id,
                switch (((GetListing) request).after()) {
                  case "" -> new Listing(List.of(child("a"), child("b")), true);
                  case "b" -> new Listing(List.of(child("c")), true);
                  default -> new Listing(List.of(child("d")), false);
                }));
    assertThat(client.list("/dir"))
        .extracting(OriginStatus::path)
        .containsExactly("/dir/a", "/dir/b", "/dir/c", "/dir/d");
    assertThat(deployment.coordinator().requests())
        .containsExactly(
            new GetListing("/dir", ""), new GetListing("/dir", "b"), new GetListing("/dir", "c"));
  }

  @Test
  void anEmptyPageEndsAListingWhateverItSays() throws Exception {
    deployment.coordinate((peer, id, request) -> peer.send(id, new Listing(List.of(), true)));
    assertThat(client.list("/dir")).isEmpty();
    assertThat(deployment.asked(GetListing.class)).isEqualTo(1);
  }

  @Test
  void anAnswerOfAnotherKindIsMalformedAndNamesBoth() {
    deployment.coordinate((peer, id, request) -> peer.send(id, new Ok()));
    failsWith(ErrorCode.MALFORMED, client::view).hasMessage("unexpected answer OK to GET_VIEW");
  }

  @Test
  void aConnectionThatDiesUnderAQuestionIsReplacedAndTheQuestionAskedOnceMore() throws Exception {
    var questions = new AtomicInteger();
    deployment.coordinate(
        (peer, id, request) -> {
          if (questions.incrementAndGet() == 1) {
            peer.hangUp();
          } else {
            deployment.answer(peer, id, request);
          }
        });
    assertThat(client.view().view().epoch()).isEqualTo(1);
    assertThat(questions).hasValue(2);
    assertThat(client.generation()).isEqualTo(2);
  }

  @Test
  void aCoordinatorThatDiesUnderEveryQuestionIsNotAskedForEver() {
    deployment.coordinate((peer, id, request) -> peer.hangUp());
    failsWith(ErrorCode.UNAVAILABLE, client::view);
    assertThat(deployment.asked(GetView.class)).isEqualTo(2);
  }

  @Test
  void anAnswerThatSaysNoIsNotAskedForAgain() {
    deployment.coordinate(
        (peer, id, request) -> peer.send(id, new Failure(ErrorCode.UNAVAILABLE, "starting")));
    failsWith(ErrorCode.UNAVAILABLE, client::view).hasMessage("starting");
    assertThat(deployment.asked(GetView.class)).isEqualTo(1);
    assertThat(client.generation()).isEqualTo(1);
  }

  @Test
  void aCoordinatorThatIsSilentCostsTheDeadlineOnce() throws Exception {
    deployment.coordinate((peer, id, request) -> {});
    var options = deployment.options(Map.of("eley.client.request-deadline", "100ms"));
    try (var hasty = CoordinatorClient.open(options)) {
      failsWith(ErrorCode.DEADLINE, hasty::view).hasMessageContaining("GET_VIEW");
      await().until(() -> deployment.asked(GetView.class) >= 1); // It may be behind.
      assertThat(deployment.asked(GetView.class)).isEqualTo(1);
    }
  }

  @Test
  void aCoordinatorThatWasStartedAgainElsewhereIsFound() throws Exception {
    client.view();
    deployment.view(BufferMode.ADAPTIVE);
    deployment.restart();
    await().until(() -> !client.connected());
    await().ignoreExceptionsInstanceOf(EleyException.class).until(() -> client.view() != null);
    assertThat(client.view().view().mode()).isEqualTo(BufferMode.ADAPTIVE);
    assertThat(client.generation()).isEqualTo(2);
  }

  @Test
  void whileItIsAwayOneTryIsMadeAndTheOthersFailAtOnce() throws Exception {
    Files.delete(deployment.directory.resolve("coordinator.address"));
    failsWith(ErrorCode.UNAVAILABLE, client::view).hasMessageContaining("no coordinator runs");
    // The time of the next try may have come meanwhile; then that is the one.
    await()
        .untilAsserted(
            () ->
                failsWith(ErrorCode.UNAVAILABLE, client::view)
                    .hasMessageContaining("will try again soon"));
    assertThat(client.generation()).isZero();
  }

  @Test
  void whoIsInterruptedWhileItConnectsKeepsNobodyFromAsking() throws Exception {
    Path address = deployment.directory.resolve("coordinator.address");
    String there = Files.readString(address);
    try (var mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.writeString(address, "127.0.0.1:" + mute.getLocalPort());
      var error = new CompletableFuture<Throwable>();
      var task =
          new Thread(
              () -> {
                try {
                  client.view();
                } catch (Exception e) {
                  error.complete(e);
                }
              });
      task.start();
      try (var accepted = mute.accept()) {
        assertThat(accepted.getInputStream().read()).as("of its greeting").isNotNegative();
        task.interrupt();
        assertThat(error.get(30, TimeUnit.SECONDS))
            .isInstanceOfSatisfying(
                EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
      }
    }
    Files.writeString(address, there);
    assertThat(client.view().view().epoch()).isEqualTo(1);
  }

  @Test
  void aClientThatIsClosedAsksNothing() throws Exception {
    client.view();
    client.close();
    assertThat(client.connected()).isFalse();
    failsWith(ErrorCode.UNAVAILABLE, client::view).hasMessageContaining("closed");
    assertThat(deployment.coordinator().connections()).isEqualTo(1);
  }

  private static OriginStatus child(String name) {
    return new OriginStatus("/dir/" + name, false, 1, 1, 0644, "", "");
  }
}
