package io.eley.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.report.ObservedPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhaseLogTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("phases.jsonl");
  }

  @Test
  void aLogThatIsNotThereYetIsEmpty() throws EleyException {
    assertThat(new PhaseLog(file).read().complete()).isEmpty();
    assertThat(new PhaseLog(file).read().open()).isFalse();
  }

  @Test
  void pairsOfLinesArePhases() throws IOException {
    Files.writeString(file, line("begin", 1000) + line("end", 3000) + line("begin", 9000));

    var content = new PhaseLog(file).read();

    assertThat(content.complete()).containsExactly(new ObservedPhase(1000, 51_000, 3000));
    assertThat(content.open()).isTrue();
  }

  @Test
  void aLineThatIsBeingWrittenIsLeftOut() throws IOException {
    Files.writeString(file, line("begin", 1000) + line("end", 3000).substring(0, 20));

    var content = new PhaseLog(file).read();

    assertThat(content.complete()).isEmpty();
    assertThat(content.open()).isTrue();
  }

  @Test
  void aLogThatIsNotOneIsSaid() throws IOException {
    Files.writeString(file, "IOR-4.1\n");

    assertThatThrownBy(() -> new PhaseLog(file).read())
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("cannot read the phase log");
  }

  private static String line(String event, long micros) {
    return "{\"event\":\""
        + event
        + "\",\"operation\":\"write\",\"iteration\":0,\"epochMicros\":"
        + micros
        + "}\n";
  }
}
