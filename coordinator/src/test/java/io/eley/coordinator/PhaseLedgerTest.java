package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.wire.FallbackMessage.AskFallback;
import io.eley.bb.api.wire.FallbackMessage.FallbackLane;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.EndPhase;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.prefetcher.control.PhaseEntry;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every phase is accounted for, and the account outlives the coordinator. */
@Timeout(60)
class PhaseLedgerTest {
  private static final Duration LEASE = Duration.ofMinutes(1);

  @TempDir Path temporary;

  @Test
  void anAnnouncedPhaseStandsInTheLedgerWithItsHold() throws Exception {
    try (var deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY)) {
      var node = deployment.node("a", 7001);
      node.register();
      var connection = deployment.connect();
      TestDeployment.ask(connection, new BeginPhase("climate", LEASE));
      TestDeployment.ask(connection, new EndPhase("climate"));
      node.tells();

      PhaseEntry entry = entries(deployment, 1).get(0);
      assertThat(entry.application()).isEqualTo("climate");
      assertThat(entry.source()).isEqualTo("announced");
      assertThat(entry.ending()).isEqualTo("ANNOUNCED");
      assertThat(entry.decision()).isEqualTo("full delay for climate");
      assertThat(entry.hold().complete()).isTrue();
      assertThat(entry.hold().latency()).isPresent();
      assertThat(entry.length()).isPositive().isLessThan(Duration.ofSeconds(30));
      assertThat(entry.alone()).isEmpty();
    }
  }

  @Test
  void whatClientsReadPastTheBufferStandsInTheLedgerAndInTheStatus() throws Exception {
    try (var deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY)) {
      var connection = deployment.connect();
      assertThat(TestDeployment.ask(connection, past("c", ReadCause.FALLBACK, 1000)))
          .isInstanceOfSatisfying(
              FallbackLane.class, lane -> assertThat(lane.bytesPerSecond()).isPositive());
      TestDeployment.ask(connection, new BeginPhase("climate", LEASE));
      TestDeployment.ask(connection, past("c", ReadCause.FALLBACK, 1000));
      TestDeployment.ask(connection, past("d", ReadCause.DIRECT, 0));
      assertThat(TestDeployment.ask(connection, past("c", ReadCause.FALLBACK, 1500)))
          .isInstanceOfSatisfying(
              FallbackLane.class, lane -> assertThat(lane.bytesPerSecond()).isZero());
      await()
          .untilAsserted(
              () -> {
                // only who has asked within two seconds counts as a client
                TestDeployment.ask(connection, past("c", ReadCause.FALLBACK, 1500));
                TestDeployment.ask(connection, past("d", ReadCause.DIRECT, 7));
                TestDeployment.ask(connection, past("d", ReadCause.WRITE, 9));
                assertThat(pastTheBuffer(deployment))
                    .startsWith(
                        "past the buffer: 1507 bytes read, 7 of them on purpose, 9 written,"
                            + " by 2 clients");
              });
      TestDeployment.ask(connection, new EndPhase("climate"));
      assertThat(entries(deployment, 1).get(0).ourBytes())
          .isEqualTo(Map.of(ReadCause.FALLBACK, 500L, ReadCause.DIRECT, 7L, ReadCause.WRITE, 9L));
      var totals = deployment.report().totals();
      assertThat(totals.pastBytes()).as("read").isEqualTo(1507);
      assertThat(totals.writtenBytes()).isEqualTo(9);
    }
  }

  @Test
  void aRestartedCoordinatorDoesNotCountAnewWhatClientsHaveReported() throws Exception {
    String counted = "";
    // Who has not read the answer yet when the coordinator goes reports again, as he must.
    for (int attempt = 1; attempt <= 3 && !counted.equals("4096"); attempt++) {
      counted = countedByASecondCoordinator(temporary.resolve("attempt-" + attempt));
    }
    assertThat(counted).isEqualTo("4096");
  }

  /** Bytes that a client reads after as many that the first one has counted. */
  private static String countedByASecondCoordinator(Path directory) throws Exception {
    try (var deployment = new TestDeployment(directory, BufferMode.FULL_DELAY);
        var client = deployment.client()) {
      Files.write(deployment.origin.resolve("f"), new byte[4096]);
      readPastTheBuffer(client);
      await().until(() -> pastTheBuffer(deployment).startsWith("past the buffer: 4096 bytes"));
      deployment.stop();
      deployment.start();
      readPastTheBuffer(client);
      await().until(() -> pastTheBuffer(deployment).startsWith("past the buffer: "));
      return pastTheBuffer(deployment).split(" ", -1)[3];
    }
  }

  private static void readPastTheBuffer(EleyClient client) throws Exception {
    try (var file = client.openFile("/f")) {
      file.readFully(0, ByteBuffer.allocate(4096)); // there are no nodes
    }
  }

  private static String pastTheBuffer(TestDeployment deployment) throws Exception {
    return deployment.report().control().models().stream()
        .filter(line -> line.startsWith("past the buffer"))
        .findFirst()
        .orElse("");
  }

  @Test
  void whatWasLearnedOfPhasesAloneOutlivesTheCoordinator() throws Exception {
    try (var deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY)) {
      phases(deployment, "a", 3);
      assertThat(entries(deployment, 3))
          .extracting(PhaseEntry::alone)
          .containsOnly(Optional.empty());
      deployment.stop();
      deployment.start();
      phases(deployment, "b", 1);
      var fourth = entries(deployment, 4).get(3);
      assertThat(fourth.alone()).isPresent();
      assertThat(fourth.slowdown()).isPresent();
      Path file = new DeploymentFiles(deployment.directory).ledger();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void aPhaseThatNobodyHeldTeachesNothing() throws Exception {
    try (var deployment = new TestDeployment(temporary, BufferMode.NO_ACTION)) {
      phases(deployment, "a", 4);
      var entries = entries(deployment, 4);
      assertThat(entries).allMatch(e -> e.hold().confirmed() == 0 && e.alone().isEmpty());
      assertThat(entries).extracting(PhaseEntry::decision).containsOnly("no action on phases");
    }
  }

  @Test
  void aPhaseInWhichTasksPassedTeachesNothingAboutBeingAlone() throws Exception {
    try (var deployment =
        new TestDeployment(temporary, BufferMode.FULL_DELAY, "eley.hold.demand", "pass")) {
      phases(deployment, "a", 4);
      var entries = entries(deployment, 4);
      assertThat(entries).allMatch(e -> e.hold().tasksPassed() && e.alone().isEmpty());
      assertThat(entries)
          .extracting(PhaseEntry::decision)
          .containsOnly("full delay for climate; waiting tasks pass");
    }
  }

  @Test
  void aNodeThatSaysNothingMoreDoesNotKeepTheEntryForEver() throws Exception {
    try (var deployment =
        new TestDeployment(temporary, BufferMode.FULL_DELAY, "eley.hold.confirmation", "200ms")) {
      var node = deployment.node("a", 7001);
      node.register();
      node.confirms = false;
      var connection = deployment.connect();
      TestDeployment.ask(connection, new BeginPhase("climate", LEASE));
      TestDeployment.ask(connection, new EndPhase("climate"));
      var entry = entries(deployment, 1).get(0);
      assertThat(entry.hold().confirmed()).isZero();
      assertThat(entry.hold().latency()).isEmpty();
    }
  }

  private static void phases(TestDeployment deployment, String name, int count) throws Exception {
    var node = deployment.node(name, 7001);
    node.register();
    Connection connection = deployment.connect();
    for (int i = 0; i < count; i++) {
      TestDeployment.ask(connection, new BeginPhase("climate", LEASE));
      TestDeployment.ask(connection, new EndPhase("climate"));
      node.tells();
    }
  }

  private static List<PhaseEntry> entries(TestDeployment deployment, int count) throws Exception {
    var file = new LedgerFile(deployment.directory);
    await().until(() -> file.read().size() == count);
    return file.read();
  }

  private static AskFallback past(String client, ReadCause cause, long bytes) {
    return new AskFallback(client, cause, bytes, 0, System.nanoTime(), 0);
  }
}
