package io.eley.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoveIpcCheckTest {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  @TempDir private Path root;

  @BeforeEach
  void logindRuns() throws IOException {
    Files.createDirectories(root.resolve("run/systemd/sessions"));
  }

  private Optional<Finding> look() {
    return new RemoveIpcCheck(root).of(SHARED_MEMORY, 1000, "ada");
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.resolveSibling("."));
    Files.writeString(path, text);
  }

  @Test
  void aPersonIsWarnedWhereNobodyHasSwitchedItOff() throws Exception {
    assertThat(look()).as("built in").isPresent();
    write("etc/systemd/logind.conf", "[Login]\n#RemoveIPC=yes\n");
    assertThat(look().orElseThrow().says()).contains("RemoveIPC=yes").contains("ada");
    assertThat(look().orElseThrow().sentence())
        .as("of `eley start`")
        .startsWith("systemd-logind removes all of ada below /dev/shm")
        .endsWith("(RemoveIPC=yes); `loginctl enable-linger`, RemoveIPC=no, or another --ram-disk");
  }

  @Test
  void whoIsNotStruckIsNotWarned() throws Exception {
    var check = new RemoveIpcCheck(root);
    assertThat(check.of(SHARED_MEMORY, 0, "root")).isEmpty();
    assertThat(check.of(SHARED_MEMORY, 999, "spark")).isEmpty();
    assertThat(check.of(Path.of("/mnt/ram"), 1000, "ada")).isEmpty();
    write("var/lib/systemd/linger/ada", "");
    assertThat(look()).isEmpty();
    assertThat(check.of(SHARED_MEMORY, 1001, "bob")).isPresent();
    Files.delete(root.resolve("run/systemd/sessions"));
    assertThat(check.of(SHARED_MEMORY, 1001, "bob")).as("no logind").isEmpty();
  }

  @Test
  void theLastLineThatSetsItCounts() throws Exception {
    write("usr/lib/systemd/logind.conf", "[Login]\n#RemoveIPC=no\n");
    assertThat(look()).as("built in as no").isEmpty();
    write("etc/systemd/logind.conf", "[Login]\nRemoveIPC=yes\n");
    assertThat(look()).isPresent();
    write("etc/systemd/logind.conf.d/50-site.conf", "[Login]\nRemoveIPC=off\n");
    assertThat(look()).isEmpty();
    write("run/systemd/logind.conf.d/60-late.conf", "[Login]\nRemoveIPC=true\n");
    assertThat(look()).isPresent();
  }
}
