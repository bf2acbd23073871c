package io.eley.coordinator.phases;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.Settings;
import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import io.eley.controller.watch.PhaseInput;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.config.SignalOptions;
import io.eley.scheduler.hooks.signal.PollTiming;
import io.eley.scheduler.hooks.signal.Sampler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SignalsTest {
  private static final PollTiming TIMING =
      new PollTiming(Duration.ofMillis(10), Duration.ofSeconds(3));

  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

  /** One that may look each 4 s alone. */
  private static final class Seldom implements Sampler {
    @Override
    public String name() {
      return "seldom";
    }

    @Override
    public SourceKind kind(PollTiming timing) {
      return SourceKind.sampled(name(), 1, timing.interval(), timing.freshness());
    }

    @Override
    public List<Sighting> sample() {
      return List.of();
    }

    @Override
    public Duration interval() {
      return Duration.ofSeconds(4);
    }
  }

  private final class Input implements PhaseInput {
    @Override
    public void add(SourceKind source) {
      told.add("add " + source.name());
    }

    @Override
    public void observe(String source, List<Sighting> sightings) {
      told.add("observe " + source);
    }

    @Override
    public void noteFailure(String source, String why) {
      told.add("failure " + why);
    }

    @Override
    public void noteInterval(String source, Duration apart) {
      told.add(source + " each " + apart.toMillis() + " ms");
    }

    @Override
    public void noteBlindness(String source, Blindness blindness) {
      told.add("blindness " + source);
    }

    @Override
    public void onCloseLook(Consumer<Boolean> action) {}
  }

  /** Before the sample: the phase that opens with it is as far off. */
  @Test
  void howFarApartSamplesAreIsToldWithEachOfThem() throws Exception {
    var thread = Executors.newSingleThreadScheduledExecutor();
    var options = SignalOptions.from(Settings.of(Map.of()));
    try (var agent = new Agent(thread, System::nanoTime, Instant::now);
        var signals =
            Signals.start(options, "file:///", agent, new Input(), new PublishedRates())) {
      signals.poll(new Seldom(), TIMING);
      assertThat(told.take()).isEqualTo("add seldom");
      assertThat(told.take()).isEqualTo("seldom each 4000 ms");
      assertThat(told.take()).isEqualTo("observe seldom");
    } finally {
      thread.shutdownNow();
    }
  }
}
