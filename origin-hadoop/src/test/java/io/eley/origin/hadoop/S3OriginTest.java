package io.eley.origin.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.AbortableOutput;
import io.eley.bb.api.origin.DurableOutput;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginFile;
import io.eley.bb.api.origin.OriginStatus;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an origin promises, of a prefix of a bucket, and how many requests it takes. */
@Timeout(120)
class S3OriginTest {
  private static final URI DATA = URI.create("s3a://" + MiniS3.BUCKET + "/data");
  private static final int LENGTH = 300_000;

  /** S3A tries once, and fs.s3a.retry.limit times again. */
  private static final int AWAY = 6;

  @TempDir private static Path temp;
  private static MiniS3 s3;
  private static FileSystem files;
  private HadoopOrigin origin;

  @BeforeAll
  static void start() throws Exception {
    s3 = new MiniS3(temp);
    files = s3.files();
  }

  @AfterAll
  static void stop() throws Exception {
    files.close();
    s3.close();
  }

  @BeforeEach
  void open() throws Exception {
    Bytes.write(files, "/data/f", Bytes.random(1, LENGTH));
    Bytes.write(files, "/data/dir/g", Bytes.random(2, 10));
    origin = HadoopOrigin.open(DATA, s3.configuration());
    s3.store.forget();
  }

  @AfterEach
  void close() {
    origin.close();
    s3.store.busy.set(0);
    s3.store.away.set(0);
  }

