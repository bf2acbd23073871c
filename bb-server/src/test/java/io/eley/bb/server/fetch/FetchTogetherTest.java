package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.StoreListener;
import io.eley.bb.server.store.StoreOptions;
import io.eley.test.fixtures.FakeOrigin;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a fetcher thread does with small blocks, on the test's own. */
class FetchTogetherTest {
  private static final int PAGE = 16 << 10;
  private static final int CHUNK = 4 * PAGE;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(4 * CHUNK, CHUNK);
  private static final int SMALL = 2 * PAGE - 100;

  @TempDir Path directory;

  private final FakeOrigin origin = new FakeOrigin();
  private final PermitGate gate = new PermitGate(Duration.ofHours(1), 1 << 20, 8, System::nanoTime);
  private final ChunkReader reader = new ChunkReader(FetchListener.NONE);
  private ChunkReader.Buffer buffer = new ChunkReader.Buffer(4 * CHUNK);
  private GuardedOrigin guard = new GuardedOrigin("test", 2, Duration.ofSeconds(30));
  private BlockStore store;

  @BeforeEach
  void open() throws EleyException {
    open(1 << 20);
    permit(1, Lane.OPEN);
  }

  private void open(long capacity) throws EleyException {
    store = BlockStore.open(new StoreOptions(directory, GEOMETRY, capacity), StoreListener.NONE);
  }

  @AfterEach
  void close() {
    origin.thaw();
    guard.close();
    store.close();
  }

  private void permit(int sequence, Lane prefetch) {
    gate.apply(new Permit(sequence, prefetch, Lane.OPEN, Duration.ofHours(1), "test"));
  }

  private static FetchJob job(FileVersion file, int index) {
    var id = new BlockId(file, index);
    var job = new FetchJob(id, ReadCause.PREFETCH, new WantedPages(GEOMETRY, id));
    job.wanted.add(new Want.Whole());
    return job;
  }

