package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.bb.api.wire.ScratchMessage.Part;
import io.eley.bb.api.wire.ScratchMessage.ReserveScratch;
import io.eley.bb.api.wire.ScratchMessage.ScratchOpened;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The store against lists: what is committed is there, byte by byte, under the name by which Spark
 * looks for it; what was dropped, given up or lost is not; and nothing takes room that was not
 * reserved.
 */
class ScratchStoreModelTest {
  private static final int TRIES = 20;
  private static final int STEPS = 150;
  private static final int SHUFFLES = 3;
  private static final long CAPACITY = 400_000;

  /** The seeds of this run: a given one ({@code -Deley.test.seed}) to replay, or new ones. */
  static LongStream seeds() {
    Long replay = Long.getLong("eley.test.seed");
    return replay != null
        ? LongStream.of(replay)
        : new Random(Long.getLong("eley.test.base", System.nanoTime())).longs(TRIES);
  }

  @SuppressWarnings("ArrayRecordComponent") // compared with files alone
  private record Written(IncomingOutput incoming, ReserveScratch question, byte[] data) {}

  /** One run. */
  private static final class Run {
    final Random random;
    final Path root;
    final AtomicLong reserved = new AtomicLong();
    final Map<String, FakeService> services = new HashMap<>();
    final Map<String, ScratchOpened> opened = new HashMap<>();
    final List<Written> incoming = new ArrayList<>();
    final Map<MapOutput, byte[]> committed = new HashMap<>();
    final ScratchStore store;
    final Map<String, Set<Integer>> dropped = new HashMap<>();

    /** What tasks know, also those that go on when their application has ended. */
    final Map<String, ScratchOpened> told = new HashMap<>();

    final Set<String> ended = new HashSet<>();
    long clock;
    int refused;
    int late;

    Run(long seed, Path root) throws EleyException {
      random = new Random(seed);
      this.root = root;
      var room =
          new ScratchRoom() {
            @Override
            public boolean reserve(long bytes) {
              // Input that is being read does not yield.
              if (reserved.get() + bytes > CAPACITY * 9 / 10) {
                return false;
              }
              reserved.addAndGet(bytes);
              return true;
            }

            @Override
            public void release(long bytes) {
              assertThat(reserved.addAndGet(-bytes)).isNotNegative();
            }
          };
      store =
          ScratchStore.open(
              root,
              "n1",
              new ScratchShare(CAPACITY, 0.5 + random.nextDouble() / 2),
              room,
              (directory, question) -> {
                var service = new FakeService(1 + random.nextInt(65535));
                services.put(question.application(), service);
                return service;
              },
              () -> clock);
    }

    String application() {
      return "app-" + random.nextInt(3);
    }

    void step() throws Exception {
      clock += Duration.ofSeconds(1).toNanos();
      switch (random.nextInt(12)) {
        case 0 -> open(application());
        case 1 -> drop(application(), random.nextInt(SHUFFLES));
        case 2 -> {
          if (random.nextInt(4) == 0) {
            drop(application(), DropScratch.ALL);
          } else if (random.nextInt(4) == 0) {
            clock += Duration.ofMinutes(10).toNanos();
            ended.clear();
          }
        }
        case 3 -> {
          if (random.nextInt(4) == 0) {
            FakeService service = services.get(application());
            if (service != null) {
              service.alive = false;
            }
          }
        }
        case 4 -> abandon();
        case 5, 6, 7 -> commit();
        default -> write();
      }
    }

