package io.eley.scheduler.hooks.counters;

import io.eley.bb.api.edge.PlainText;
import io.eley.fuzz.Input;
import io.eley.scheduler.hooks.signal.SignalException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The counters' texts of OrangeFS, Lustre and GPFS, and bytes files, two or more polls of each as a
 * sampler takes them: a {@link SignalException}, or bytes that count up.
 */
public final class CountersFuzz {
  private static final String CUT = "\f";

  private CountersFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws InterruptedException {
    int choice = Input.choice(input) % 4;
    String[] texts = Input.text(Input.rest(input)).split(CUT, 4);
    var poll = new AtomicInteger();
    var clock = new AtomicLong();
    var lustre = new LustreCounters();
    CounterReader reader =
        () -> CounterReader.Look.now(points(choice, lustre, texts[poll.getAndIncrement()]));
    try (var sampler = counters(reader, clock)) {
      for (int i = 0; i < texts.length; i++) {
        sample(sampler);
      }
    }
  }

  private static CounterSampler counters(CounterReader reader, AtomicLong clock) {
    return new CounterSampler(reader, Duration.ofSeconds(7), () -> clock.addAndGet(1_000_000_000L));
  }

  private static void sample(CounterSampler sampler) throws InterruptedException {
    try {
      sampler.sample();
    } catch (SignalException e) {
      Input.require(PlainText.isPlain(e.getMessage() + ""), "an error that is not plain");
    }
  }

  private static List<CounterPoint> points(int kind, LustreCounters lustre, String text)
      throws SignalException {
    return switch (kind) {
      case 0 -> PerfMon.parse(text);
      case 1 -> lustre.read("ost", text);
      case 2 -> TextCounters.gpfs(text);
      default -> TextCounters.bytesFile(text);
    };
  }
}
