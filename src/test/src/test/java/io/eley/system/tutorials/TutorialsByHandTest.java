package io.eley.system.tutorials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tutorials of those who have a machine and no Slurm, by one user in one shell a page. */
@Tag("spark")
@Tag("system")
@Timeout(400)
class TutorialsByHandTest {
  /**
   * These may be typed again, for what they show may take a while to come. Who announces a phase
   * again renews it.
   */
  private static final String LOOKS = "eley (status|why|ledger|phase begin).*";

  @TempDir private Path temp;

  private HandMachine machine;

  @BeforeEach
  void aMachine() throws Exception {
    machine = HandMachine.in(temp);
    machine.put("/mnt/counters", temp.resolve("counters"));
    machine.bring(false);
  }

  /** Nothing stays, however the page ended. */
  @AfterEach
  void stop() throws Exception {
    machine.stop();
  }

  private void type(Terminal terminal, Tutorial tutorial, Tutorial.Step step) throws Exception {
    String command = tutorial.command(step);
    String here = machine.here(command);
    var shown = new StringBuilder();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(45);
    boolean matches;
    do {
      var lines = terminal.run(here).stream().map(machine::onThePage).toList();
      shown.append("$ ").append(command).append('\n').append(String.join("\n", lines)).append('\n');
      matches = tutorial.matches(step, lines);
    } while (!matches && command.matches(LOOKS) && System.nanoTime() < deadline);
    System.out.println(shown);
    assertThat(matches).as("%s", shown).isTrue();
  }

  private void follow(String page) throws Exception {
    var tutorial = new Tutorial(HandMachine.ROOT.resolve("docs/tutorials").resolve(page));
    assertThat(tutorial.steps()).isNotEmpty();
    try (var terminal = machine.open()) {
      for (Tutorial.Step step : tutorial.steps()) {
        type(terminal, tutorial, step);
      }
    }
  }

  @Test
  void theFirstQuarterOfAnHour() throws Exception {
    follow("first-quarter.md");
    assertThat(machine.origin().resolve("counts/_SUCCESS")).exists();
  }

  /** A file of counters that grows by 40 MB a second stands for somebody who writes. */
  @Test
  void aSiteWithCounters() throws Exception {
    try (var terminal = machine.open()) {
      terminal.run("mkdir eley; tar -xzf eley-*.tar.gz -C eley --strip-components=1");
    }
    ScheduledExecutorService somebody = Executors.newSingleThreadScheduledExecutor();
    try {
      var bytes = new AtomicLong();
      var writes =
          somebody.scheduleAtFixedRate(
              () -> count(bytes.addAndGet(4_000_000)), 0, 100, TimeUnit.MILLISECONDS);
      await().until(() -> Files.exists(temp.resolve("counters")));
      follow("file-system.md");
      assertThat(writes.isDone()).as("it has failed").isFalse();
    } finally {
      somebody.shutdownNow();
      assertThat(somebody.awaitTermination(45, TimeUnit.SECONDS)).isTrue();
    }
  }

  private void count(long bytes) {
    try {
      Path next = Files.writeString(temp.resolve("counters.next"), "server " + bytes + "\n");
      Files.move(next, temp.resolve("counters"), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
