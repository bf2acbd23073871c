package io.eley.system.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.process.ProcessHeaps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What deploy/systemd promises, as far as its files tell. */
class SystemdUnitsTest {
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
}
