package io.eley.scheduler.hooks.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.scheduler.hooks.signal.Evidence;
import io.eley.scheduler.hooks.signal.Sighting;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountersTest {
  private static final long MS = 1_000_000;
  private static final long WRAP = 1L << 32;

  @TempDir Path temp;

  private static String sample() throws IOException {
    try (var in = CountersTest.class.getResourceAsStream("/orangefs-2.10-perfmon.txt")) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  @Test
  void theRealSampleOfOrangeFsIsRead() throws Exception {
    var points = PerfMon.parse(sample());
    var servers = points.stream().map(CounterPoint::server).distinct().toList();
    assertThat(servers).hasSize(4).first().isEqualTo("tcp://10.0.0.11:3334");
    var first = points.stream().filter(p -> p.server().equals(servers.get(0))).toList();
    assertThat(first).hasSize(10);
    assertThat(first.get(9).ageMillis()).isZero();
    for (int i = 1; i < 10; i++) {
      assertThat(first.get(i).ageMillis()).isLessThan(first.get(i - 1).ageMillis());
    }
  }

  /** Three prints of the sample, five seconds apart: IOR wrote and read 100 MB again and again. */
  @Test
  void thePrintsOfTheSampleGiveEverySecondOnce() throws Exception {
    String[] prints = sample().split("(?=PVFS2 I/O server counters)", -1);
    assertThat(prints).hasSize(4);
    var deltas = new CounterDeltas();
    long told = 0;
    long first = 0;
    long last = 0;
    for (int i = 1; i < prints.length; i++) {
      var points = PerfMon.parse(prints[i]);
      told +=
          deltas.take(points, 5000L * i * MS).stream().mapToLong(CounterDeltas.Delta::bytes).sum();
      first = i == 1 ? sum(points, 0) : first;
      last = sum(points, 9);
    }
    assertThat(told).isPositive().isEqualTo(last - first);
  }

  private static long sum(List<CounterPoint> points, int index) {
    return points.stream()
        .map(CounterPoint::server)
        .distinct()
        .mapToLong(
            s -> points.stream().filter(p -> p.server().equals(s)).toList().get(index).bytes())
        .sum();
  }

  @Test
  void aPrintThatIsCutOffAnywhereGivesWholeServersOrAnError() throws Exception {
    String whole = sample();
    var random = new Random(1);
    for (int i = 0; i < 300; i++) {
      String part = whole.substring(0, random.nextInt(whole.length()));
      try {
        assertThat(PerfMon.parse(part)).allMatch(p -> p.bytes() > 0 && p.ageMillis() >= 0);
      } catch (SignalException e) {
        assertThat(e).hasMessageContaining("no counters");
      }
    }
  }

  @Test
  void noSecondOfAHistoryIsLostOrCountedTwice() {
    var deltas = new CounterDeltas();
    long total = 0;
    long told = 0;
    var history = new ArrayList<long[]>(); // millis, bytes
    var random = new Random(5);
    for (int second = 0; second <= 60; second++) {
      total += random.nextInt(1_000_000);
      history.add(new long[] {1000L * second, total});
      if (second > 0 && second % 5 == 0) { // ten samples of history, looked at each five seconds
        long now = 1000L * second + random.nextInt(300);
        var points = new ArrayList<CounterPoint>();
        for (long[] each : history.subList(Math.max(0, history.size() - 10), history.size())) {
          points.add(new CounterPoint("a", history.get(history.size() - 1)[0] - each[0], each[1]));
        }
        told += deltas.take(points, now * MS).stream().mapToLong(CounterDeltas.Delta::bytes).sum();
      }
    }
    assertThat(told).isEqualTo(total - history.get(0)[1]);
  }

  @Test
  void countersWrapAndServersBeginAnew() {
    assertThat(CounterDeltas.moved(10, 25)).isEqualTo(15);
    assertThat(CounterDeltas.moved(WRAP - 10, 25)).isEqualTo(35);
    assertThat(CounterDeltas.moved(1L << 40, 25)).as("64 bits do not wrap").isEqualTo(25);
    assertThat(CounterDeltas.moved(1000, 25)).as("a new server").isEqualTo(25);
  }

  @Test
  void otherFileSystemsTexts() throws Exception {
    String obd =
        """
        snapshot_time             1763650000.123456789 secs.nsecs
        read_bytes                2 samples [bytes] 4096 8192 12288
        write_bytes               4 samples [bytes] 4096 1048576 3145728
        setattr                   1 samples [usecs] 1 1 1
        """;
    assertThat(TextCounters.lustre("ost0", obd))
        .containsExactly(new CounterPoint("ost0", 0, 12288 + 3145728));
    String jobs =
        """
        job_stats:
        - job_id:          ior.1000
          read_bytes:      { samples: 2, unit: bytes, min: 4096, max: 8192, sum: 12288 }
          write_bytes:     { samples: 1, unit: bytes, min: 7, max: 7, sum: 7, sumsq: 49 }
        - job_id:          cp.0
          read_bytes:      { samples: 0, unit: bytes, min: 0, max: 0, sum: 0 }
        """;
    assertThat(TextCounters.lustre("ost0", jobs))
        .containsExactly(new CounterPoint("ost0", 0, 12288 + 7));
    String mmpmon =
        "_fs_io_s_ _n_ 10.0.0.1 _nn_ node1 _rc_ 0 _t_ 1 _tu_ 2 _cl_ c _fs_ gpfs1 _d_ 5 _br_ 6291456"
            + " _bw_ 314572800 _oc_ 10\n";
    assertThat(TextCounters.gpfs(mmpmon))
        .containsExactly(new CounterPoint("node1/gpfs1", 0, 6291456 + 314572800));
    assertThat(TextCounters.bytesFile("# all\nmds 5\noss 7\n"))
        .containsExactly(new CounterPoint("mds", 0, 5), new CounterPoint("oss", 0, 7));
    assertThat(TextCounters.bytesFile("42\n")).containsExactly(new CounterPoint("all", 0, 42));
  }

  @Test
  void garbageIsOneClearError() {
    for (String garbage :
        List.of("", "\u0000\u0001", "read_bytes x y", "hello world 1x", "# only")) {
      assertThatThrownBy(() -> PerfMon.parse(garbage)).isInstanceOf(SignalException.class);
      assertThatThrownBy(() -> TextCounters.lustre("s", garbage))
          .isInstanceOf(SignalException.class);
      assertThatThrownBy(() -> TextCounters.gpfs(garbage)).isInstanceOf(SignalException.class);
      assertThatThrownBy(() -> TextCounters.bytesFile(garbage)).isInstanceOf(SignalException.class);
    }
  }

  @Test
  void readersAreNamedByAnOperator() throws Exception {
    Path file = Files.writeString(temp.resolve("bytes"), "100\n");
    var reader = CounterReaders.of("file:" + file, Duration.ofSeconds(1));
    assertThat(reader.read()).containsExactly(new CounterPoint("all", 0, 100));
    Files.createDirectories(temp.resolve("ost-1"));
    Files.writeString(
        temp.resolve("ost-1/stats"), "snapshot_time 1\nread_bytes 1 samples [bytes] 1 1 9\n");
    assertThat(CounterReaders.of("lustre:" + temp + "/ost-*/stats", Duration.ofSeconds(1)).read())
        .containsExactly(new CounterPoint(temp + "/ost-1/stats", 0, 9));
    assertThatThrownBy(CounterReaders.of("file:/no/such", Duration.ofSeconds(1))::read)
        .hasMessage("there is no /no/such");
    assertThatThrownBy(() -> CounterReaders.of("beegfs:/x", Duration.ofSeconds(1)))
        .hasMessageContaining("orangefs:MOUNT");
  }

  /** Bursts of ours, and nodes that answer in time when they are asked as in production. */
  @Test
  void ourOwnTrafficAloneNeverLooksForeign() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of our traffic (-Deley.test.seed=...): " + seed);
    for (int i = 0; i < 50; i++) {
      var random = new Random(seed + i);
      assertThat(new OurTraffic(random, random.nextInt(60), 0).worstForeign())
          .as("bytes a second that look foreign, seed %d", seed + i)
          .isZero();
    }
  }

  /** One answer in five is half a second late: bounds are missing, straight lines take over. */
  @Test
  void lateWordsMakeOursLookForeignSeldom() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of our traffic (-Deley.test.seed=...): " + seed);
    int phases = 0;
    int told = 0;
    for (int i = 0; i < 50; i++) {
      var traffic = new OurTraffic(new Random(seed + i), 20, 0.2);
      traffic.worstForeign();
      phases += traffic.phases;
      told += traffic.told;
    }
    System.out.printf("our own traffic, late words: %d of %d look like a phase%n", phases, told);
    assertThat(phases).isLessThan(told / 20);
  }

  /** Two minutes of one node that reads in bursts, and of the counters that see nobody else. */
  private static final class OurTraffic {
    private static final int SLACK = 100;
    private static final int INTERVAL = 1000;

    private final Random random;
    private final int delay;
    private final double late;
    private final ForeignBytes foreign =
        new ForeignBytes(Duration.ofMillis(SLACK), Duration.ofSeconds(1));
    private final double[] moved = new double[120_000];
    private final List<long[]> words = new ArrayList<>();
    private int told;
    private int phases;

    /**
     * @param delay milliseconds that a question and its answer take together, at most
     * @param late the part of the answers that come half a second later
     */
    OurTraffic(Random random, int delay, double late) {
      this.random = random;
      this.delay = delay;
      this.late = late;
      double rate = 0;
      for (int ms = 1; ms < moved.length; ms++) {
        if (ms % 70 == 0 && random.nextInt(5) == 0) {
          rate = random.nextInt(3) == 0 ? 0 : 400e3 * random.nextDouble();
        }
        moved[ms] = moved[ms - 1] + rate;
      }
      int renewal = random.nextInt(INTERVAL);
      for (int poll = INTERVAL; poll < moved.length - INTERVAL; poll += INTERVAL) {
        ask(poll + SLACK);
        ask(poll + INTERVAL - 2 * SLACK);
        ask(poll + renewal);
      }
      words.sort(Comparator.comparingLong(w -> w[1]));
    }

    private void ask(int asked) {
      int looks = asked + random.nextInt(delay + 1);
      int answers = looks + random.nextInt(asked + delay - looks + 1);
      int heard = answers + (random.nextDouble() < late ? 500 : 0);
      words.add(new long[] {asked, heard, (long) moved[Math.min(looks, moved.length - 1)]});
    }

    /** Bytes a second, at most. */
    double worstForeign() {
      double worst = 0;
      int next = 0;
      for (int ms = 0; ms < moved.length; ms++) {
        for (; next < words.size() && words.get(next)[1] <= ms; next++) {
          long[] word = words.get(next);
          foreign.heard("n", word[2], word[0] * MS, ms * MS);
        }
        if (ms % INTERVAL == 0 && ms > 2 * INTERVAL) {
          long bytes = (long) moved[ms] - (long) moved[ms - INTERVAL];
          foreign.total(
              new Sighting(Evidence.SOMEBODY, (ms - INTERVAL) * MS, ms * MS, bytes, false));
        }
        for (Sighting each : foreign.ready(ms * MS)) {
          told++;
          phases += each.bytesPerSecond() > 4 << 20 ? 1 : 0;
          worst = Math.max(worst, each.bytesPerSecond());
        }
      }
      assertThat(told).isBetween(110, 119);
      return worst;
    }
  }

  @Test
  void foreignTrafficIsSeenBesideOurs() {
    var foreign = new ForeignBytes(Duration.ofMillis(100), Duration.ofSeconds(1));
    for (int i = 0; i <= 20; i++) {
      foreign.heard("n", i * 10_000_000L, i * 200 * MS, i * 200 * MS); // 50 MB/s of ours
    }
    foreign.total(new Sighting(Evidence.SOMEBODY, 1000 * MS, 2000 * MS, 150_000_000, false));
    var ready = foreign.ready(4000 * MS);
    assertThat(ready).hasSize(1);
    assertThat(ready.get(0).bytes()).isBetween(80_000_000L, 100_000_000L);
  }

  @Test
  void aNodeThatSaysNothingDoesNotKeepTheCountersWaiting() {
    var foreign = new ForeignBytes(Duration.ofMillis(100), Duration.ofSeconds(1));
    foreign.heard("n", 0, 0, 0);
    foreign.total(new Sighting(Evidence.SOMEBODY, 0, 1000 * MS, 5, false));
    assertThat(foreign.ready(1500 * MS)).isEmpty();
    assertThat(foreign.ready(2200 * MS)).hasSize(1);
  }
}