    void open(String application) throws EleyException {
      if (ended.contains(application)) {
        assertThatExceptionOfType(EleyException.class)
            .isThrownBy(() -> store.open(new OpenScratch(application, Map.of(), "")))
            .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.ENDED));
        late++;
        return;
      }
      FakeService before = services.get(application);
      boolean alive = before != null && before.alive;
      ScratchOpened answer = store.open(new OpenScratch(application, Map.of(), ""));
      if (alive) {
        assertThat(answer).isEqualTo(opened.get(application));
      } else {
        if (opened.containsKey(application)) {
          assertThat(answer.executor()).isNotEqualTo(opened.get(application).executor());
        }
        forget(application, DropScratch.ALL);
        dropped.put(application, new HashSet<>());
        opened.put(application, answer);
        told.put(application, answer);
      }
    }

    void write() throws Exception {
      String application = application();
      ScratchOpened known = told.get(application);
      if (known == null) {
        return;
      }
      byte[] data = new byte[random.nextInt(30_000)];
      random.nextBytes(data);
      var question =
          new ReserveScratch(
              new MapOutput(application, random.nextInt(SHUFFLES), random.nextInt(20)),
              known.executor(),
              List.of(new Part("data", data.length), new Part("index", 16)));
      boolean alive = known.equals(opened.get(application)) && serviceOf(application).alive;
      boolean isLate = ended.contains(application) || (alive && isDropped(question.output()));
      try {
        var output = store.reserve(question);
        assertThat(alive && !isLate).isTrue();
        incoming.add(new Written(output, question, data));
      } catch (EleyException e) {
        ErrorCode other = alive ? ErrorCode.NO_SPACE : ErrorCode.NOT_FOUND;
        assertThat(e.code()).isEqualTo(isLate ? ErrorCode.ENDED : other);
        late += isLate ? 1 : 0;
        refused += alive && !isLate ? 1 : 0;
      }
    }

    FakeService serviceOf(String application) {
      return Objects.requireNonNull(services.get(application));
    }

    boolean isDropped(MapOutput output) {
      return dropped.getOrDefault(output.application(), Set.of()).contains(output.shuffle());
    }

    void abandon() {
      if (!incoming.isEmpty()) {
        store.abandon(incoming.remove(random.nextInt(incoming.size())).incoming());
      }
    }

    void commit() throws Exception {
      if (incoming.isEmpty()) {
        return;
      }
      Written written = incoming.remove(random.nextInt(incoming.size()));
      int cut = written.data().length == 0 ? 0 : random.nextInt(written.data().length);
      byte[] data = written.data();
      put(written, 0, cut, data.length);
      put(written, 0, 0, cut);
      boolean whole = random.nextInt(8) > 0;
      if (whole) {
        store.write(written.incoming(), new WriteScratch(0, 1, 0, new byte[16]));
      }
      MapOutput output = written.question().output();
      String application = output.application();
      ScratchOpened now = opened.get(application);
      boolean same = now != null && now.executor().equals(written.question().executor());
      boolean isLate = ended.contains(application) || isDropped(output);
      try {
        store.commit(written.incoming());
        assertThat(whole && same && !isLate).isTrue();
        committed.put(output, data);
      } catch (EleyException e) {
        assertThat(whole && same && !isLate).as("%s", e).isFalse();
        assertThat(e.code() == ErrorCode.ENDED).isEqualTo(isLate);
        late += isLate ? 1 : 0;
        store.abandon(written.incoming());
      }
    }

    void put(Written written, int part, int from, int to) throws EleyException {
      byte[] piece = java.util.Arrays.copyOfRange(written.data(), from, to);
      store.write(written.incoming(), new WriteScratch(0, part, from, piece));
    }

    void drop(String application, int shuffle) {
      store.drop(new DropScratch(application, shuffle));
      forget(application, shuffle);
      if (shuffle == DropScratch.ALL) {
        ended.add(application);
        dropped.remove(application);
        opened.remove(application);
        services.remove(application);
      } else if (opened.containsKey(application)) {
        Objects.requireNonNull(dropped.get(application)).add(shuffle);
      }
    }

    void forget(String application, int shuffle) {
      committed
          .keySet()
          .removeIf(
              output ->
                  output.application().equals(application)
                      && (shuffle == DropScratch.ALL || output.shuffle() == shuffle));
    }

    void check() throws IOException {
      long bytes =
          incoming.stream().mapToLong(w -> IncomingOutput.footprint(w.question().parts())).sum()
              + committed.values().stream()
                  .mapToLong(d -> ScratchFiles.footprint(d.length) + ScratchFiles.footprint(16))
                  .sum();
      assertThat(reserved).hasValue(bytes);
      assertThat(store.counters().bytes()).isEqualTo(bytes);
      assertThat(store.counters().refused()).isEqualTo(refused);
      assertThat(store.counters().late()).isEqualTo(late);
      for (var entry : committed.entrySet()) {
        var place = Path.of(known(entry.getKey()).directory());
        String name = entry.getKey().blockName();
        assertThat(ScratchFiles.place(place, name + ".data")).hasBinaryContent(entry.getValue());
        assertThat(ScratchFiles.place(place, name + ".index")).hasSize(16);
      }
      assertThat(files(".index")).isEqualTo(committed.size());
      assertThat(files(".data")).isEqualTo(committed.size());
    }

    ScratchOpened known(MapOutput output) {
      return Objects.requireNonNull(opened.get(output.application()));
    }

    long files(String ending) throws IOException {
      try (Stream<Path> files = Files.walk(root)) {
        return files.filter(file -> file.toString().endsWith(ending)).count();
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void behavesAsTheModel(long seed, @TempDir Path directory) throws Exception {
    Path root = directory.resolve("scratch");
    var run = new Run(seed, root);
    for (int i = 0; i < STEPS; i++) {
      run.step();
      run.check();
    }
    run.incoming.forEach(written -> run.store.abandon(written.incoming()));
    run.store.close();
    assertThat(run.reserved).hasValue(0);
    assertThat(root).doesNotExist();
    assertThat(run.services.values()).allMatch(service -> !service.alive);
  }
}
