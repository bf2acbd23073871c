package io.eley.scheduler.hooks.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.Sighting;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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

  /** IOR had read 393216000 bytes and written 707788800 on the first server when it was taken. */
  @Test
  void theRealSampleOfOrangeFsIsReadAsOfTheLook() throws Exception {
    String firstPrint = sample().split("(?=PVFS2 I/O server counters)", -1)[1];
    var points = PerfMon.parse(firstPrint);
    assertThat(points)
        .hasSize(8)
        .startsWith(
            new CounterPoint("tcp://10.0.0.11:3334 reads", 393216000L),
            new CounterPoint("tcp://10.0.0.11:3334 writes", 707788800L));
  }

  /** Sums that overflow, and numbers below zero, are no sightings. */
  @Test
  void numbersThatNobodyCanHaveMovedNeverCountDown() throws Exception {
    long most = Long.MAX_VALUE;
    assertThat(TextCounters.bytesFile("18446744073709551615")).allMatch(p -> p.bytes() == most);
    String line = "_fs_io_s_ _nn_ n _fs_ f _br_ " + most + " _bw_ " + most;
    assertThat(TextCounters.gpfs(line)).hasSize(2).allMatch(p -> p.bytes() == most);
    String server = "server: s\nflow reads: " + most + "\nflow writes: " + most + "\ntimestep: 5\n";
    assertThat(PerfMon.parse(server)).hasSize(2).allMatch(p -> p.bytes() == most);
    assertThatThrownBy(() -> new LustreCounters().read("t", "read_bytes 1 samples [bytes] 1 1 -5"))
        .isInstanceOf(SignalException.class);
    var deltas = new CounterDeltas();
    deltas.take(List.of(new CounterPoint("a", 0), new CounterPoint("b", 0)), 0);
    var both = List.of(new CounterPoint("a", most), new CounterPoint("b", most));
    assertThat(deltas.take(both, 1000 * MS).orElseThrow().bytes()).isEqualTo(most);
  }

  /** Three prints of the sample, five seconds apart: IOR wrote and read 100 MB again and again. */
  @Test
  void thePrintsOfTheSampleLoseNothing() throws Exception {
    String[] prints = sample().split("(?=PVFS2 I/O server counters)", -1);
    assertThat(prints).hasSize(4);
    var deltas = new CounterDeltas();
    long told = 0;
    for (int i = 1; i < prints.length; i++) {
      var delta = deltas.take(PerfMon.parse(prints[i]), 5000L * i * MS);
      told += delta.map(CounterDeltas.Delta::bytes).orElse(0L);
    }
    assertThat(told)
        .isPositive()
        .isEqualTo(sum(PerfMon.parse(prints[3])) - sum(PerfMon.parse(prints[1])));
  }

  private static long sum(List<CounterPoint> points) {
    return points.stream().mapToLong(CounterPoint::bytes).sum();
  }

  /**
   * Raw columns of a server under an even 4 to 5 MiB a second, whose history was cut by others'
   * looks: begins of stretches in milliseconds, newest first, and what was moved at their ends.
   */
  @Test
  void whoeverElseLooksChangesNothing() throws Exception {
    String print =
        """
        SERVER: tcp://10.0.0.1:3334
        flow reads: 4916 4907 4911 4911
        flow writes: 0 0 0 0
        timestep: 200001126 200000000 200000112 200001043
        """;
    assertThat(PerfMon.parse(print))
        .containsExactly(
            new CounterPoint("tcp://10.0.0.1:3334 reads", 4916),
            new CounterPoint("tcp://10.0.0.1:3334 writes", 0));
  }

  @Test
  void aPrintThatIsCutOffAnywhereGivesWholeServersOrAnError() throws Exception {
    String whole = sample();
    var random = new Random(1);
    for (int i = 0; i < 300; i++) {
      String part = whole.substring(0, random.nextInt(whole.length()));
      try {
        assertThat(PerfMon.parse(part)).allMatch(p -> p.bytes() > 0);
      } catch (SignalException e) {
        assertThat(e).hasMessageContaining("no counters");
      }
    }
  }

  @Test
  void countersWrapAndServersBeginAnew() {
    assertThat(CounterDeltas.moved(10, 25)).isEqualTo(15);
    assertThat(CounterDeltas.moved(WRAP - 10, 25)).isEqualTo(35);
    assertThat(CounterDeltas.moved(1L << 40, 25)).as("64 bits do not wrap").isEqualTo(25);
    assertThat(CounterDeltas.moved(1000, 25)).as("a new server").isEqualTo(25);
  }

  /**
   * Both together were beyond 32 bits before, so nobody could tell of their sum that it wrapped.
   */
  @Test
  void whatIsReadWrapsByItselfWhateverWasWritten() throws Exception {
    String perfMon = "server: s\nflow reads: %d\nflow writes: %d\ntimestep: 5\n";
    String mmpmon = "_fs_io_s_ _nn_ n _fs_ f _br_ %d _bw_ %d";
    long written = 3_000_000_000L;
    var servers = new CounterDeltas();
    servers.take(PerfMon.parse(perfMon.formatted(4_294_967_000L, written)), 1000 * MS);
    var read = servers.take(PerfMon.parse(perfMon.formatted(704, written + 5)), 2000 * MS);
    assertThat(read.orElseThrow().bytes()).as("1000 read, 5 written").isEqualTo(1005);
    var nodes = new CounterDeltas();
    nodes.take(TextCounters.gpfs(mmpmon.formatted(written, 4_294_967_000L)), 1000 * MS);
    var wrote = nodes.take(TextCounters.gpfs(mmpmon.formatted(written, 704)), 2000 * MS);
    assertThat(wrote.orElseThrow().bytes()).isEqualTo(1000);
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
        .containsExactly(new CounterPoint("ost0", 12288 + 3145728));
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
        .containsExactly(new CounterPoint("ost0", 12288 + 7));
    String mmpmon =
        "_fs_io_s_ _n_ 10.0.0.1 _nn_ node1 _rc_ 0 _t_ 1 _tu_ 2 _cl_ c _fs_ gpfs1 _d_ 5 _br_ 6291456"
            + " _bw_ 314572800 _oc_ 10\n";
    assertThat(TextCounters.gpfs(mmpmon))
        .containsExactly(
            new CounterPoint("node1/gpfs1 _br_", 6291456),
            new CounterPoint("node1/gpfs1 _bw_", 314572800));
    assertThat(TextCounters.bytesFile("# all\nmds 5\noss 7\n"))
        .containsExactly(new CounterPoint("mds", 5), new CounterPoint("oss", 7));
    assertThat(TextCounters.bytesFile("42\n")).containsExactly(new CounterPoint("all", 42));
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
    var reader = CounterReaders.of("file:" + file, Duration.ofSeconds(20));
    assertThat(reader.look().points()).containsExactly(new CounterPoint("all", 100));
    Files.createDirectories(temp.resolve("ost-1"));
    Files.writeString(
        temp.resolve("ost-1/stats"), "snapshot_time 1\nread_bytes 1 samples [bytes] 1 1 9\n");
    assertThat(
            CounterReaders.of("lustre:" + temp + "/ost-*/stats", Duration.ofSeconds(20))
                .look()
                .points())
        .containsExactly(new CounterPoint(temp + "/ost-1/stats", 9));
    assertThatThrownBy(CounterReaders.of("file:/no/such", Duration.ofSeconds(20))::look)
        .hasMessage("there is no /no/such");
    assertThatThrownBy(() -> CounterReaders.of("beegfs:/x", Duration.ofSeconds(1)))
        .hasMessageContaining("orangefs:MOUNT");
  }

  /** A script that writes each few seconds, looked at each second: it is silent, nobody is. */
  @Test
  void filesThatNobodyHasWrittenSinceTellNothingNew() throws Exception {
    var time = new AtomicLong();
    Path first = written("oss-1", 100, 1000);
    Path second = written("oss-2", 100, 1000);
    var reader = CounterReaders.of("file:" + temp + "/oss-*", Duration.ofSeconds(20));
    try (var sampler = new CounterSampler(reader, Duration.ofSeconds(7), time::get)) {
      assertThat(sampler.sample()).as("the first look").isEmpty();
      time.set(1000 * MS);
      assertThat(sampler.sample()).as("as it was").isEmpty();
      time.set(5000 * MS);
      written("oss-1", 600, 6000);
      assertThat(sampler.sample())
          .as("all since it was written last")
          .containsExactly(new Sighting(Evidence.SOMEBODY, 0, 5000 * MS, 500, false));
      time.set(6000 * MS);
      written("oss-2", 101, 6001);
      assertThat(sampler.sample()).extracting(Sighting::bytes).containsExactly(1L);
      time.set(11_000 * MS);
      written("oss-1", 600, 11_000);
      assertThat(sampler.sample()).as("silence").extracting(Sighting::bytes).containsExactly(0L);
      assertThat(sampler.blindness()).isEqualTo(Blindness.NONE);
      time.set(18_001 * MS);
      assertThat(sampler.sample()).isEmpty();
      assertThat(sampler.blindness().why()).contains("too seldom", "each 7 s at least");
      time.set(19_000 * MS);
      written("oss-1", 601, 19_000);
      assertThat(sampler.sample()).hasSize(1);
      assertThat(sampler.blindness()).as("it was late").isNotEqualTo(Blindness.NONE);
      time.set(20_000 * MS);
      written("oss-1", 602, 20_000);
      assertThat(sampler.sample()).hasSize(1);
      assertThat(sampler.blindness()).isEqualTo(Blindness.NONE);
      Files.delete(second);
      Files.delete(first);
      assertThatThrownBy(sampler::sample).hasMessageContaining("there is no");
    }
  }

  /** In /proc they have no length, in /sys that of a page; neither has a time of change. */
  @Test
  void whatTheKernelShowsIsNewEachTime() throws Exception {
    for (String file : List.of("/proc/self/stat", "/sys/class/net/lo/statistics/rx_bytes")) {
      var reader = new CounterFiles(file, (name, text) -> List.of(new CounterPoint(name, 1)));
      assertThat(reader.look().points()).as(file).hasSize(1);
      assertThat(reader.look().points()).as("%s, again", file).hasSize(1);
    }
  }

  /** On NFS a file's times are those of some while ago. */
  @Test
  void numbersThatHaveGrownAreNewWhateverTheTimesOfTheirFile() throws Exception {
    Path file = written("bytes", 1, 1000);
    var reader = CounterReaders.of("file:" + file, Duration.ofSeconds(20));
    assertThat(reader.look().points()).hasSize(1);
    written("bytes", 2, 1000);
    assertThat(reader.look().points()).containsExactly(new CounterPoint("bytes", 2));
    assertThat(reader.look().points()).isEmpty();
  }

  /** Ten seconds without the tool say nothing of how often its counters change. */
  @Test
  void whoCouldNotBeReadWasNotWrittenTooSeldom() throws Exception {
    var time = new AtomicLong();
    var away = new AtomicBoolean();
    CounterReader reader =
        () -> {
          if (away.get()) {
            throw SignalException.failed("the tool hangs");
          }
          return CounterReader.Look.now(List.of(new CounterPoint("all", 1)));
        };
    try (var sampler = new CounterSampler(reader, Duration.ofSeconds(7), time::get)) {
      sampler.sample();
      away.set(true);
      time.set(1000 * MS);
      assertThatThrownBy(sampler::sample).hasMessage("the tool hangs");
      away.set(false);
      time.set(10_000 * MS);
      sampler.sample();
      assertThat(sampler.blindness()).isEqualTo(Blindness.NONE);
    }
  }

  /** A text that cannot be read is read again. */
  @Test
  void aFileThatWasRefusedIsNewsStill() throws Exception {
    written("bytes", 1, 1000);
    var garbage = new AtomicBoolean(true);
    var reader =
        new CounterFiles(
            temp + "/bytes",
            (file, text) -> {
              if (garbage.getAndSet(false)) {
                throw SignalException.failed("half of it");
              }
              return TextCounters.bytesFile(text);
            });
    assertThatThrownBy(reader::look).hasMessage("half of it");
    assertThat(reader.look().points()).containsExactly(new CounterPoint("bytes", 1));
    assertThat(reader.look().points()).isEmpty();
  }

  /** A script that died, and a look at its file that failed for another reason. */
  @Test
  void aFileThatNobodyWritesIsNamedAfterAFailureToo() throws Exception {
    var time = new AtomicLong();
    Path file = written("bytes", 1, 1000);
    var reader = CounterReaders.of("file:" + file, Duration.ofSeconds(20));
    try (var sampler = new CounterSampler(reader, Duration.ofSeconds(7), time::get)) {
      sampler.sample();
      Path aside = Files.move(file, temp.resolve("aside"));
      assertThatThrownBy(sampler::sample).hasMessageContaining("there is no");
      Files.move(aside, file);
      time.set(1000 * MS);
      sampler.sample();
      time.set(8001 * MS);
      sampler.sample();
      assertThat(sampler.blindness().why()).contains("too seldom");
    }
  }

  private Path written(String name, long bytes, long millis) throws IOException {
    Path file = Files.writeString(temp.resolve(name), name + " " + bytes + "\n");
    return Files.setLastModifiedTime(file, FileTime.fromMillis(millis));
  }
}
