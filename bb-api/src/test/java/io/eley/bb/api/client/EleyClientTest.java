package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static io.eley.bb.api.client.FakeDeployment.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.FallbackMessage.AskFallback;
import io.eley.bb.api.wire.MetadataMessage.Forget;
import io.eley.bb.api.wire.MetadataMessage.GetListing;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class EleyClientTest {
  private FakeDeployment deployment;

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    deployment = new FakeDeployment(temp);
    Files.writeString(deployment.origin.resolve("f"), "0123456789");
  }

  @AfterEach
  void stop() throws Exception {
    deployment.close();
  }

  @Test
  void withNeitherADeploymentNorAnOriginItSaysWhatToSet() {
    failsWith(
            ErrorCode.UNAVAILABLE, () -> EleyClient.open(ClientOptions.from(Settings.of(Map.of()))))
        .hasMessageContaining("eley.deployment")
        .hasMessageContaining("eley.client.origin");
  }

  /** A range that was queued asks for one then, and nobody would end its connections. */
  @Test
  void whatIsClosedConnectsToNobodyAnyMore() throws Exception {
    try (var node = deployment.node((peer, id, request) -> {})) {
      EleyClient client = deployment.client(Map.of());
      NodePool before = client.pool(at("a", node));
      client.close();
      failsWith(ErrorCode.UNAVAILABLE, () -> client.pool(at("a", node)))
          .hasMessageContaining("closed");
      failsWith(ErrorCode.UNAVAILABLE, () -> before.connection(client.patience()));
      assertThat(node.connections()).isZero();
    }
  }

  @Test
  void withAnOriginAloneEverythingIsReadFromThere() throws Exception {
    try (var client = originAlone()) {
      assertThat(client.stat("/f").length()).isEqualTo(10);
      assertThat(client.list("/")).extracting(OriginStatus::path).containsExactly("/f");
      assertThat(read(client, "/f")).isEqualTo("0123456789");
      assertThat(client.counters().bytes(Source.DIRECT)).isEqualTo(10);
      assertThat(client.counters().fallbacks()).isZero();
      assertThat(client.view()).isEmpty();
      assertThat(client.coordinator()).isEmpty();
      assertThat(client.originAddress()).isEqualTo(deployment.origin.toString());
      client.forget("/f");
      assertThat(client.counters().retries()).isZero();
      failsWith(
          ErrorCode.UNAUTHENTICATED,
          () -> client.pool(new NodeAddress(new NodeId("n"), "h", 1, "")));
    }
    assertThat(deployment.coordinator().connections()).isZero();
  }

  @Test
  void aSecretThatCannotBeReadMattersOnlyWithoutAnOriginAndUntilItCan() throws Exception {
    Path secret = deployment.directory.resolve("secret");
    Path away = deployment.directory.resolve("away");
    Files.move(secret, away);
    failsWith(ErrorCode.UNAUTHENTICATED, () -> deployment.client(Map.of()));
    var client = deployment.client(Map.of("eley.client.origin", deployment.origin.toString()));
    assertThat(read(client, "/f")).isEqualTo("0123456789");
    assertThat(client.view()).isEmpty();
    try (var node = deployment.node((peer, id, request) -> {})) {
      failsWith(ErrorCode.UNAUTHENTICATED, () -> client.pool(at("a", node)));
      Files.move(away, secret);
      await().until(() -> client.view().isPresent());
      assertThat(client.pool(at("a", node)).connection(client.patience()).isOpen()).isTrue();
    }
    assertThat(read(client, "/f")).isEqualTo("0123456789");
    await().until(() -> deployment.asked(AskFallback.class) > 0);
  }

  @Test
  void aDeploymentThatIsMadeAnewInItsDirectoryIsReadThroughWithItsOwnSecret() throws Exception {
    var client = deployment.client(Map.of());
    try (var before = deployment.node((peer, id, request) -> {})) {
      assertThat(client.pool(at("a", before)).connection(client.patience()).isOpen()).isTrue();
    }
    deployment.renew();
    try (var node = deployment.node((peer, id, request) -> {})) {
      await()
          .ignoreException(EleyException.class)
          .until(() -> client.pool(at("a", node)).connection(client.patience()).isOpen());
    }
  }

  @Test
  void nothingConnectsBeforeItIsNeededAndTheViewIsAskedForOnce() throws Exception {
    var client = deployment.client(Map.of());
    assertThat(deployment.coordinator().connections()).isZero();
    assertThat(client.view().orElseThrow().view().epoch()).isEqualTo(1);
    assertThat(client.view()).isPresent();
    assertThat(deployment.asked(GetView.class)).isEqualTo(1);
    deployment.view(BufferMode.FULL_DELAY);
    assertThat(client.refreshView(client.patience()).orElseThrow().view().epoch()).isEqualTo(2);
    assertThat(client.view().orElseThrow().view().epoch()).isEqualTo(2);
    assertThat(deployment.asked(GetView.class)).isEqualTo(2);
  }

  @Test
  void theLastViewIsKeptWhileNobodyAnswers() throws Exception {
    var client = deployment.client(Map.of());
    var view = client.view();
    deployment.coordinate(
        (peer, id, request) -> peer.send(id, new Failure(ErrorCode.UNAVAILABLE, "away")));
    assertThat(client.refreshView(client.patience())).isEqualTo(view).isPresent();
    assertThat(client.view()).isEqualTo(view);
  }

  @ParameterizedTest
  @EnumSource(names = {"UNAVAILABLE", "INTERNAL", "DEADLINE", "NO_SPACE", "MALFORMED"})
  void whatTheCoordinatorCannotAnswerTheOriginDoes(ErrorCode code) throws Exception {
    var client = deployment.client(Map.of("eley.client.origin", deployment.origin.toString()));
    deployment.coordinate((peer, id, request) -> peer.send(id, new Failure(code, "no")));
    assertThat(client.stat("/f").length()).isEqualTo(10);
    assertThat(client.list("/")).hasSize(1);
    assertThat(deployment.asked(GetStatus.class)).isEqualTo(1);
    assertThat(deployment.asked(GetListing.class)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"NOT_FOUND", "ACCESS_DENIED", "ORIGIN_FAILED", "OUTSIDE_ORIGIN"})
  void theOriginsOwnErrorsReachTheCaller(ErrorCode code) throws Exception {
    var client = deployment.client(Map.of("eley.client.origin", deployment.origin.toString()));
    deployment.coordinate((peer, id, request) -> peer.send(id, new Failure(code, "no")));
    failsWith(code, () -> client.stat("/f"));
    failsWith(code, () -> client.list("/"));
    failsWith(code, () -> client.openFile("/f"));
  }

  @Test
  void openingAsksTheCoordinatorForAStatusThatWasChecked() throws Exception {
    var client = deployment.client(Map.of());
    client.openFile("/f").close();
    client.stat("/f");
    assertThat(deployment.coordinator().requests())
        .contains(new GetStatus("/f", true), new GetStatus("/f", false));
  }

  @Test
  void withoutABufferOnTheReadPathOpeningAsksTheOriginItself() throws Exception {
    deployment.view(BufferMode.NAIVE_BB);
    var client = deployment.client(Map.of());
    assertThat(read(client, "/f")).isEqualTo("0123456789");
    assertThat(client.counters().bytes(Source.DIRECT)).isEqualTo(10);
    assertThat(deployment.asked(GetStatus.class)).isZero();
    client.stat("/f");
    assertThat(deployment.asked(GetStatus.class)).isEqualTo(1);
  }

  @Test
  void aDirectoryIsNotOpened() throws Exception {
    Files.createDirectory(deployment.origin.resolve("d"));
    var client = deployment.client(Map.of());
    failsWith(ErrorCode.NOT_FOUND, () -> client.openFile("/d"))
        .hasMessageContaining("/d is a directory");
  }

  @ParameterizedTest
  @ValueSource(strings = {"f", "/f/", "/../f", ""})
  void pathsAreNormalised(String path) throws Exception {
    var client = deployment.client(Map.of());
    assertThatThrownBy(() -> client.openFile(path)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> client.stat(path)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> client.list(path)).isInstanceOf(IllegalArgumentException.class);
    assertThat(deployment.coordinator().connections()).isZero();
  }

  @Test
  void forgettingTellsTheCoordinatorAndNeverFails() throws Exception {
    var client = deployment.client(Map.of());
    client.forget("/f");
    assertThat(deployment.asked(Forget.class)).isEqualTo(1);
    assertThat(client.counters().retries()).isZero();
    deployment.coordinate(
        (peer, id, request) -> peer.send(id, new Failure(ErrorCode.INTERNAL, "broken")));
    client.forget("/f");
    assertThat(client.counters().retries()).isEqualTo(1);
  }

  /** As a task is that was killed while it deleted or renamed: the file is gone all the same. */
  @Test
  void forgettingTellsTheCoordinatorOnAnInterruptedThread() throws Exception {
    var client = deployment.client(Map.of());
    Thread.currentThread().interrupt();
    client.forget("/f");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(deployment.asked(Forget.class)).isEqualTo(1);
    assertThat(client.counters().retries()).isZero();
  }

  @Test
  void theOriginIsWhereTheCoordinatorSaysAndElseWhereTheOptionsDo() throws Exception {
    var client = deployment.client(Map.of("eley.client.origin", "/elsewhere"));
    assertThat(client.originAddress()).isEqualTo(deployment.origin.toString());
    assertThat(client.origin()).isSameAs(client.origin());
    deployment.coordinate(
        (peer, id, request) -> peer.send(id, new Failure(ErrorCode.UNAVAILABLE, "away")));
    assertThat(deployment.client(Map.of("eley.client.origin", "/elsewhere")).originAddress())
        .isEqualTo("/elsewhere");
    var unknown = deployment.client(Map.of());
    failsWith(ErrorCode.UNAVAILABLE, unknown::originAddress)
        .hasMessageContaining("eley.client.origin is not set");
  }

  @Test
  void aLinkToTheOriginNamesItAndAnotherDirectoryDoesNot() throws Exception {
    Path link = Files.createSymbolicLink(deployment.directory.resolve("link"), deployment.origin);
    for (String name : new String[] {link.toString(), deployment.origin.toString()}) {
      var client = deployment.client(Map.of("eley.client.origin", name));
      assertThat(client.namedOrigin()).isEqualTo(name);
      assertThat(client.namesOrigin()).isTrue();
      Files.deleteIfExists(link);
      assertThat(client.namesOrigin()).as("looked at once").isTrue();
    }
    Path other = Files.createDirectory(deployment.directory.resolve("other"));
    assertThat(deployment.client(Map.of("eley.client.origin", other.toString())).namesOrigin())
        .isFalse();
    var missing = deployment.client(Map.of("eley.client.origin", link.toString()));
    failsWith(ErrorCode.NOT_FOUND, missing::namesOrigin);
  }

  @Test
  void withoutACoordinatorAJobThatStartsThenReadsTheOriginAndReturnsToTheBuffer() throws Exception {
    Files.writeString(deployment.directory.resolve("origin"), deployment.origin + "\nFULL_DELAY\n");
    deployment.stopCoordinator();
    for (boolean addressIsThere : new boolean[] {true, false}) {
      if (!addressIsThere) {
        Files.delete(deployment.directory.resolve("coordinator.address"));
      }
      var client = deployment.client(Map.of());
      assertThat(client.originAddress()).isEqualTo(deployment.origin.toString());
      assertThat(client.list("/")).extracting(OriginStatus::path).containsExactly("/f");
      for (int i = 0; i < 8; i++) {
        assertThat(read(client, "/f")).isEqualTo("0123456789");
      }
      assertThat(client.counters().bytes(Source.FALLBACK)).isEqualTo(80);
    }
    var client = deployment.client(Map.of());
    assertThat(read(client, "/f")).isEqualTo("0123456789");
    deployment.restart();
    await().until(() -> client.view().isPresent());
    assertThat(client.stat("/f").length()).isEqualTo(10);
    assertThat(deployment.asked(GetStatus.class)).isEqualTo(1);
  }

  @Test
  void withoutACoordinatorNaiveBbIsStillNaiveBb() throws Exception {
    Files.writeString(deployment.directory.resolve("origin"), deployment.origin + "\nNAIVE_BB\n");
    deployment.stopCoordinator();
    var client = deployment.client(Map.of());
    assertThat(read(client, "/f")).isEqualTo("0123456789");
    assertThat(client.view()).as("nobody answers").isEmpty();
    assertThat(client.counters().bytes(Source.DIRECT)).isEqualTo(10);
    assertThat(client.counters().fallbacks()).isZero();
  }

  @Test
  void aNodeKeepsItsPoolUntilItMovesOrLeaves() throws Exception {
    var node = deployment.node((peer, id, request) -> {});
    var moved = deployment.node((peer, id, request) -> {});
    deployment.view(BufferMode.FULL_DELAY, at("a", node), at("b", moved));
    var client = deployment.client(Map.of());
    client.refreshView(client.patience());
    NodePool first = client.pool(at("a", node));
    assertThat(client.pool(at("a", node))).isSameAs(first);
    Connection connection = first.connection(client.patience());
    NodePool second = client.pool(at("a", moved));
    assertThat(second).isNotSameAs(first);
    await().until(() -> !connection.isOpen());

    deployment.view(BufferMode.FULL_DELAY, at("a", moved));
    Connection ofSecond = second.connection(client.patience());
    NodePool other = client.pool(at("b", moved));
    Connection ofOther = other.connection(client.patience());
    client.refreshView(client.patience());
    await().until(() -> !ofOther.isOpen());
    assertThat(ofSecond.isOpen()).isTrue();
    assertThat(client.pool(at("a", moved))).isSameAs(second);
    assertThat(client.pool(at("b", moved))).isNotSameAs(other);
  }

  @Test
  void closingEndsAllConnections() throws Exception {
    var node = deployment.node((peer, id, request) -> {});
    var client = deployment.client(Map.of());
    client.view();
    Connection connection = client.pool(at("a", node)).connection(client.patience());
    client.close();
    assertThat(connection.isOpen()).isFalse();
    assertThat(client.coordinator().orElseThrow().connected()).isFalse();
    failsWith(ErrorCode.UNAVAILABLE, () -> client.guard().call("read", () -> 1));
    assertThatThrownBy(() -> client.runPart(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
  }

  private EleyClient originAlone() throws Exception {
    return EleyClient.open(
        ClientOptions.from(
            Settings.of(Map.of("eley.client.origin", deployment.origin.toString()))));
  }

  private static String read(EleyClient client, String path) throws Exception {
    try (var file = client.openFile(path)) {
      var target = ByteBuffer.allocate((int) file.status().length());
      file.readFully(0, target);
      return StandardCharsets.UTF_8.decode(target.flip()).toString();
    }
  }
}
