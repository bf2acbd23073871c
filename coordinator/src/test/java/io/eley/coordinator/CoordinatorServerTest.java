package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.OpenLocal;
import io.eley.bb.api.wire.MetadataMessage.Forget;
import io.eley.bb.api.wire.MetadataMessage.GetListing;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.Listing;
import io.eley.bb.api.wire.MetadataMessage.Status;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.EndPhase;
import io.eley.bb.api.wire.PhaseMessage.PhaseEnded;
import io.eley.bb.api.wire.PhaseMessage.PhaseHeld;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoordinatorServerTest {
  @TempDir Path temporary;
  private TestDeployment deployment;

  @BeforeEach
  void start() throws Exception {
    deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY);
  }

  @AfterEach
  void stop() throws Exception {
    deployment.close();
  }

  @Test
  void theDirectoryTellsWhereTheCoordinatorIsWhileItListens() throws Exception {
    var address = deployment.server().address();
    Path file = deployment.directory.resolve("coordinator.address");
    Path secret = deployment.directory.resolve("secret");

    assertThat(Files.readString(file).strip()).isEqualTo("127.0.0.1:" + address.getPort());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(deployment.directory)))
        .isEqualTo("rwx------");
    deployment.stop();
    assertThat(file).doesNotExist();
    assertThat(secret).exists();
  }

  /** Whatever the umask is: a file that a group could write would be refused by its reader. */
  @Test
  void eachFileIsItsOwnersAlone() throws Exception {
    var modes = new TreeMap<String, String>();
    try (var files = Files.list(deployment.directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        modes.put(
            file.getFileName().toString(),
            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      }
    }
    assertThat(modes)
        .containsKeys(
            "coordinator.address", "origin", "epoch", "announce.url", "announce.curl", "live.url")
        .allSatisfy((name, mode) -> assertThat(mode).as(name).isEqualTo("rw-------"));
  }

  @Test
  void byDefaultNothingListensOnAllAddresses() throws Exception {
    deployment.set("eley.coordinator.directory", temporary.resolve("other").toString());
    deployment.set("eley.coordinator.listen-host", "");
    try (var server = CoordinatorServer.start(deployment.options())) {
      String url = Files.readString(temporary.resolve("other/announce.url")).strip();
      assertThat(listening(server.address().getPort())).isNotEmpty().noneMatch(WILDCARD);
      assertThat(listening(java.net.URI.create(url).getPort())).isNotEmpty().noneMatch(WILDCARD);
    }
  }

  private static final Predicate<String> WILDCARD = Pattern.compile("0+").asMatchPredicate();

  /** The addresses of sockets that listen on a port: proc(5), state 0A, in hexadecimal. */
  private static List<String> listening(int port) throws Exception {
    var addresses = new ArrayList<String>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] fields = line.strip().split("\\s+", -1);
        String local = fields[1];
        if (fields[3].equals("0A") && local.endsWith(String.format(Locale.ROOT, ":%04X", port))) {
          addresses.add(local.substring(0, local.indexOf(':')));
        }
      }
    }
    return addresses;
  }

  @Test
  void aSecondCoordinatorOnTheSameDirectoryIsRefusedInOneLine() throws Exception {
    assertThatThrownBy(() -> CoordinatorServer.start(deployment.options()))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("another coordinator")
        .hasMessageNotContaining("\n");

    assertThat(deployment.report().nodes()).as("the first one goes on").isEmpty();
    assertThat(deployment.directory.resolve("coordinator.address")).exists();
  }

  @Test
  void aMissingOriginOrAPortInUseLeavesTheDirectoryFree() throws Exception {
    int port = deployment.server().address().getPort();
    Path other = temporary.resolve("other");
    deployment.set("eley.coordinator.directory", other.toString());
    deployment.set("eley.coordinator.port", Integer.toString(port));
    assertThatThrownBy(() -> CoordinatorServer.start(deployment.options()))
        .hasMessageContaining("cannot listen");

    deployment.set("eley.coordinator.port", "0");
    CoordinatorServer.start(deployment.options()).close();
    deployment.set("eley.coordinator.origin", temporary.resolve("nowhere").toString());
    assertThatThrownBy(() -> CoordinatorServer.start(deployment.options()))
        .hasMessageContaining("nowhere");
    assertThat(other.resolve("coordinator.address")).doesNotExist();
  }

  @Test
  void nodesJoinAndEverybodyHearsOfIt() throws Exception {
    var first = deployment.node("n1", 1001);
    long epoch = first.register().view().epoch();
    var second = deployment.node("n2", 1002);
    View view = second.register();

    assertThat(view.view().nodes()).hasSize(2);
    assertThat(view.view().epoch()).isEqualTo(epoch + 1);
    assertThat(view.view().geometry()).isEqualTo(TestDeployment.geometry());
    assertThat(view.originAddress()).isEqualTo(deployment.origin.toRealPath().toString());
    await().until(() -> first.views.contains(view));
    assertThat(TestDeployment.ask(deployment.connect(), new GetView())).isEqualTo(view);
  }

  @Test
  void aNodeThatComesAgainKeepsTheView() throws Exception {
    var first = deployment.node("n1", 1001);
    View view = first.register();
    var again = deployment.node("n1", 1001);

    assertThat(again.register()).isEqualTo(view);
    await().until(() -> !first.connected());
    again.tells();
    await().until(() -> again.permit != null);
  }

  @Test
  void aSilentNodeLeavesAndMustRegisterAgain() throws Exception {
    deployment.stop();
    deployment.set("eley.heartbeat-timeout", "300ms");
    deployment.start();
    var silent = deployment.node("n1", 1001);
    silent.confirms = false;
    silent.register();

    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> deployment.report().nodes().isEmpty() && !silent.connected());
    var stranger = deployment.node("n1", 1001);
    assertThatThrownBy(stranger::tells)
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_REGISTERED));
    assertThat(stranger.register().view().nodes()).hasSize(1);
  }

  @Test
  void aRestartedCoordinatorGetsItsNodesBackInANewerView() throws Exception {
    long before = deployment.node("n1", 1001).register().view().epoch();
    deployment.stop();
    deployment.start();

    View after = deployment.node("n1", 1001).register();

    assertThat(after.view().epoch()).isGreaterThan(before);
    assertThat(after.view().nodes()).hasSize(1);
  }

  @Test
  void aNodeThatDoesNotConfirmDelaysTheAnswerAndIsNotCounted() throws Exception {
    deployment.stop();
    deployment.set("eley.hold.confirmation", "3s");
    deployment.start();
    var good = deployment.node("n1", 1001);
    var bad = deployment.node("n2", 1002);
    bad.confirms = false;
    good.register();
    bad.register();

    var held =
        (PhaseHeld)
            TestDeployment.ask(deployment.connect(), new BeginPhase("ior", Duration.ofMinutes(1)));

    assertThat(held.nodes()).isEqualTo(2);
    assertThat(held.confirmed()).isEqualTo(1);
    assertThat(held.micros()).isGreaterThanOrEqualTo(3_000_000);
  }

  /**
   * Who ends what another source sees, or has mistyped the name, is to learn that he did nothing.
   */
  @Test
  void anEndIsAnsweredByWhetherAnybodyHadAnnouncedAPhase() throws Exception {
    var announcer = deployment.connect();
    TestDeployment.ask(announcer, new BeginPhase("ior", Duration.ofMinutes(1)));
    assertThat(TestDeployment.ask(announcer, new EndPhase("iro"))).isEqualTo(new PhaseEnded(false));
    assertThat(TestDeployment.ask(announcer, new EndPhase("ior"))).isEqualTo(new PhaseEnded(true));
    assertThat(TestDeployment.ask(announcer, new EndPhase("ior"))).isEqualTo(new PhaseEnded(false));
  }

  @Test
  void aNodeThatJoinsDuringAPhaseIsHeldAndALeaseEndsTheHold() throws Exception {
    var announcer = deployment.connect();
    TestDeployment.ask(announcer, new BeginPhase("ior", Duration.ofSeconds(6)));
    assertThat(deployment.report().openPhases()).containsExactly("ior");
    var node = deployment.node("n1", 1001);
    node.register();
    await().until(() -> node.permit != null);
    assertThat(node.permit.permit().demand().closed()).isTrue();

    await().until(() -> !node.permit.permit().prefetch().closed());
    await().until(() -> deployment.report().permitReason().equals("no phase"));
  }

  @Test
  void permitsAreRenewedWithoutBeingAskedFor() throws Exception {
    var node = deployment.node("n1", 1001);
    node.register();
    await().until(() -> node.permit != null);
    long first = node.permit.permit().sequence();

    await().until(() -> node.permit.permit().sequence() > first);
  }

  @Test
  void metadataComesFromTheOriginAndForgettingIsObeyed() throws Exception {
    var client = deployment.connect();
    deployment.file("a", 1);
    var status = (Status) TestDeployment.ask(client, new GetStatus("/a", false));
    assertThat(status.status().length()).isEqualTo(TestDeployment.BLOCK);
    deployment.file("a", 2);

    var opened = (Status) TestDeployment.ask(client, new GetStatus("/a", true));
    assertThat(opened.status().length()).isEqualTo(2 * TestDeployment.BLOCK);
    var before = (Listing) TestDeployment.ask(client, new GetListing("/", ""));
    deployment.file("b", 1);
    TestDeployment.ask(client, new Forget("/b"));
    var after = (Listing) TestDeployment.ask(client, new GetListing("/", ""));
    assertThat(before.children()).hasSize(1);
    assertThat(after.children()).hasSize(2);
    assertThatThrownBy(() -> TestDeployment.ask(client, new GetStatus("/c", true)))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void aMessageThatIsNotForCoordinatorsIsRefusedAndTheConnectionStays() throws Exception {
    var client = deployment.connect();
    deployment.file("a", 1);
    var block =
        new io.eley.bb.api.BlockId(
            ((Status) TestDeployment.ask(client, new GetStatus("/a", true))).status().version(), 0);

    assertThatThrownBy(() -> TestDeployment.ask(client, new OpenLocal(block, 1 << 20)))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED));
    assertThat(TestDeployment.ask(client, new GetView())).isInstanceOf(View.class);
  }
}
