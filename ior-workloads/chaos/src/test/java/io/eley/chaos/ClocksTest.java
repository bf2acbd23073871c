package io.eley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  void whereNothingWasStartedNothingIsLeft() throws Exception {
    Clocks.remove(directory.resolve("numbers"), directory);

    assertThat(directory).isEmptyDirectory();
  }
}