  private static void refused(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            EleyException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.getMessage()).doesNotContain("\n").doesNotContain("keeps-to-himself");
            });
  }

  @Test
  void aListingAndALookAgreeOnTheVersion() throws Exception {
    OriginStatus file = origin.stat("/f");
    assertThat(file.length()).isEqualTo(LENGTH);
    assertThat(file.stamp().inode()).isNotZero();
    assertThat(origin.list("/")).extracting(OriginStatus::path).contains("/dir", "/f");
    assertThat(origin.list("/").stream().filter(s -> s.path().equals("/f")).findFirst())
        .map(OriginStatus::version)
        .contains(file.version());
    refused(ErrorCode.NOT_FOUND, () -> origin.stat("/none"));
    refused(ErrorCode.OUTSIDE_ORIGIN, () -> origin.stat("/../other"));
  }

  /** One GET for each, of the bytes that were asked for; no HEAD where the version is known. */
  @Test
  void aRangeIsOneRequestOfItsBytes() throws Exception {
    byte[] all = Bytes.random(1, LENGTH);
    var version = origin.stat("/f").version();
    s3.store.forget();
    try (var file = origin.open(version)) {
      assertThat(file.status().version()).isEqualTo(version);
      assertThat(Bytes.read(file, 0, 200_000)).isEqualTo(Arrays.copyOf(all, 200_000));
      assertThat(Bytes.read(file, 280_000, 16_384))
          .isEqualTo(Arrays.copyOfRange(all, 280_000, 296_384));
      assertThat(Bytes.read(file, 100, 16_384)).isEqualTo(Arrays.copyOfRange(all, 100, 16_484));
      assertThat(file.currentStatus().version()).isEqualTo(version);
    }
    assertThat(s3.store.ranges)
        .containsExactly("bytes=0-199999", "bytes=280000-296383", "bytes=100-16483");
    assertThat(s3.store.heads).hasValue(0);
  }

  private static List<OriginFile.Run> runs(int... positionsAndLengths) {
    var runs = new ArrayList<OriginFile.Run>();
    for (int i = 0; i < positionsAndLengths.length; i += 2) {
      var target = ByteBuffer.allocateDirect(positionsAndLengths[i + 1]);
      runs.add(new OriginFile.Run(positionsAndLengths[i], target));
    }
    return runs;
  }

  /** Also where they are near each other, or touch: nobody wants what is between. */
  @Test
  void severalRunsAreOneRequestEachOfTheirBytes() throws Exception {
    byte[] all = Bytes.random(1, LENGTH);
    var version = origin.stat("/f").version();
    s3.store.forget();
    try (var file = origin.open(version)) {
      var runs = runs(200_000, 50_000, 0, 16_384, 20_000, 16_384, 290_000, 10_000);
      file.atOnce().orElseThrow().read(runs, ReadCause.PREFETCH);
      for (OriginFile.Run run : runs) {
        int from = (int) run.position();
        byte[] read = new byte[run.target().flip().remaining()];
        run.target().get(read);
        assertThat(read).isEqualTo(Arrays.copyOfRange(all, from, from + read.length));
      }
    }
    assertThat(s3.store.ranges)
        .containsExactlyInAnyOrder(
            "bytes=200000-249999", "bytes=0-16383", "bytes=20000-36383", "bytes=290000-299999");
    assertThat(s3.store.heads).hasValue(0);
  }

  /** All are under way before the first is answered. */
  @Test
  void runsAreReadSideBySide() throws Exception {
    var all = new CountDownLatch(8);
    s3.store.whenAsked = all::countDown;
    s3.store.answersWhen = all;
    try (var file = origin.open(origin.stat("/f").version())) {
      var runs = runs(IntStream.range(0, 16).map(i -> i % 2 == 0 ? i * 16_384 : 100).toArray());
      file.atOnce().orElseThrow().read(runs, ReadCause.PREFETCH);
      assertThat(runs).noneMatch(run -> run.target().hasRemaining());
    } finally {
      s3.store.whenAsked = () -> {};
      s3.store.answersWhen = new CountDownLatch(0);
    }
    assertThat(all.getCount()).isZero();
  }

  @Test
  void runsOfAnObjectThatWasReplacedAreRefused() throws Exception {
    try (var file = origin.open(origin.stat("/f").version())) {
      Bytes.write(files, "/data/f", Bytes.random(5, LENGTH));
      var runs = runs(0, 10, 100_000, 10);
      refused(
          ErrorCode.STALE_VERSION,
          () -> file.atOnce().orElseThrow().read(runs, ReadCause.PREFETCH));
    }
  }

  @Test
  void anObjectThatWasReplacedIsNeverReadAsTheOldOne() throws Exception {
    var version = origin.stat("/f").version();
    try (var file = origin.open(version)) {
      assertThat(Bytes.read(file, 0, 10)).hasSize(10);
      Bytes.write(files, "/data/f", Bytes.random(5, LENGTH));
      refused(ErrorCode.STALE_VERSION, () -> Bytes.read(file, 100_000, 10));
    }
    try (var file = origin.open(version)) {
      refused(ErrorCode.STALE_VERSION, () -> Bytes.read(file, 0, 10));
    }
    var now = origin.stat("/f").version();
    assertThat(now).isNotEqualTo(version);
    try (var file = origin.open(now)) {
      assertThat(Bytes.read(file, 0, 10)).isEqualTo(Arrays.copyOf(Bytes.random(5, LENGTH), 10));
    }
  }

  /** Sites with gateways say such things of one bucket, for their own clients. */
  @Test
  void whatIsSaidOfOneBucketUndoesNeitherVersionsNorRanges() throws Exception {
    Configuration conf = s3.configuration();
    conf.set("fs.s3a.bucket." + MiniS3.BUCKET + ".change.detection.mode", "none");
    conf.set("fs.s3a.bucket." + MiniS3.BUCKET + ".readahead.range", "1M");
    try (var own = HadoopOrigin.open(DATA, conf);
        var file = own.open("/f")) {
      s3.store.forget();
      assertThat(Bytes.read(file, 0, 10)).hasSize(10);
      assertThat(s3.store.ranges).containsExactly("bytes=0-9");
      Bytes.write(files, "/data/f", Bytes.random(5, LENGTH));
      refused(ErrorCode.STALE_VERSION, () -> Bytes.read(file, 100_000, 10));
    }
  }

  @Test
  void aStoreThatSaysSlowDownIsWaitedForAndCounted() throws Exception {
    long before = origin.throttled();
    s3.store.busy.set(2);
    try (var file = origin.open(origin.stat("/f").version())) {
      assertThat(Bytes.read(file, 0, 10)).isEqualTo(Arrays.copyOf(Bytes.random(1, LENGTH), 10));
    }
    assertThat(origin.throttled() - before).isEqualTo(2);
  }

  /** It is away as often as Hadoop's own settings take, and once more often than a check takes. */
  @Test
  void aStoreThatIsAwayForAWhileCostsTime() throws Exception {
    Configuration brief = s3.configuration();
    brief.set("fs.s3a.retry.interval", "20ms");
    try (var patient = HadoopOrigin.open(DATA, brief)) {
      byte[] all = Bytes.random(1, LENGTH);
      try (var file = patient.open("/f")) {
        s3.store.away.set(AWAY);
        assertThat(Bytes.read(file, 0, 10)).isEqualTo(Arrays.copyOf(all, 10));
        assertThat(s3.store.away).hasValue(0);
      }
      try (var out = patient.create("/written", false)) {
        out.write(all);
        s3.store.away.set(AWAY);
      }
      assertThat(s3.store.away).hasValue(0);
      assertThat(patient.stat("/written").length()).isEqualTo(LENGTH);
    }
    s3.store.away.set(AWAY);
    try (var hasty = HadoopOrigin.open(DATA, ClientSettings.impatient(brief));
        var file = hasty.open("/f")) {
      refused(ErrorCode.ORIGIN_FAILED, () -> Bytes.read(file, 0, 10));
    }
  }

  @Test
  void whatIsWrittenIsThereWhenItIsClosed() throws Exception {
    try (var out = origin.create("/new/f", false)) {
      out.write(Bytes.random(6, 1000));
      assertThat(out).isNotInstanceOf(DurableOutput.class);
      out.flush();
      refused(ErrorCode.NOT_FOUND, () -> origin.stat("/new/f"));
    }
    assertThat(origin.stat("/new/f").length()).isEqualTo(1000);
    origin.rename("/new/f", "/new/g");
    refused(ErrorCode.NOT_FOUND, () -> origin.stat("/new/f"));
    refused(ErrorCode.ORIGIN_FAILED, () -> origin.rename("/new/g", "/f"));
    refused(ErrorCode.ORIGIN_FAILED, () -> origin.create("/f", false));
    refused(ErrorCode.ORIGIN_FAILED, () -> origin.append("/f"));
    assertThat(origin.appends()).isFalse();
    refused(ErrorCode.ORIGIN_FAILED, () -> origin.setTimes("/f", 0, -1));
    origin.delete("/new", true);
    refused(ErrorCode.NOT_FOUND, () -> origin.stat("/new/g"));
  }

  @Test
  void whatIsGivenUpReplacesNothing() throws Exception {
    OutputStream out = origin.create("/f", true);
    out.write(Bytes.random(6, 1000));
    ((AbortableOutput) out).abort();
    out.close();
    assertThat(origin.stat("/f").length()).isEqualTo(LENGTH);
  }

  @Test
  void whatCannotBeAnOriginIsToldInOneLine() {
    refused(ErrorCode.NOT_FOUND, () -> with("s3a://none/data", s3.configuration()));
    refused(ErrorCode.NOT_FOUND, () -> with("s3a://none/", s3.configuration()));
    refused(ErrorCode.NOT_FOUND, () -> with(DATA + "/none", s3.configuration()));
    refused(ErrorCode.NOT_FOUND, () -> with(DATA + "/f", s3.configuration()));
    Configuration wrong = s3.configuration();
    wrong.set("fs.s3a.secret.key", "guessed");
    refused(ErrorCode.ACCESS_DENIED, () -> with(DATA.toString(), wrong));
    Configuration away = s3.configuration();
    away.set("fs.s3a.endpoint", "http://127.0.0.1:1");
    refused(ErrorCode.UNAVAILABLE, () -> HadoopOrigin.check(DATA, away));
  }

  private static Origin with(String address, Configuration conf) throws EleyException {
    return HadoopOrigin.open(URI.create(address), conf);
  }
}
