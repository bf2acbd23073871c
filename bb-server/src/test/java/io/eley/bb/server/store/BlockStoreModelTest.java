package io.eley.bb.server.store;

import static io.eley.bb.server.store.StoreFixture.CHUNK;
import static io.eley.bb.server.store.StoreFixture.GEOMETRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The store against a model that is obviously right: a list of blocks in the order in which they
 * were used, searched from end to end each time. Each try runs a random sequence of operations; the
 * model says which blocks there must be and how many bytes are used, and the directory is weighed
 * after each step.
 */
class BlockStoreModelTest {
  private static final int TRIES = 150;
  private static final int STEPS = 120;

  private Path directory;

  /** A block as the model sees it. */
  private static final class Model {
    final BlockId id;
    long bytes;
    final Set<Integer> chunks = new HashSet<>();
    boolean committed;
    boolean gone;
    boolean freed;

    /** When its last pin was closed, or when it was freed or retained. */
    long used;

    @Nullable BlockWriter writer;

    /** What the victims gave beyond the need; given back when this writer has unlinked them. */
    long surplus;

    /** Dropped blocks that were pinned; this writer has not unlinked them yet. */
    List<Model> holds = List.of();

    int holders;

    final List<StoredBlock> pins = new ArrayList<>();

    Model(BlockId id, long bytes) {
      this.id = id;
      this.bytes = bytes;
    }

    BlockWriter writer() {
      return Objects.requireNonNull(writer, "nobody writes it");
    }

    boolean rests() {
      return writer == null && !gone;
    }

    boolean pinned() {
      return writer != null || !pins.isEmpty() || holders > 0;
    }
  }

  /** Operations, their arguments drawn from one seed. */
  private final class Run {
    final Random random;
    final long capacity;

    /** The capacity, or less while others fill the RAM-disk. */
    long limit;

    final List<Model> blocks = new ArrayList<>();
    long clock;
    long evicted;
    BlockStore store;

    Run(long seed) throws EleyException {
      random = new Random(seed);
      capacity = (2 + random.nextInt(6)) * (long) StoreFixture.FOOTPRINT + random.nextInt(9000);
      limit = capacity;
      store = StoreFixture.open(directory, capacity);
    }

    void step() throws Exception {
      switch (random.nextInt(14)) {
        case 0, 1 -> create();
        case 2, 3, 4 -> write();
        case 5 -> commit();
        case 6 -> abort();
        case 11 -> suspend();
        case 7, 8 -> acquire();
        case 9 -> closePin();
        case 10 -> freeOrRetain();
        case 12 -> squeezeOrGrow();
        default -> rare();
      }
      check();
    }

    void create() {
      BlockId id = anyId();
      Model known = find(id);
      if (known != null && (known.committed || known.writer != null)) {
        assertThat(tried(id)).as("there, or somebody writes it").isFalse();
        return;
      }
      Model made = known != null ? known : new Model(id, 0);
      List<Model> stale = live().filter(b -> olderVersion(b.id, id)).toList();
      long whole = store.footprintBytes(id);
      long needed = whole - made.bytes - (limit - used());
      long missing = needed - unpinnedBytes(stale);
      var victims = new ArrayList<Model>();
      var staying = new ArrayList<>(stale);
      staying.add(made);
      for (Model candidate : evictionOrder(staying)) {
        if (missing > 0) {
          victims.add(candidate);
          missing -= candidate.bytes;
        }
      }
      try {
        made.writer = store.create(id);
        made.bytes = whole;
        assertThat(missing).as("created without room").isLessThanOrEqualTo(0);
        made.surplus =
            Math.max(0, unpinnedBytes(stale) + unpinnedBytes(victims) - Math.max(0, needed));
        made.holds = stale.stream().filter(Model::pinned).toList();
        made.holds.forEach(b -> b.holders++);
        stale.forEach(b -> b.gone = true);
        victims.forEach(b -> b.gone = true);
        evicted += victims.size();
        blocks.removeIf(b -> b.gone && !b.pinned());
        if (known == null) {
          blocks.add(made);
        }
      } catch (EleyException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(missing).as("refused although there was room").isPositive();
        if (known != null && !known.pinned()) {
          known.used = clock++;
        }
      }
    }

