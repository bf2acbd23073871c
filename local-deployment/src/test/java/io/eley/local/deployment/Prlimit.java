package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Sets the soft limits of a running process: what it has it keeps. */
final class Prlimit {
  private static final Path TOOL = Path.of("/usr/bin/prlimit");

  private Prlimit() {}

  static void descriptors(ProcessHandle process, long most) throws IOException {
    set(process, "--nofile=" + most + ":");
  }

  /** Limits the threads of its user, which only that process feels. Root's are not limited. */
  static void threads(ProcessHandle process, String most) throws IOException {
    set(process, "--nproc=" + most + ":");
  }

  private static void set(ProcessHandle process, String limit) throws IOException {
    assumeTrue(Files.isExecutable(TOOL), TOOL + " is not there (util-linux)");
    Process prlimit =
        new ProcessBuilder(TOOL.toString(), "--pid=" + process.pid(), limit).inheritIO().start();
    try {
      assertThat(prlimit.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    assertThat(prlimit.exitValue()).isZero();
  }
}
