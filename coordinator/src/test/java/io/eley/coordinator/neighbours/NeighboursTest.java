package io.eley.coordinator.neighbours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.config.Settings;
import io.eley.controller.loop.ControlLoop;
import io.eley.controller.loop.PlanFigures;
import io.eley.coordinator.LogOf;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.config.CoordinatorOptions;
import io.eley.coordinator.phases.ControlLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The thread that looks after other deployments outlives what the file system refuses. */
@Timeout(60)
class NeighboursTest {
  @TempDir Path temporary;

  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Agent agent = new Agent(thread, System::nanoTime, Instant::now);
  private final NeighbourDirectory.Listing usual = Files::list;
  private final AtomicInteger openings = new AtomicInteger();
  private final AtomicInteger listings = new AtomicInteger();

  @AfterEach
  void endTheThread() {
    thread.shutdownNow();
  }

  private Neighbours start(Path path, Neighbours.Opening opening) throws Exception {
    var settings =
        Settings.of(
            Map.of(
                "eley.coordinator.directory", temporary.toString(),
                "eley.coordinator.origin", temporary.toString()));
    var control =
        new ControlLoop(
            CoordinatorOptions.from(settings).control(),
            agent,
            () -> PlanFigures.NOTHING,
            new ControlLog(entry -> {}));
    return Neighbours.start(path, temporary.toString(), agent, control, opening);
  }

  private NeighbourDirectory failOnceToOpen(Path path) throws IOException {
    if (openings.incrementAndGet() == 1) {
      throw new IOException("Input/output error");
    }
    return NeighbourDirectory.open(path, this::failOnceToList);
  }

  /** Fails as {@link Files#list} does where the directory is open already. */
  private Stream<Path> failOnceToList(Path directory) throws IOException {
    if (listings.incrementAndGet() == 1) {
      return Stream.generate(
          () -> {
            throw new UncheckedIOException(new IOException("Stale file handle"));
          });
    }
    return usual.of(directory);
  }

  @Test
  void hostsWhoseClocksAreOffAreToldOfOnceEach() throws Exception {
    Path path = temporary.resolve("neighbours");
    String fileSystem = FileSystemName.of(temporary.toString());
    var others = List.of(NeighbourDirectory.open(path), NeighbourDirectory.open(path));
    NeighbourDirectory.Listing afterTheirNews =
        directory -> {
          int sequence = listings.incrementAndGet();
          for (NeighbourDirectory other : others) {
            other.write(new NeighbourEntry(sequence, 0, 0, false, fileSystem));
          }
          return usual.of(directory);
        };
    try (var log = new LogOf(Neighbours.class)) {
      var neighbours = start(path, where -> NeighbourDirectory.open(where, afterTheirNews));
      try {
        await().until(() -> listings.get() > 10);
      } finally {
        neighbours.close();
      }
      assertThat(log.lines())
          .filteredOn(line -> line.contains("are the hosts' clocks the same?"))
          .hasSize(2)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void whatFailsOnceIsTriedAgainByTheNextLook() throws Exception {
    Path path = temporary.resolve("neighbours");
    var neighbours = start(path, this::failOnceToOpen);
    try {
      await().until(() -> listings.get() >= 2);
      assertThat(openings).as("openings: one that failed, and one").hasValue(2);
      assertThat(path).as("our entry").isNotEmptyDirectory();
    } finally {
      neighbours.close();
    }
    await().untilAsserted(() -> assertThat(path).as("entries of who has ended").isEmptyDirectory());
  }
}
