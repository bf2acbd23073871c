package io.eley.system.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.process.ProcessHeaps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What deploy/systemd promises, as far as its files tell. */
@Timeout(60)
class SystemdUnitsTest {
  @TempDir private Path temp;

  private static List<String> lines(String unit) throws IOException {
    Path units = Path.of(System.getProperty("eley.root"), "deploy/systemd");
    return Files.readAllLines(units.resolve(unit));
  }

  @Test
  void processesHaveTheHeapsOfAnyDeployment() throws IOException {
    assertThat(lines("eley-node.service"))
        .contains("Environment=ELEY_JAVA_OPTS=-Xmx" + ProcessHeaps.NODE_MEBIBYTES + "m");
    assertThat(lines("eley-coordinator.service"))
        .contains("Environment=ELEY_JAVA_OPTS=-Xmx" + ProcessHeaps.COORDINATOR);
  }

  /** systemd starts nothing whose ReadWritePaths are not there (226/NAMESPACE). */
  @ParameterizedTest
  @ValueSource(strings = {"eley-board.service", "eley-node.service"})
  void whatMayBeWrittenIsThereOrMadeFirst(String unit) throws Exception {
    String writable = setting(unit, "ReadWritePaths=").orElseThrow();
    String made = setting(unit, "ExecStartPre=+/bin/sh -c ").orElse("''");
    Path shared = Files.createDirectory(temp.resolve("shared"));
    Path directory = writable.equals("/dev/shm") ? Path.of(writable) : shared.resolve("eley-board");
    String here = made.substring(1, made.length() - 1).replace("/shared", shared.toString());
    for (int start = 1; start <= 2; start++) {
      assertThat(new ProcessBuilder("sh", "-c", here).inheritIO().start().waitFor()).isZero();
      assertThat(directory).as("at start " + start).isDirectory();
    }
  }

  /** It gives a unit's directory, with all that is in it, to the unit's user, and closes it. */
  @Test
  void noUnitsDirectoryHoldsAnothers() throws IOException {
    String coordinator = setting("eley-coordinator.service", "StateDirectory=").orElseThrow();
    String pools = setting("eley-slurm-pools.service", "StateDirectory=").orElseThrow();
    assertThat(Path.of(pools).startsWith(coordinator)).isFalse();
    assertThat(Path.of(coordinator).startsWith(pools)).isFalse();
    assertThat(setting("eley-coordinator.service", "ExecStart=").orElseThrow())
        .contains("eley.coordinator.directory=/var/lib/" + coordinator + " ");
  }

  private static Optional<String> setting(String unit, String name) throws IOException {
    return lines(unit).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .findFirst();
  }
}
