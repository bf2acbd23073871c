package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.Seed;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranges that are read together give the bytes of each, in fewer reads. */
class RangeReadsTest {
  private static final int NEAR = RangeReads.NEAR;
  private static final int LARGE = RangeReads.LARGE;
  private final byte[] content = new byte[4 << 20];
  private final List<ByteRange> reads = new ArrayList<>();
  private int done;

  RangeReadsTest() {
    new Random(3).nextBytes(content);
  }

  @RepeatedTest(200)
  void anyRangesHaveTheBytesOfPlainReadsAndFailWhereThoseFail() {
    var random = Seed.random("vectored ranges");
    List<ByteRange> ranges =
        IntStream.range(0, random.nextInt(40)).mapToObj(i -> range(random)).toList();
    var results = start(ranges);
    assertThat(results).hasSameSizeAs(ranges);
    for (int i = 0; i < ranges.size(); i++) {
      requireBytesOf(ranges.get(i), results.get(i));
    }
    assertThat(reads).hasSizeLessThanOrEqualTo(ranges.size());
    assertThat(reads).allMatch(read -> read.length() <= RangeReads.MOST || ranges.contains(read));
  }

  @Test
  void smallRangesSideBySideAreOneRead() {
    var ranges =
        IntStream.range(0, 16).mapToObj(i -> new ByteRange((15L - i) << 16, 1 << 16)).toList();
    start(ranges);
    assertThat(reads).containsExactly(new ByteRange(0, 1 << 20));
  }

  @Test
  void whatLiesFurtherApartThanAPageIsReadByItself() {
    start(List.of(new ByteRange(0, 10), new ByteRange(10 + NEAR, 10)));
    assertThat(reads).containsExactly(new ByteRange(0, 20 + NEAR));
    reads.clear();
    start(List.of(new ByteRange(0, 10), new ByteRange(11 + NEAR, 10)));
    assertThat(reads).containsExactly(new ByteRange(0, 10), new ByteRange(11 + NEAR, 10));
  }

  @Test
  void largeRangesAreReadIntoTheirOwnBuffersAndNoReadGrowsWithoutBound() {
    start(List.of(new ByteRange(0, LARGE), new ByteRange(LARGE, 10), new ByteRange(LARGE + 10, 5)));
    assertThat(reads).containsExactly(new ByteRange(0, LARGE), new ByteRange(LARGE, 15));
    reads.clear();
    start(IntStream.range(0, 40).mapToObj(i -> new ByteRange((long) i << 16, 1 << 16)).toList());
    assertThat(reads)
        .extracting(ByteRange::length)
        .containsExactly(1L << 20, 1L << 20, (40L << 16) - (2 << 20));
  }