    private boolean tried(BlockId id) {
      try {
        return store.tryCreate(id).isPresent();
      } catch (EleyException e) {
        throw new AssertionError(e);
      }
    }

    void suspend() {
      Model block =
          any(b -> b.writer != null && !b.chunks.isEmpty() && b.chunks.size() < chunks(b.id));
      if (block == null) {
        return;
      }
      try {
        block.writer().suspend(random.nextBoolean());
        assertThat(block.gone).as("left a part of a dropped block").isFalse();
        int last = GEOMETRY.length(block.id) % CHUNK;
        boolean shortOne = last > 0 && block.chunks.contains(chunks(block.id) - 1);
        block.bytes =
            BlockStore.footprint(
                (long) block.chunks.size() * CHUNK - (shortOne ? CHUNK - last : 0));
      } catch (EleyException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.STALE_VERSION);
        assertThat(block.gone).isTrue();
      }
      endWriter(block);
    }

    void write() throws EleyException {
      Model block = any(b -> b.writer != null && b.chunks.size() < chunks(b.id));
      if (block == null) {
        return;
      }
      int chunk = random.nextInt(chunks(block.id));
      while (block.chunks.contains(chunk)) {
        chunk = (chunk + 1) % chunks(block.id);
      }
      try {
        StoreFixture.writeChunk(block.writer(), block.id, chunk);
        assertThat(block.gone).as("wrote to a dropped block").isFalse();
        block.chunks.add(chunk);
        unlinked(block);
      } catch (EleyException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.STALE_VERSION);
        assertThat(block.gone).isTrue();
      }
    }

    void commit() {
      Model block = any(b -> b.writer != null && b.chunks.size() == chunks(b.id));
      if (block == null) {
        return;
      }
      try {
        block.writer().commit();
        assertThat(block.gone).as("committed a dropped block").isFalse();
        block.committed = true;
      } catch (EleyException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.STALE_VERSION);
        assertThat(block.gone).isTrue();
      }
      endWriter(block);
    }

    void abort() {
      Model block = any(b -> b.writer != null);
      if (block != null) {
        block.writer().abort(new EleyException(ErrorCode.UNAVAILABLE, "model"));
        block.gone = true;
        endWriter(block);
      }
    }

    void acquire() throws IOException {
      BlockId id = anyId();
      Model block = find(id);
      var held = store.acquire(id);
      assertThat(held.isPresent()).isEqualTo(block != null);
      if (block != null) {
        assertThat(held.get().complete()).isEqualTo(block.committed);
        block.pins.add(held.get());
        checkContents(block, held.get());
      }
    }

    void closePin() throws IOException {
      Model block = any(b -> !b.pins.isEmpty());
      if (block != null) {
        StoredBlock pin = block.pins.remove(random.nextInt(block.pins.size()));
        checkContents(block, pin);
        pin.close();
        released(block);
      }
    }

    void freeOrRetain() {
      BlockId id = anyId();
      Model block = find(id);
      boolean free = random.nextBoolean();
      if (free) {
        store.free(List.of(id));
      } else if (random.nextBoolean()) {
        var pages = new BitSet();
        random.ints(2, 0, chunks(id)).forEach(pages::set);
        assertThat(store.retain(id, pages))
            .isEqualTo(
                block != null && block.rests() && pages.stream().allMatch(block.chunks::contains));
      } else {
        assertThat(store.retain(id)).isEqualTo(block != null && block.committed);
      }
      if (block != null) {
        block.freed = free;
        block.used = clock++;
      }
    }

    /** Others fill the RAM-disk, which a writer notices, or have left. */
    void squeezeOrGrow() {
      Model block = any(b -> b.writer != null);
      if (block == null || random.nextBoolean()) {
        store.checkRoom(0);
        limit = capacity;
        return;
      }
      var arrivals = new Arrivals(GEOMETRY, GEOMETRY.length(block.id));
      var file = new BlockFile(directory.resolve("none"), new FileOpener(), true);
      var entry = new Entry(block.id, block.bytes, arrivals, file, Entry.State.ARRIVING);
      store.room().squeeze(entry);
      limit = Math.min(limit, used() - block.bytes);
    }

    void rare() throws EleyException {
      if (random.nextInt(3) > 0) {
        FileVersion current = anyId().file();
        store.dropOtherVersions(current);
        live()
            .filter(b -> b.id.file().path().equals(current.path()) && !b.id.file().equals(current))
            .forEach(b -> b.gone = true);
        blocks.removeIf(b -> b.gone && !b.pinned());
      } else {
        restart();
      }
    }

    /** Stops with everything let go, as a node does, and starts on the same files. */
    void restart() throws EleyException {
      for (Model block : blocks) {
        if (block.writer != null) {
          block.writer.abort(new EleyException(ErrorCode.UNAVAILABLE, "model"));
          block.gone = true;
        }
        block.surplus = 0;
        block.holders = 0;
        block.pins.forEach(StoredBlock::close);
        block.pins.clear();
        block.writer = null;
        block.gone |= !block.committed;
      }
      blocks.removeIf(b -> b.gone);
      var newest =
          blocks.stream()
              .collect(
                  Collectors.toMap(
                      b -> b.id.file().path(), b -> b.id.file().modifiedMillis(), Math::max));
      blocks.removeIf(
          b ->
              b.id.file().modifiedMillis()
                  < Objects.requireNonNull(newest.get(b.id.file().path())));
      store.close();
      store = StoreFixture.open(directory, capacity);
      limit = capacity;
      evicted = 0;
      // Files of one millisecond have no order; use each, so that store and model agree on one.
      blocks.sort(Comparator.comparing(b -> b.id.toString()));
      for (Model block : blocks) {
        block.freed = false;
        block.used = clock++;
        store.acquire(block.id).orElseThrow().close();
      }
    }

    void check() throws IOException {
      assertThat(store.usedBytes()).as("used").isEqualTo(used());
      assertThat(store.usedBytes()).isLessThanOrEqualTo(capacity);
      assertThat(store.limitBytes()).as("limit").isEqualTo(limit);
      assertThat(onDisk()).as("on disk").isLessThanOrEqualTo(capacity);
      assertThat(store.inventory())
          .containsExactlyInAnyOrderElementsOf(
              live().filter(b -> b.committed).map(b -> b.id).toList());
      assertThat(store.blockCount()).isEqualTo((int) live().filter(b -> b.committed).count());
      for (Model block : blocks) {
        for (StoredBlock pin : block.pins) {
          for (int chunk = 0; chunk < chunks(block.id); chunk++) {
            assertThat(pin.arrived(chunk * CHUNK, 1)).isEqualTo(block.chunks.contains(chunk));
          }
        }
      }
    }

    private void endWriter(Model block) {
      block.writer = null;
      unlinked(block);
      released(block);
    }

    /** The writer has unlinked those that left for its block. */
    private void unlinked(Model block) {
      block.surplus = 0;
      block.holds.forEach(b -> b.holders--);
      block.holds = List.of();
      blocks.removeIf(b -> b.gone && !b.pinned());
    }

    private void released(Model block) {
      if (!block.pinned()) {
        block.used = clock++;
      }
      blocks.removeIf(b -> b.gone && !b.pinned());
    }

    private void checkContents(Model block, StoredBlock pin) throws IOException {
      byte[] expected = StoreFixture.contents(block.id);
      for (int chunk : block.chunks) {
        int length = Math.min(CHUNK, expected.length - chunk * CHUNK);
        var bytes = java.nio.ByteBuffer.allocate(length);
        assertThat(pin.channel().read(bytes, (long) chunk * CHUNK)).isEqualTo(length);
        assertThat(bytes.array())
            .isEqualTo(
                java.util.Arrays.copyOfRange(expected, chunk * CHUNK, chunk * CHUNK + length));
      }
    }

    private long used() {
      return blocks.stream().mapToLong(b -> b.bytes + b.surplus).sum();
    }

    private java.util.stream.Stream<Model> live() {
      return blocks.stream().filter(b -> !b.gone);
    }

    private List<Model> evictionOrder(List<Model> except) {
      return live()
          .filter(b -> b.rests() && !b.pinned() && !except.contains(b))
          .sorted(Comparator.comparing((Model b) -> !b.freed).thenComparingLong(b -> b.used))
          .toList();
    }

    private @Nullable Model find(BlockId id) {
      return live().filter(b -> b.id.equals(id)).findFirst().orElse(null);
    }

    private @Nullable Model any(java.util.function.Predicate<Model> which) {
      List<Model> fitting = blocks.stream().filter(which).toList();
      return fitting.isEmpty() ? null : fitting.get(random.nextInt(fitting.size()));
    }

    private BlockId anyId() {
      // The two files are short, so that last blocks of odd lengths come up often.
      boolean first = random.nextBoolean();
      int blockCount = first ? 6 : 2;
      long length = (blockCount - 1L) * StoreFixture.BLOCK + (first ? 1 : 2 * CHUNK + 77);
      long modified = 1L + (random.nextInt(10) == 0 ? 1 + random.nextInt(2) : 0);
      return new BlockId(
          new FileVersion(first ? "/a" : "/b", length, modified), random.nextInt(blockCount));
    }
  }

  private static boolean olderVersion(BlockId there, BlockId made) {
    return there.file().path().equals(made.file().path())
        && !there.file().equals(made.file())
        && there.file().modifiedMillis() <= made.file().modifiedMillis();
  }

  private static int chunks(BlockId id) {
    return GEOMETRY.chunkCount(GEOMETRY.length(id));
  }

  private static long unpinnedBytes(List<Model> blocks) {
    return blocks.stream().filter(b -> !b.pinned()).mapToLong(b -> b.bytes).sum();
  }

  private long onDisk() throws IOException {
    long bytes = 0;
    for (String folder : List.of("tmp", "blocks")) {
      for (Path file : StoreDirectory.files(directory.resolve(folder))) {
        bytes += folder.equals("tmp") ? written(file) : BlockStore.footprint(Files.size(file));
      }
    }
    return bytes;
  }

  /** Bytes that a sparse file takes: no page of random bytes is all zeros. */
  private static long written(Path file) throws IOException {
    byte[] all = Files.readAllBytes(file);
    long bytes = 0;
    for (int page = 0; page < all.length; page += 4096) {
      int end = Math.min(all.length, page + 4096);
      boolean zeros = Arrays.mismatch(all, page, end, new byte[4096], 0, end - page) < 0;
      bytes += zeros ? 0 : 4096;
    }
    return bytes;
  }

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("eley-store-model");
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The seeds of this run: a given one ({@code -Deley.test.seed}) to replay, or 150 new ones. */
  static LongStream seeds() {
    Long replay = Long.getLong("eley.test.seed");
    return replay != null
        ? LongStream.of(replay)
        : new Random(Long.getLong("eley.test.base", System.nanoTime())).longs(TRIES);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void behavesAsTheModel(long seed) throws Exception {
    var run = new Run(seed);
    try {
      for (int step = 0; step < STEPS; step++) {
        run.step();
      }
      assertThat(run.store.evictedBlocks()).isEqualTo(run.evicted);
      run.restart();
      run.check();
    } finally {
      run.store.close();
    }
  }
}
