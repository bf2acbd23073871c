package io.eley.coordinator.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.coordinator.LogOf;
import io.eley.prefetcher.control.PhaseEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A ledger that cannot be written for a while: a directory is in its place, or its disk is full.
 */
@Timeout(60)
class LedgerBacklogTest {
  @TempDir private Path temp;
  private Path path;
  private LedgerFile file;
  private LedgerBacklog backlog;
  private final LogOf log = new LogOf(LedgerBacklog.class);

  @BeforeEach
  void ledger() {
    path = new DeploymentFiles(temp).ledger();
    file = new LedgerFile(temp);
    backlog = new LedgerBacklog(file);
  }

  @AfterEach
  void stop() {
    log.close();
  }

  private static List<PhaseEntry> entries(int count) {
    return IntStream.range(0, count).mapToObj(i -> LedgerFileTest.entry("phase " + i)).toList();
  }

  private void refused(List<PhaseEntry> entries) {
    for (PhaseEntry entry : entries) {
      assertThatThrownBy(() -> backlog.append(entry)).isInstanceOf(IOException.class);
    }
  }

  private List<String> told() {
    return log.lines().stream().filter(line -> line.contains(temp.toString())).toList();
  }

  @Test
  void whatWasRefusedIsWrittenBeforeTheNextEntry() throws Exception {
    List<PhaseEntry> all = entries(4);
    backlog.append(all.get(0));
    Path kept = Files.move(path, temp.resolve("kept"));
    Files.createDirectory(path);
    refused(all.subList(1, 3));
    Files.delete(path);
    Files.move(kept, path);
    backlog.append(all.get(3));
    assertThat(file.read()).isEqualTo(all);
    assertThat(told()).isEmpty();
  }

  @Test
  void whatWasRefusedIsTriedOnceMoreAtTheEndAndThenTold() throws Exception {
    Files.createDirectory(path);
    refused(entries(3));
    assertThatThrownBy(backlog::end).isInstanceOf(IOException.class);
    assertThat(told())
        .containsExactly("3 phases are not in the ledger " + path + ": it could not be written");
    Files.delete(path);
    backlog.append(entries(1).get(0));
    backlog.end();
    assertThat(file.read()).isEqualTo(entries(1));
  }

  @Test
  void ofMoreThanTheBoundTheOldestAreLostAndCounted() throws Exception {
    List<PhaseEntry> all = entries(LedgerBacklog.MOST + 2);
    Files.createDirectory(path);
    refused(all);
    assertThat(told()).as("not while nothing can be written").isEmpty();
    Files.delete(path);
    backlog.end();
    assertThat(file.read()).isEqualTo(all.subList(2, all.size()));
    assertThat(told())
        .containsExactly("2 phases are not in the ledger " + path + ": it could not be written");
  }

  /** The first bytes of an entry may still find room: they are cut off again. */
  @Test
  void aDiskThatIsFullTakesWholeLinesOrNothingAndTheRestLater() throws Exception {
    String options = "size=64k,mode=0700";
    boolean mounted = run("mount", "-t", "tmpfs", "-o", options, "tmpfs", temp.toString());
    assumeTrue(mounted, "this user may not mount a RAM-disk");
    try {
      var written = new ArrayList<PhaseEntry>();
      Path ballast = temp.resolve("ballast");
      Files.write(ballast, new byte[48 << 10]);
      while (!refuses(written)) {
        assertThat(written.size()).isLessThan(1000);
      }
      String text = Files.readString(path);
      assertThat(text).endsWith("\n");
      assertThat(text.lines().count())
          .as("a header and all but the last")
          .isEqualTo(written.size());
      Files.delete(ballast);
      backlog.end();
      assertThat(file.read()).isEqualTo(written);
      assertThat(Files.readString(path).lines().count()).isEqualTo(1 + written.size());
    } finally {
      assertThat(run("umount", temp.toString())).isTrue();
    }
  }

  private boolean refuses(List<PhaseEntry> written) {
    PhaseEntry entry = LedgerFileTest.entry("phase " + written.size());
    written.add(entry);
    try {
      backlog.append(entry);
      return false;
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
      return true;
    }
  }

  /** Nothing but the header would fit: what is left of that is no ledger of another version. */
  @Test
  void anEmptyFileIsNoLedgerOfAnotherVersion() throws Exception {
    Files.createFile(path);
    backlog.append(entries(1).get(0));
    assertThat(file.read()).isEqualTo(entries(1));
    try (var files = Files.list(temp)) {
      assertThat(files).containsExactly(path);
    }
  }

  private static boolean run(String... command) throws Exception {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    byte[] unused = process.getInputStream().readAllBytes();
    return process.waitFor() == 0;
  }
}
