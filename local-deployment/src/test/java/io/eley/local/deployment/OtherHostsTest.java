package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.edge.ProcessLock;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A home that several hosts, or containers of one, share: what another one has started cannot be
 * seen here, and what it takes to end it there must stay.
 */
@Timeout(60)
class OtherHostsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Whereabouts HERE = Whereabouts.here();
  private static final String BOOT = "00000000-0000-4000-8000-000000000000";

  @TempDir private Path temp;
  private DeploymentFiles files;
  private Process ours;

  @BeforeEach
  void surroundings() throws Exception {
    files = new DeploymentFiles(Files.createDirectory(temp.resolve("deployment")));
    ours = new ProcessBuilder("sleep", "1000").start();
  }

  @AfterEach
  void end() {
    ours.destroyForcibly();
  }

  private PidFile noted(String process, String host, String boot, String processes)
      throws Exception {
    var file = new PidFile(files.pidFile(process));
    var footprint = new Footprint("12345@" + boot, Footprint.digest(List.of("java", process)));
    OwnFiles.replace(file.file(), "99 " + footprint.text() + " " + host + " " + processes);
    return file;
  }

  private PidFile onAnotherHost(String process) throws Exception {
    return noted(process, "c1", BOOT, HERE.processes());
  }

  private void start(Children children) throws EleyException {
    var plan =
        new DeploymentPlan(
            temp.toString(),
            1,
            DataSize.ofMebibytes(16),
            BufferMode.FULL_DELAY,
            BlockGeometry.DEFAULT,
            temp,
            "127.0.0.1",
            0,
            Map.of());
    LocalDeployment.start(files, plan, children, Supervision.endingWithUs(), said -> {});
  }

  @Test
  void stopLeavesWhatItTakesToStopItThereAndSaysWhere() throws Exception {
    var coordinator = onAnotherHost("coordinator");
    var node = onAnotherHost("node-1");
    String disks = "0".repeat(32) + "@c1 /dev/shm/eley-node-1-x\n";
    OwnFiles.replace(files.ramDisks(), disks);
    String before = Files.readString(node.file());
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> LocalDeployment.stop(files, PATIENCE))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
          .hasMessage(
              "the deployment in %1$s was started on c1: `eley stop` it there; if it has ended with"
                  + " its host or job, remove %1$s/*.pid",
              files.directory());
    }
    assertThat(node.file()).hasContent(before);
    assertThat(coordinator.file()).exists();
    assertThat(files.ramDisks()).hasContent(disks);
  }

  @Test
  void whatRunsHereIsEndedBesideIt() throws Exception {
    var node = onAnotherHost("node-1");
    var own = new PidFile(files.pidFile("node-2"));
    own.write(ours.toHandle(), List.of("sleep", "1000"));
    assertThatThrownBy(() -> LocalDeployment.stop(files, PATIENCE))
        .hasMessageContaining(" on c1: ");
    assertThat(PidFile.alive(ours.toHandle())).isFalse();
    assertThat(own.file()).doesNotExist();
    assertThat(node.file()).exists();
  }

  @Test
  void startIsRefusedAndMakesNothing() throws Exception {
    var node = onAnotherHost("node-1");
    var children = new Children(Children.RUNS, Children.RUNS);
    assertThatThrownBy(() -> start(children))
        .hasMessageContaining(" was started on c1: ")
        .hasMessageEndingWith("; or name another --deployment");
    assertThat(children.started).isEmpty();
    assertThat(node.file()).exists();
    assertThat(files.secret()).doesNotExist();
    assertThat(files.logs()).doesNotExist();
  }

  /** Both looked before either had begun. */
  @Test
  void theFileOfOneThatBeganMeanwhileIsNotOverwritten() throws Exception {
    var node = onAnotherHost("node-1");
    String before = Files.readString(node.file());
    Files.createDirectory(files.logs());
    assertThatThrownBy(
            () -> ChildProcess.start(files, new Part("node-1", List.of("sleep", "1000")), false))
        .hasMessage("cannot start node-1: node-1 runs on c1");
    assertThatThrownBy(node::writeOwn).hasMessage("node-1 runs on c1");
    assertThat(node.file()).hasContent(before);
  }

  /** As when one begins between our start's checks and its end. */
  @Test
  void aFailedStartKeepsItsOwnReasonAndTheOthersFiles() throws Exception {
    String line = Files.readString(onAnotherHost("node-7").file());
    Files.delete(files.pidFile("node-7"));
    String begins =
        "umask 077; printf '%%s' '%s' >'%s'; echo 'eley: the port is in use'; exit 1"
            .formatted(line, files.pidFile("node-7"));
    assertThatThrownBy(() -> start(new Children(begins, Children.RUNS)))
        .hasMessage("coordinator: the port is in use");
    assertThat(files.pidFile("node-7")).exists();
    assertThat(files.pidFile("node-1")).doesNotExist();
  }

  @Test
  void aHostThatWasBootedAgainHasEndedEverything() throws Exception {
    var node = noted("node-1", HERE.host(), BOOT, HERE.processes());
    assertThat(node.elsewhere()).isEmpty();
    assertThat(LocalDeployment.stop(files, PATIENCE)).isZero();
    assertThat(node.file()).doesNotExist();
  }

  @Test
  void anotherContainerRunsItWhileTheCoordinatorsLockIsHeld() throws Exception {
    var node = noted("node-1", HERE.host(), HERE.boot(), "pid:[1]");
    assertThat(node.elsewhere()).as("no coordinator was there").isEmpty();
    try (var held = ProcessLock.take(files.coordinatorLock()).orElseThrow()) {
      assertThat(node.elsewhere()).contains(HERE.host() + " in another container");
      assertThatThrownBy(() -> LocalDeployment.stop(files, PATIENCE))
          .hasMessageContaining(" in another container: `eley stop` it there");
      assertThat(held).isNotNull();
    }
    assertThat(LocalDeployment.stop(files, PATIENCE)).as("it has ended").isZero();
    assertThat(node.file()).doesNotExist();
  }

  /** Written by version 0.2: it may be of any host, as it always may have been. */
  @Test
  void aFileWithoutAPlaceIsOfThisHost() throws Exception {
    var node = onAnotherHost("node-1");
    String text = Files.readString(node.file());
    OwnFiles.replace(node.file(), text.substring(0, text.indexOf(" c1")));
    assertThat(node.elsewhere()).isEmpty();
  }

  @Test
  void whatIsNotedHereIsHere() throws Exception {
    var own = new PidFile(files.pidFile("node-1"));
    own.write(ours.toHandle(), List.of("sleep", "1000"));
    assertThat(Files.readString(own.file()))
        .matches("\\d+ \\d+@" + HERE.boot() + " [0-9a-f]{64} " + HERE.host() + " pid:\\[\\d+]");
    assertThat(own.elsewhere()).isEmpty();
    assertThat(own.running()).contains(ours.toHandle());
  }
}
