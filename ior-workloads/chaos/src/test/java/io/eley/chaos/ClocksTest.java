package io.eley.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClocksTest {
  @TempDir private Path directory;

  @Test
  void whatLibfaketimeLeavesOfTheseProcessesIsRemovedAndNothingOfOthers() throws Exception {
    Path memory = Files.createDirectory(directory.resolve("memory"));
    for (String left : List.of("faketime_shm_12", "sem.faketime_sem_12", "faketime_shm_123")) {
      Files.createFile(memory.resolve(left));
    }
    Path numbers = Files.writeString(directory.resolve("numbers"), "12\n77\n");

    Clocks.remove(numbers, memory);

    assertThat(memory.toFile().list()).containsExactly("faketime_shm_123");
  }

  @Test
  void twoFaultsMaySetOneClockAtOnce() throws Exception {
    Path files = directory.resolve("clocks");
    Optional<Clocks> made = Clocks.in(files);
    assumeThat(made).as("libfaketime is installed").isPresent();
    Clocks clocks = made.orElseThrow();
    var together = new CyclicBarrier(2);
    Callable<Void> setting =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            together.await(30, TimeUnit.SECONDS);
            clocks.set("coordinator", i);
          }
          return null;
        };
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (Future<Void> each : threads.invokeAll(List.of(setting, setting))) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(files.toFile().list()).containsExactly("coordinator.clock");
    assertThat(files.resolve("coordinator.clock")).hasContent("+999");
  }

  @Test
  void whereNothingWasStartedNothingIsLeft() throws Exception {
    Clocks.remove(directory.resolve("numbers"), directory);

    assertThat(directory).isEmptyDirectory();
  }
}
