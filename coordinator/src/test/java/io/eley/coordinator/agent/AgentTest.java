package io.eley.coordinator.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.test.fixtures.VirtualThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class AgentTest {
  private final VirtualThread thread = new VirtualThread();
  private final Agent agent = new Agent(thread, thread::now, () -> Instant.EPOCH);
  private final List<String> done = new ArrayList<>();

  @Test
  void workIsDoneInItsOrder() {
    agent.execute(() -> done.add("first"));
    agent.execute(() -> done.add("second"));
    assertThat(done).as("never on the caller's thread").isEmpty();
    thread.runDue();
    assertThat(done).containsExactly("first", "second");
  }

  @Test
  void workForLaterWaits() {
    agent.after(Duration.ofMillis(20), () -> done.add("late"));
    thread.run(Duration.ofMillis(19));
    assertThat(done).isEmpty();
    thread.run(Duration.ofMillis(1));
    assertThat(done).containsExactly("late");
  }

  @Test
  void aDefectInOnePieceOfWorkEndsNeitherTheOthersNorWhatRepeats() {
    agent.every(
        Duration.ofMillis(10),
        () -> {
          done.add("tick");
          throw new IllegalStateException("a defect, on purpose");
        });
    agent.execute(
        () -> {
          throw new StackOverflowError("a defect, on purpose");
        });
    thread.run(Duration.ofMillis(35));
    assertThat(done).containsExactly("tick", "tick", "tick");
  }

  @Test
  void workThatWaitsAtTheEndIsDropped() {
    agent.execute(() -> done.add("queued"));
    agent.close();
    agent.execute(() -> done.add("later"));
    thread.runDue();
    assertThat(done).isEmpty();
  }

  @Test
  void workAfterTheEndOfTheThreadIsDroppedQuietly() {
    var real = Executors.newSingleThreadScheduledExecutor();
    var late = new Agent(real, System::nanoTime, Instant::now);
    real.shutdown();
    late.execute(() -> done.add("late"));
    late.after(Duration.ZERO, () -> done.add("later"));
    assertThat(done).isEmpty();
  }
}