  /** A task whose bytes are held must not keep those of others waiting, which are in RAM. */
  @Test
  @Timeout(60)
  void whoIsHeldStandsInNobodysWay() throws Exception {
    var held = new CountDownLatch(1);
    var threads = Executors.newCachedThreadPool();
    try {
      List<ByteRange> large =
          IntStream.range(0, 16).mapToObj(i -> new ByteRange((long) i * LARGE, LARGE)).toList();
      var underWay = new AtomicInteger();
      RangeReads.Plain waits =
          (position, target) -> {
            underWay.incrementAndGet();
            awaitUninterruptibly(held);
            readFully(position, target);
          };
      var first = new RangeReads(waits, threads, ByteBuffer::allocate).start(large, content.length);
      await().until(() -> underWay.get() == RangeReads.LARGE_AT_ONCE);
      var other =
          new RangeReads(this::readFully, threads, ByteBuffer::allocate)
              .start(large.subList(0, 2), content.length);
      requireBytesOf(large.get(0), other.get(0));
      requireBytesOf(large.get(1), other.get(1));
      assertThat(underWay).as("of one call").hasValue(RangeReads.LARGE_AT_ONCE);
      held.countDown();
      for (int i = 0; i < large.size(); i++) {
        requireBytesOf(large.get(i), first.get(i));
      }
    } finally {
      held.countDown();
      threads.shutdownNow();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) throws EleyException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted", e);
    }
  }

  @Test
  void aFewLargeRangesHaveAThreadEachAndAllSmallOnesHaveOne() {
    var tasks = new ArrayList<Runnable>();
    List<ByteRange> ranges =
        List.of(
            new ByteRange(0, LARGE),
            new ByteRange(2 * LARGE, LARGE + 5),
            new ByteRange(4 * LARGE, LARGE - 1),
            new ByteRange(6 * LARGE, 10),
            new ByteRange(6 * LARGE + 10, LARGE - 1),
            new ByteRange(8 * LARGE, 10));
    var results =
        new RangeReads(this::readFully, tasks::add, ByteBuffer::allocate)
            .start(ranges, content.length);
    assertThat(tasks).as("two large ones, and one for the others").hasSize(3);
    tasks.forEach(Runnable::run);
    assertThat(reads).hasSize(5);
    for (int i = 0; i < ranges.size(); i++) {
      requireBytesOf(ranges.get(i), results.get(i));
    }
  }

  @Test
  void aRangeThatEndsWithTheFileIsReadWithItsNeighbour() {
    int end = content.length;
    var ranges = List.of(new ByteRange(end - 10, 5), new ByteRange(end - 5, 5));
    var results = start(ranges);
    assertThat(reads).containsExactly(new ByteRange(end - 10, 10));
    requireBytesOf(ranges.get(0), results.get(0));
    requireBytesOf(ranges.get(1), results.get(1));
  }

  @Test
  void aRangeBehindTheEndOfTheFileFailsAlone() {
    int end = content.length;
    var results = start(List.of(new ByteRange(end - 5, 5), new ByteRange(end - 4, 5)));
    requireBytesOf(new ByteRange(end - 5, 5), results.get(0));
    assertThatThrownBy(results.get(1)::join).hasCauseInstanceOf(EleyException.class);
  }

  @Test
  void aRangeThatGetsNoBufferFailsAlone() {
    var results =
        new RangeReads(
                this::readFully,
                Runnable::run,
                length -> {
                  if (length == 7) {
                    throw new IllegalStateException("no buffer");
                  }
                  return ByteBuffer.allocate(length);
                })
            .start(List.of(new ByteRange(0, 7), new ByteRange(7, 8)), content.length);
    assertThatThrownBy(results.get(0)::join).hasMessageContaining("no buffer");
    requireBytesOf(new ByteRange(7, 8), results.get(1));
  }

  @Test
  void smallReadsAreUnderWaySixteenAtATimeAndWaitedForInTheirOrder() {
    var asked = new ArrayList<Long>();
    var waitedFor = new ArrayList<Long>();
    var underWay = new ArrayList<Integer>();
    List<ByteRange> ranges = apart(40);
    var results =
        startWith(
            (position, target) -> {
              asked.add(position);
              underWay.add(asked.size() - waitedFor.size());
              return () -> {
                waitedFor.add(position);
                return put(position, target, target.remaining());
              };
            },
            ranges);
    List<Long> positions = ranges.stream().map(ByteRange::offset).toList();
    assertThat(asked).isEqualTo(positions);
    assertThat(waitedFor).isEqualTo(positions);
    assertThat(done).isEqualTo(1);
    assertThat(underWay)
        .isEqualTo(
            IntStream.rangeClosed(1, 40)
                .map(i -> Math.min(i, RangeReads.IN_FLIGHT))
                .boxed()
                .toList());
    for (int i = 0; i < ranges.size(); i++) {
      requireBytesOf(ranges.get(i), results.get(i));
    }
  }

  @Test
  void whatAStartedReadDoesNotBringIsReadBehindWhereItEnded() {
    for (int count : new int[] {3, 0, -1}) {
      reads.clear();
      var range = new ByteRange(1000, 10);
      var results =
          startWith(
              (position, target) ->
                  () -> {
                    int put = put(position, target, Math.max(0, count));
                    return count < 0 ? count : put;
                  },
              List.of(range));
      requireBytesOf(range, results.get(0));
      int brought = Math.max(0, count);
      assertThat(reads).containsExactly(new ByteRange(1000 + brought, 10 - brought));
    }
  }

  @Test
  void aReadThatFailsWhileItIsWaitedForFailsAlone() {
    List<ByteRange> ranges = apart(5);
    var failures =
        List.of(
            new EleyException(ErrorCode.ORIGIN_FAILED, "a bad sector"),
            new IllegalStateException("a defect"),
            new OutOfMemoryError("no thread can be started"),
            new NoClassDefFoundError("a class that is missing"));
    var results =
        startWith(
            (position, target) -> {
              int index = asInt(position);
              return () -> {
                if (index < failures.size()) {
                  RangeReadsTest.<RuntimeException>throwAny(failures.get(index));
                }
                return put(position, target, target.remaining());
              };
            },
            ranges);
    for (int i = 0; i < failures.size(); i++) {
      assertThat(results.get(i)).isCompletedExceptionally();
      assertThatThrownBy(results.get(i)::join).hasCause(failures.get(i));
    }
    requireBytesOf(ranges.get(4), results.get(4));
  }

  @Test
  void aReadThatCannotBeStartedFailsAlone() {
    List<ByteRange> ranges = apart(2);
    var defect = new AssertionError("a defect");
    var results =
        startWith(
            (position, target) -> {
              if (position == 0) {
                throw defect;
              }
              return () -> put(position, target, target.remaining());
            },
            ranges);
    assertThatThrownBy(results.get(0)::join).hasCause(defect);
    requireBytesOf(ranges.get(1), results.get(1));
  }

  /** Ranges of ten bytes that are not read together. */
  private static List<ByteRange> apart(int count) {
    return IntStream.range(0, count).mapToObj(i -> new ByteRange(2L * NEAR * i, 10)).toList();
  }

  private static int asInt(long position) {
    return (int) (position / (2 * NEAR));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void throwAny(Throwable failure) throws E {
    throw (E) failure;
  }

  private int put(long position, ByteBuffer target, int count) {
    target.put(content, (int) position, count);
    return count;
  }

  private interface Starts {
    RangeReads.Started start(long position, ByteBuffer target);
  }

  private List<CompletableFuture<ByteBuffer>> startWith(Starts starts, List<ByteRange> ranges) {
    var plain =
        new RangeReads.Plain() {
          @Override
          public void readFully(long position, ByteBuffer target) throws EleyException {
            RangeReadsTest.this.readFully(position, target);
          }

          @Override
          public RangeReads.Started start(long position, ByteBuffer target) {
            return starts.start(position, target);
          }

          @Override
          public void done() {
            done++;
          }
        };
    return new RangeReads(plain, Runnable::run, ByteBuffer::allocate).start(ranges, content.length);
  }

  private List<CompletableFuture<ByteBuffer>> start(List<ByteRange> ranges) {
    return new RangeReads(this::readFully, Runnable::run, ByteBuffer::allocate)
        .start(ranges, content.length);
  }

  private ByteRange range(Random random) {
    int[] lengths = {0, 1, 100, 5000, NEAR, LARGE - 1, LARGE, LARGE + 1};
    int length = random.nextInt(lengths[random.nextInt(lengths.length)] + 1);
    // One in sixty or so begins or ends behind the file's end.
    return new ByteRange(random.nextInt(content.length + content.length / 64), length);
  }

  private void requireBytesOf(ByteRange range, CompletableFuture<ByteBuffer> result) {
    if (range.length() > 0 && range.end() > content.length) {
      assertThatThrownBy(result::join).hasCauseInstanceOf(EleyException.class);
      return;
    }
    int begin = (int) range.offset();
    byte[] expected =
        range.length() == 0
            ? new byte[0]
            : Arrays.copyOfRange(content, begin, begin + (int) range.length());
    assertThat(result.join()).isEqualTo(ByteBuffer.wrap(expected));
  }

  private void readFully(long position, ByteBuffer target) throws EleyException {
    reads.add(new ByteRange(position, target.remaining()));
    if (target.hasRemaining() && position + target.remaining() > content.length) {
      throw new EleyException(ErrorCode.MALFORMED, "behind the end");
    }
    target.put(content, (int) Math.min(position, content.length), target.remaining());
  }
}
