package io.eley.bb.api.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProcessLockTest {
  @TempDir Path directory;

  /** Another process, which tries to take the lock. */
  static final class Other {
    private Other() {}

    public static void main(String[] arguments) throws IOException {
      System.out.println(ProcessLock.take(Path.of(arguments[0])).isPresent() ? "free" : "taken");
    }
  }

  private String seenByAnother(Path file) throws Exception {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Other.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return said.strip();
  }

  /** Closing any descriptor of the file would give it back (fcntl(2)). */
  @Test
  void aSecondTryOfThisProcessDoesNotCostItTheLock() throws Exception {
    Path file = directory.resolve("lock");
    var lock = ProcessLock.take(file).orElseThrow();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Path link = Files.createSymbolicLink(directory.resolve("other-way"), directory);
    assertThat(ProcessLock.take(file)).isEmpty();
    assertThat(ProcessLock.take(link.resolve("lock"))).as("by another path").isEmpty();
    assertThat(seenByAnother(file)).isEqualTo("taken");
    lock.close();
    lock.close();
    assertThat(seenByAnother(file)).isEqualTo("free");
    ProcessLock.take(file).orElseThrow().close();
  }

  @Test
  void whatCannotBeOpenedIsNotHeld() throws Exception {
    Path file = directory.resolve("lock");
    Path target = Files.createFile(directory.resolve("target"));
    Files.createSymbolicLink(file, target);
    assertThatThrownBy(() -> ProcessLock.take(file)).isInstanceOf(IOException.class);
    Files.delete(file);
    ProcessLock.take(file).orElseThrow().close();
  }
}
