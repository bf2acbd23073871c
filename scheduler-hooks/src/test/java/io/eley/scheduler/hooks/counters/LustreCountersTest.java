package io.eley.scheduler.hooks.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.scheduler.hooks.signal.SignalException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries of jobs that come and go, as {@code job_cleanup_interval} makes them. */
class LustreCountersTest {
  private static final long TB = 1L << 40;
  private static final long GB = 1L << 30;

  @TempDir Path temporary;
  private final LustreCounters counters = new LustreCounters();

  private record Job(String id, long read, long written) {}

  private static String jobStats(Job... jobs) {
    var text = new StringBuilder("job_stats:\n");
    for (Job job : jobs) {
      text.append(
          """
          - job_id:          %s
            snapshot_time:   1510782606
            read_bytes:      { samples: 2, unit: bytes, min: 4096, max: 8192, sum: %d }
            write_bytes:     { samples: 1, unit: bytes, min: 7, max: 7, sum: %d, sumsq: 49 }
          """
              .formatted(job.id, job.read, job.written));
    }
    return text.toString();
  }

  private long total(String target, Job... jobs) throws SignalException {
    return counters.read(target, jobStats(jobs)).get(0).bytes();
  }

  @Test
  void anEntryThatExpiresMovesNothing() throws Exception {
    long before = total("ost0", new Job("climate", 3 * TB, 2 * TB), new Job("cp", 10, 0));
    assertThat(total("ost0", new Job("cp", 30, 5)) - before).isEqualTo(25);
    assertThat(total("ost0") - before).isEqualTo(25);
  }

  @Test
  void anEntryThatComesBackHasMovedWhatItShows() throws Exception {
    long before = total("ost0", new Job("climate", 3 * TB, 2 * TB));
    total("ost0");
    assertThat(total("ost0", new Job("climate", 1000, 24)) - before).isEqualTo(1024);
    assertThat(total("ost0", new Job("climate", 1500, 24)) - before).isEqualTo(1524);
  }

  @Test
  void anEntryThatOneListingLeftOutHasMovedTheDifference() throws Exception {
    long before = total("ost0", new Job("climate", 3 * TB, 2 * TB), new Job("cp", 1, 0));
    total("ost0", new Job("cp", 1, 0));
    assertThat(total("ost0", new Job("climate", 3 * TB + 7, 2 * TB)) - before).isEqualTo(7);
  }

  @Test
  void aNewJobHasMovedAllThatItShowsUnlessNobodyCouldHave() throws Exception {
    long before = total("ost0", new Job("cp", 1, 0));
    assertThat(total("ost0", new Job("cp", 1, 0), new Job("new", 500, 0)) - before).isEqualTo(500);
    assertThat(total("ost0", new Job("old", 5 * TB, 0)) - before).isEqualTo(500);
    assertThat(total("ost0", new Job("old", 5 * TB + 3, 0)) - before).isEqualTo(503);
  }

  @Test
  void oneTargetThatBeginsAnewLeavesTheOthersAlone() throws Exception {
    long first = total("ost0", new Job("climate", TB, 0));
    long second = total("ost1", new Job("climate", 2 * TB, 0));
    assertThat(total("ost0", new Job("climate", 10, 0)) - first).isEqualTo(10);
    assertThat(total("ost1", new Job("climate", 2 * TB + 5, 0)) - second).isEqualTo(5);
  }

  @Test
  void statsWithoutJobsThatFallHaveBegunAnew() throws Exception {
    String stats = "snapshot_time 1\nread_bytes 2 samples [bytes] 4096 8192 %d\n";
    long before = counters.read("ost0", stats.formatted(5 * TB)).get(0).bytes();
    assertThat(counters.read("ost0", stats.formatted(100)).get(0).bytes() - before).isEqualTo(100);
  }

  /** As {@code jobid_var=procname_uid} makes it: an entry of 1.3 kB for each program and user. */
  @Test
  void aTextOfFiveMegabytesIsReadToItsEnd() throws Exception {
    Path file = temporary.resolve("job_stats");
    var reader = CounterReaders.of("lustre:" + file, Duration.ofSeconds(20));
    Files.writeString(file, manyJobs(0, 0));
    assertThat(Files.size(file)).isGreaterThan(5 << 20);
    long before = bytes(reader);
    assertThat(before).as("all of them").isEqualTo(4000 * GB);
    Files.writeString(file, manyJobs(1000, 0));
    assertThat(bytes(reader) - before).as("a quarter of them has expired").isZero();
    Files.writeString(file, manyJobs(1000, 7));
    assertThat(bytes(reader) - before).as("the last one has moved").isEqualTo(7);
  }

