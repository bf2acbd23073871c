package io.eley.scheduler.hooks.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
    assertThat(new LustreCounters().read("ost0", obd))
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
    assertThat(new LustreCounters().read("ost0", jobs))
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
      assertThatThrownBy(() -> new LustreCounters().read("s", garbage))
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
}
