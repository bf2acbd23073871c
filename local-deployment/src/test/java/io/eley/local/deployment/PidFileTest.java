package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PidFileTest {
  @TempDir private Path temp;
  private PidFile file;

  @BeforeEach
  void surroundings() {
    file = new PidFile(temp.resolve("node-1.pid"));
  }

  @Test
  void aProcessIsFoundAgainUntilItEnds() throws Exception {
    Process process = new ProcessBuilder("sleep", "1000").start();
    try {
      file.write(process.toHandle(), List.of("sleep", "1000"));
      assertThat(file.process()).isEqualTo("node-1");
      await().untilAsserted(() -> assertThat(file.running()).contains(process.toHandle()));
    } finally {
      process.destroyForcibly();
    }
    await().until(() -> file.running().isEmpty());
    file.delete();
    file.delete();
    assertThat(file.file()).doesNotExist();
  }

  @Test
  void aProcessWithTheSameNumberButAnotherStartIsNotOurs() throws Exception {
    Process process = new ProcessBuilder("sleep", "1000").start();
    try {
      file.write(process.toHandle(), List.of("sleep", "1000"));
      await().untilAsserted(() -> assertThat(file.running()).contains(process.toHandle()));
      String text = Files.readString(file.file());
      String command = Footprint.digest(List.of("sleep", "1000"));
      for (String other :
          List.of(
              text.replace("@", "0@"),
              text.replace("@", "@0"),
              text.replace(command, command + "0"),
              text + "0")) {
        Files.writeString(file.file(), other);
        assertThat(file.running()).as(other).isEmpty();
      }
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aProcessThatWasStartedByAnotherCommandIsNotOurs() throws Exception {
    Process process = new ProcessBuilder("sleep", "1000").start();
    try {
      file.write(process.toHandle(), List.of("sleep", "1001"));
      assertThat(file.running()).isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aFileThatOthersCanWriteIsAnErrorAndNamesNobody() throws Exception {
    Process process = new ProcessBuilder("sleep", "1000").start();
    try {
      file.write(process.toHandle(), List.of("sleep", "1000"));
      Files.setPosixFilePermissions(file.file(), PosixFilePermissions.fromString("rw-rw-rw-"));
      assertThatThrownBy(file::running).hasMessageContaining("node-1.pid (owner ");
    } finally {
      process.destroyForcibly();
    }
  }

  /** Whatever the umask is, and whatever an attempt before has left there. */
  @Test
  void theFileIsItsOwnersAlone() throws Exception {
    Files.writeString(file.file(), "left");
    Files.setPosixFilePermissions(file.file(), PosixFilePermissions.fromString("rw-rw-r--"));
    file.writeOwn();
    assertThat(Files.getPosixFilePermissions(file.file()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(file.running()).contains(ProcessHandle.current());
    file.delete();
    file.write(ProcessHandle.current(), List.of("a", "command"));
    assertThat(Files.getPosixFilePermissions(file.file()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "12", "x y", "12 soon", " 1 2", "-1 7", "1 - ", "99999999999999999999 1"})
  void aFileThatMakesNoSenseNamesNobody(String text) throws Exception {
    Files.writeString(file.file(), text);
    assertThat(file.running()).isEmpty();
  }

  @Test
  void noFileNamesNobody() throws Exception {
    assertThat(file.running()).isEmpty();
  }

  /** A zombie: it has ended, and its parent has not asked for its exit code. */
  @Test
  void aProcessThatHasEndedButWasNotReapedDoesNotRun() throws Exception {
    Path pid = temp.resolve("pid");
    // The shell becomes a program that never waits for the child which it has inherited.
    Process parent =
        new ProcessBuilder("sh", "-c", "true & echo $! >" + pid + "; exec sleep 1000").start();
    try {
      await().until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
      long child = Long.parseLong(Files.readString(pid).strip());
      await().until(() -> ProcessHandle.of(child).filter(PidFile::alive).isEmpty());
    } finally {
      parent.destroyForcibly();
    }
  }
}