  private List<FetchJob> jobs(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> job(origin.put("/" + i, SMALL - i, 1), 0))
        .toList();
  }

  private FetchTogether.Outcome fetch(List<FetchJob> jobs) {
    return new FetchTogether(guard, origin, store, reader, gate)
        .fetch(
            new FetchQueue.Turn(jobs, FetchQueue.Turn.Kind.TOGETHER, ReadCause.PREFETCH, 0),
            buffer);
  }

  private static Map<FetchJob, ErrorCode> codes(FetchTogether.Outcome outcome) {
    return outcome.failed().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().code()));
  }

  private void assertContents(FetchJob job) throws Exception {
    int length = GEOMETRY.length(job.id);
    try (var held = store.acquire(job.id).orElseThrow()) {
      assertThat(held.complete()).isTrue();
      var bytes = ByteBuffer.allocate(length + 1);
      assertThat(held.channel().read(bytes, 0)).isGreaterThanOrEqualTo(length);
      long offset = GEOMETRY.range(job.id).offset();
      assertThat(bytes.slice(0, length))
          .isEqualTo(ByteBuffer.wrap(origin.bytes(job.id.file().path(), offset, length)));
    }
  }

  @Test
  void eachHasItsOwnBytesAndTheBufferComesBack() throws Exception {
    FileVersion large = origin.put("/large", GEOMETRY.blockSize() + 77, 1);
    List<FetchJob> jobs =
        List.of(
            job(origin.put("/a", 400, 1), 0), job(large, 1), job(origin.put("/b", SMALL, 1), 0));
    ByteBuffer own = buffer.take(1);
    buffer.give(own);
    FetchTogether.Outcome outcome = fetch(jobs);
    assertThat(outcome.later()).isEmpty();
    assertThat(outcome.failed()).isEmpty();
    for (FetchJob job : jobs) {
      assertContents(job);
    }
    assertThat(origin.opens).hasValue(3);
    assertThat(origin.closes).hasValue(3);
    assertThat(reader.bytesByCause()).isEqualTo(Map.of(ReadCause.PREFETCH, 477L + SMALL));
    assertThat(buffer.take(1)).isSameAs(own);
  }

  @Test
  void aLaneThatIsClosedLetsTheOneThatEnteredGoAndLeavesTheOthersForLater() throws Exception {
    List<FetchJob> jobs = jobs(3);
    permit(2, Lane.CLOSED);
    FetchTogether.Outcome outcome = fetch(jobs);
    assertThat(outcome.later()).containsExactly(jobs.get(1), jobs.get(2));
    assertThat(outcome.failed()).isEmpty();
    assertContents(jobs.get(0));
    assertThat(origin.opens).hasValue(1);
    permit(3, Lane.OPEN);
    assertThat(fetch(outcome.later()).later()).isEmpty();
    assertContents(jobs.get(1));
    assertContents(jobs.get(2));
  }

  @Test
  void whatTheStoreHasOfOneIsLeftForATurnOfItsOwn() throws Exception {
    List<FetchJob> jobs = jobs(3);
    FetchJob part = jobs.get(1);
    var writer = store.create(part.id);
    writer.write(0, ByteBuffer.wrap(origin.bytes("/1", 0, PAGE)));
    writer.suspend(false);
    assertThat(fetch(List.of(part)).later()).containsExactly(part);
    assertThat(origin.opens).as("nothing to be read together").hasValue(0);
    FetchTogether.Outcome outcome = fetch(jobs);
    assertThat(outcome.later()).containsExactly(part);
    assertThat(outcome.failed()).isEmpty();
    assertContents(jobs.get(0));
    assertContents(jobs.get(2));
    assertThat(part.satisfied()).isFalse();
    assertThat(part.writer(store, ReadCause.PREFETCH).orElseThrow().written().cardinality())
        .isEqualTo(1);
  }

  @Test
  void oneForWhichThereIsNoRoomFailsAloneAndIsNotRead() throws Exception {
    List<FetchJob> jobs = jobs(3);
    long each = store.footprintBytes(jobs.get(0).id);
    store.close();
    open(2 * each);
    FetchTogether.Outcome outcome = fetch(jobs);
    assertThat(codes(outcome)).isEqualTo(Map.of(jobs.get(2), ErrorCode.NO_SPACE));
    assertThat(outcome.later()).isEmpty();
    assertContents(jobs.get(0));
    assertContents(jobs.get(1));
    assertThat(origin.opens).hasValue(2);
  }

  @Test
  void whatTheRamDiskHasNoFileForIsNotRead() throws Exception {
    Files.delete(directory.resolve("tmp"));
    FetchTogether.Outcome outcome = fetch(jobs(1));
    assertThat(codes(outcome)).containsValue(ErrorCode.UNAVAILABLE);
    assertThat(origin.opens).hasValue(0);
  }

  @Test
  void oneOfAnotherVersionIsNotRead() throws Exception {
    List<FetchJob> jobs = jobs(2);
    origin.put("/0", SMALL, 2);
    FetchTogether.Outcome outcome = fetch(jobs);
    assertThat(codes(outcome)).isEqualTo(Map.of(jobs.get(0), ErrorCode.STALE_VERSION));
    assertThat(origin.reads).extracting(FakeOrigin.Read::path).containsExactly("/1");
    assertContents(jobs.get(1));
  }

  @Test
  void oneThatIsDroppedWhileItIsReadFailsAlone() throws Exception {
    List<FetchJob> jobs = jobs(3);
    origin.beforeRead =
        (n, read) -> {
          if (read.path().equals("/1")) {
            store.dropOtherVersions(new FileVersion("/1", 1, 2));
          }
        };
    FetchTogether.Outcome outcome = fetch(jobs);
    assertThat(codes(outcome)).isEqualTo(Map.of(jobs.get(1), ErrorCode.STALE_VERSION));
    assertThat(outcome.later()).isEmpty();
    assertContents(jobs.get(0));
    assertContents(jobs.get(2));
  }

  @Test
  void oneThatCannotBeOpenedOrReadFailsWithTheOriginsWord() throws Exception {
    List<FetchJob> jobs = jobs(4);
    origin.beforeOpen =
        (n, read) -> {
          if (n == 2) {
            throw new EleyException(ErrorCode.ACCESS_DENIED, "not yours");
          }
        };
    origin.beforeRead =
        (n, read) -> {
          if (read.path().equals("/3")) {
            throw new EleyException(ErrorCode.ORIGIN_FAILED, "a bad sector");
          }
        };
    FetchTogether.Outcome outcome = fetch(jobs);
    assertThat(codes(outcome))
        .isEqualTo(
            Map.of(jobs.get(1), ErrorCode.ACCESS_DENIED, jobs.get(3), ErrorCode.ORIGIN_FAILED));
    assertThat(outcome.later()).isEmpty();
    assertContents(jobs.get(0));
    assertContents(jobs.get(2));
    assertThat(origin.closes).as("each that was opened").hasValue(3);
  }

  @Test
  void aCallThatHangsFailsAllOfThemAndKeepsTheBufferItMayWriteTo() {
    guard.close();
    guard = new GuardedOrigin("test", 2, Duration.ofMillis(100));
    ByteBuffer own = buffer.take(1);
    buffer.give(own);
    origin.freeze();
    List<FetchJob> jobs = jobs(2);
    FetchTogether.Outcome outcome = fetch(jobs);
    assertThat(codes(outcome))
        .isEqualTo(Map.of(jobs.get(0), ErrorCode.ORIGIN_HUNG, jobs.get(1), ErrorCode.ORIGIN_HUNG));
    assertThat(outcome.later()).isEmpty();
    assertThat(buffer.take(1)).isNotSameAs(own);
  }

  @Test
  void aDefectFailsAllThatAreNotOverAndNamesTheFirst() {
    buffer = new ChunkReader.Buffer(1); // too small for any of them
    List<FetchJob> jobs = jobs(2);
    FetchTogether.Outcome outcome = fetch(jobs);
    assertThat(outcome.failed().keySet()).containsExactlyElementsOf(jobs);
    assertThat(outcome.failed().values())
        .allSatisfy(
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL);
              assertThat(e).hasMessageContaining(jobs.get(0).id.toString());
              assertThat(e).hasCauseInstanceOf(IllegalArgumentException.class);
            });
    assertThat(outcome.later()).isEmpty();
    assertThat(origin.opens).hasValue(0);
  }
}