  private static String manyJobs(int from, long lastMoved) {
    var text = new StringBuilder("job_stats:\n");
    String others = "  getattr:         { samples: 0, unit: usecs, min: 0, max: 0, sum: 0 }\n";
    for (int job = from; job < 4000; job++) {
      text.append("- job_id:          program.").append(job).append('\n');
      text.append("  read_bytes:      { samples: 2, unit: bytes, min: 4096, max: 8192, sum: ");
      text.append(job < 3999 ? GB : GB + lastMoved).append(" }\n").append(others.repeat(18));
    }
    return text.toString();
  }

  private static long bytes(CounterReader reader) throws Exception {
    return reader.look().points().get(0).bytes();
  }

  @Test
  void aTextThatIsTooLongIsAnErrorThatSaysSo() throws Exception {
    Path file = temporary.resolve("job_stats");
    try (var text = new RandomAccessFile(file.toFile(), "rw")) {
      text.writeBytes("job_stats:\n");
      text.setLength((32 << 20) + 1);
      for (String kind : List.of("lustre:", "file:")) {
        assertThatThrownBy(CounterReaders.of(kind + file, Duration.ofSeconds(20))::look)
            .hasMessage(file + " has more than 32 MiB, which is the most that is read");
      }
      text.setLength(32 << 20);
      CounterReaders.of("lustre:" + file, Duration.ofSeconds(20)).look();
    }
  }

  @Test
  void moreJobsThanAreRememberedAreAnError() throws Exception {
    int half = LustreCounters.ENTRIES_MAX / 2;
    long before = counters.read("ost0", shortJobs(half)).get(0).bytes();
    assertThat(counters.read("ost1", shortJobs(half)).get(0).bytes()).isEqualTo(before);
    assertThatThrownBy(() -> counters.read("ost1", shortJobs(half + 1)))
        .isInstanceOf(SignalException.class)
        .hasMessageContaining("more than 100000 jobs");
    assertThat(counters.read("ost0", shortJobs(half)).get(0).bytes()).isEqualTo(before);
    assertThat(counters.read("ost1", shortJobs(half)).get(0).bytes()).isEqualTo(before);
  }

  private static String shortJobs(int count) {
    var text = new StringBuilder("job_stats:\n");
    for (int job = 0; job < count; job++) {
      text.append("- job_id: ").append(job).append("\nread_bytes: { sum: 5 }\n");
    }
    return text.toString();
  }

  /** Through the whole source: as many bytes as jobs moved, never as many as their entries held. */
  @Test
  void theBytesOfJobsThatComeAndGoAreTheBytesThatTheyMoved() throws Exception {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of Lustre's jobs (-Deley.test.seed=...): " + seed);
    var random = new Random(seed);
    var deltas = new CounterDeltas();
    long[] shown = {4 * TB, 3 * TB, 2 * TB};
    boolean[] listed = {true, true, true};
    long moved = 0;
    long counted = 0;
    for (int second = 0; second < 2000; second++) {
      var jobs = new ArrayList<Job>();
      for (int i = 0; i < shown.length; i++) {
        if (second > 0 && !listed[i] && random.nextInt(5) == 0) {
          listed[i] = true;
          // Less than before: of two equal ones nobody can tell that the first has expired.
          shown[i] = random.nextInt((int) Math.max(1, Math.min(shown[i], 1 << 20)));
          moved += shown[i];
        } else if (second > 0 && listed[i] && random.nextInt(10) == 0) {
          listed[i] = false;
        } else if (second > 0 && listed[i]) {
          long bytes = (1L << 20) + random.nextInt(1 << 28);
          shown[i] += bytes;
          moved += bytes;
        }
        if (listed[i]) {
          jobs.add(new Job("job" + i, shown[i], 0));
        }
      }
      List<CounterPoint> points = counters.read("ost0", jobStats(jobs.toArray(Job[]::new)));
      for (var delta : deltas.take(points, second * 1_000_000_000L).stream().toList()) {
        assertThat(delta.bytes()).isBetween(0L, 3L << 29);
        counted += delta.bytes();
      }
    }
    assertThat(counted).isEqualTo(moved);
  }
}
