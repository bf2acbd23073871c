package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DeploymentFiles;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LogsCommandTest {
  @TempDir private Path temp;

  @BeforeEach
  void twoLogs() throws Exception {
    Path logs = Files.createDirectories(new DeploymentFiles(temp).logs());
    Files.writeString(
        logs.resolve("coordinator.log"),
        IntStream.range(0, 50).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining()));
    Files.writeString(logs.resolve("node-1.log"), "here\n");
    Files.writeString(logs.resolve("notes.txt"), "none of ours\n");
  }

  private Eley logs(String... words) {
    var all = new java.util.ArrayList<>(java.util.List.of("logs", "-d", temp.toString()));
    all.addAll(java.util.List.of(words));
    return Eley.run(all.toArray(String[]::new));
  }

  @Test
  void withoutANameItIsTheList() {
    assertThat(logs().lines()).hasSize(3).last().asString().contains("node-1", "5", "node-1.log");
    assertThat(logs("--json").out()).contains("\"version\" : 1", "\"bytes\" : 5");
  }

  @Test
  void theEndOfALogOrOfSeveralByTheirNames() {
    assertThat(logs("coordinator", "-n", "2").lines()).containsExactly("line 48", "line 49");
    assertThat(logs("coordinator").lines()).hasSize(20);
    assertThat(logs("coordinator", "node-1", "-n", "1").lines())
        .containsExactly("coordinator: line 49", "node-1: here");
    assertThat(logs("node-7").err()).contains("no log 'node-7'; there are coordinator, node-1");
    assertThat(logs("node-7").code()).isEqualTo(1);
    assertThat(logs("-n", "-1").code()).isEqualTo(2);
  }

  /** Else it would read logs for ever, for nobody. */
  @Test
  @Timeout(60)
  void followingEndsWithWhoReadsIt() {
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(new ClosedPipe()))
            .execute("logs", "coordinator", "-f", "-d", temp.toString());
    assertThat(code).isZero();
  }

  @Test
  void whatIsWrittenLaterComesInWholeLinesAlsoAfterANewBeginning() throws Exception {
    Path log = new DeploymentFiles(temp).log("node-1");
    var tail = new LogTail(log);
    assertThat(tail.last(5)).containsExactly("here");
    assertThat(tail.more()).isEmpty();
    Files.writeString(log, "half a", StandardOpenOption.APPEND);
    assertThat(tail.more()).isEmpty();
    Files.writeString(log, " line\nnext\n", StandardOpenOption.APPEND);
    assertThat(tail.more()).containsExactly("half a line", "next");
    Files.writeString(log, "new\n");
    assertThat(tail.more()).containsExactly("new");
    Files.delete(log);
    assertThat(tail.more()).isEmpty();
  }

  @Test
  void ofALongLogOnlyItsEndIsRead() throws Exception {
    Path log = new DeploymentFiles(temp).log("node-1");
    Files.writeString(log, "x".repeat(3 << 20) + "\nlast\n");
    assertThat(new LogTail(log).last(5)).containsExactly("last");
  }
}
