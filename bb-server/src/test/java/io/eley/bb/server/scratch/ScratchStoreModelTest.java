package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.bb.api.wire.ScratchMessage.Part;
import io.eley.bb.api.wire.ScratchMessage.ReserveScratch;
import io.eley.bb.api.wire.ScratchMessage.ScratchOpened;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.server.net.ReceivedBytes;
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
import java.util.Optional;
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
  private record Written(IncomingOutput incoming, ReserveScratch question, byte[] data) {
    long footprint() {
      return IncomingOutput.footprint(question.parts());
    }
  }

  /** An output that readers see. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Seen(Tier tier, byte[] data) {
    long footprint() {
      return ScratchFiles.footprint(data.length) + ScratchFiles.footprint(16);
    }
  }

  /** One run. */
  private static final class Run {
    final Random random;
    final Path root;
    final Path overflow;
    final TierRule rule;
    final AtomicLong reserved = new AtomicLong();
    final Map<String, FakeService> services = new HashMap<>();
    final Map<String, ScratchOpened> opened = new HashMap<>();
    final List<Written> incoming = new ArrayList<>();
    final Map<MapOutput, Seen> committed = new HashMap<>();
    final ScratchStore store;
    final Map<String, Set<Integer>> dropped = new HashMap<>();

    /** What tasks know, also those that go on when their application has ended. */
    final Map<String, ScratchOpened> told = new HashMap<>();

    final Set<String> ended = new HashSet<>();
    long clock;
    int refused;
    int late;
    int overflowed;

    Run(long seed, Path directory) throws EleyException {
      random = new Random(seed);
      root = directory.resolve("scratch");
      overflow = directory.resolve("overflow");
      boolean tiers = random.nextInt(4) > 0;
      rule =
          new TierRule(
              new ScratchShare(CAPACITY, 0.2 + random.nextDouble() * 0.8),
              tiers ? 1 + random.nextInt((int) CAPACITY) : 0);
      var room =
          new ScratchRoom() {
            @Override
            public boolean reserve(long bytes) {
              if (!yields(bytes)) {
                return false;
              }
              reserved.addAndGet(bytes);
              return true;
            }

            @Override
            public void release(long bytes) {
              assertThat(reserved.addAndGet(-bytes)).isNotNegative();
            }

            @Override
            public void refuse(long bytes) {}
          };
      store =
          ScratchStore.open(
              new ScratchDirectories(root, tiers ? Optional.of(overflow) : Optional.empty()),
              "n1",
              new ScratchLedger(rule, room),
              (path, question) -> {
                var service = new FakeService(1 + random.nextInt(65535));
                services.put(question.application(), service);
                return service;
              },
              () -> clock);
    }

    /** Input that is being read does not yield. */
    boolean yields(long bytes) {
      return reserved.get() + bytes <= CAPACITY * 9 / 10;
    }

    /** Where an output of so many bytes must go; empty when there is no room. */
    Optional<Tier> expected(long bytes) {
      if (bytes <= rule.ram().limitBytes() - used(Tier.RAM) && yields(bytes)) {
        return Optional.of(Tier.RAM);
      }
      return bytes <= rule.overflowBytes() - used(Tier.OVERFLOW)
          ? Optional.of(Tier.OVERFLOW)
          : Optional.empty();
    }

    long used(Tier tier) {
      return incoming.stream()
              .filter(w -> w.incoming().tier() == tier)
              .mapToLong(Written::footprint)
              .sum()
          + committed.values().stream()
              .filter(s -> s.tier() == tier)
              .mapToLong(Seen::footprint)
              .sum();
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
      boolean isLate = ended.contains(application) || isDropped(question.output());
      var expected = expected(IncomingOutput.footprint(question.parts()));
      try {
        var output = store.reserve(question);
        assertThat(alive && !isLate).isTrue();
        assertThat(Optional.of(output.tier())).isEqualTo(expected);
        incoming.add(new Written(output, question, data));
      } catch (EleyException e) {
        ErrorCode other = alive ? ErrorCode.NO_SPACE : ErrorCode.NOT_FOUND;
        assertThat(e.code()).isEqualTo(isLate ? ErrorCode.ENDED : other);
        assertThat(other == ErrorCode.NO_SPACE && !isLate && expected.isPresent()).isFalse();
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
      boolean whole = random.nextInt(8) > 0;
      if (data.length > 0 && random.nextBoolean()) {
        whole &= give(written);
      } else {
        put(written, 0, cut, data.length);
        put(written, 0, 0, cut);
      }
      if (whole) {
        write(written, 1, 0, new byte[16]);
      }
      MapOutput output = written.question().output();
      String application = output.application();
      ScratchOpened now = opened.get(application);
      boolean same =
          now != null
              && now.executor().equals(written.question().executor())
              && serviceOf(application).alive;
      boolean isLate = ended.contains(application) || isDropped(output);
      try {
        store.commit(written.incoming());
        assertThat(whole && same && !isLate).isTrue();
        committed.put(output, new Seen(written.incoming().tier(), data));
        overflowed += written.incoming().tier() == Tier.OVERFLOW ? 1 : 0;
      } catch (EleyException e) {
        assertThat(whole && same && !isLate).as("%s", e).isFalse();
        assertThat(e.code() == ErrorCode.ENDED).isEqualTo(isLate);
        late += isLate ? 1 : 0;
        store.abandon(written.incoming());
      }
    }

    /** As a writer on the node's machine does, now and then too little, or not only that. */
    boolean give(Written written) throws IOException {
      byte[] data = written.data();
      int fault = random.nextInt(8);
      Path file = Path.of(written.incoming().given() + ".0");
      if (!Files.isDirectory(Objects.requireNonNull(file.getParent()))) {
        return false; // its service has gone, and with it all of the application
      }
      Files.write(file, fault == 0 ? java.util.Arrays.copyOf(data, data.length - 1) : data);
      if (fault == 1 && data.length > 1) {
        put(written, 0, 0, 1);
        return false;
      }
      return fault != 0;
    }

    void put(Written written, int part, int from, int to) throws EleyException {
      byte[] piece = java.util.Arrays.copyOfRange(written.data(), from, to);
      if (piece.length > 0) {
        write(written, part, from, piece);
      }
    }

    private void write(Written written, int part, int from, byte[] piece) throws EleyException {
      try (var bytes = ReceivedBytes.of(piece)) {
        store.write(written.incoming(), new WriteScratch(0, part, from, piece.length), bytes);
      }
    }

    void drop(String application, int shuffle) {
      store.drop(new DropScratch(application, shuffle));
      forget(application, shuffle);
      if (shuffle == DropScratch.ALL) {
        ended.add(application);
        dropped.remove(application);
        opened.remove(application);
        services.remove(application);
      } else if (!ended.contains(application)) {
        dropped.computeIfAbsent(application, name -> new HashSet<>()).add(shuffle);
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
      assertThat(reserved).hasValue(used(Tier.RAM));
      assertThat(store.counters().bytes()).isEqualTo(used(Tier.RAM));
      assertThat(store.counters().overflow())
          .isEqualTo(
              new NodeCounters.Overflow(used(Tier.OVERFLOW), rule.overflowBytes(), overflowed));
      assertThat(store.counters().refused()).isEqualTo(refused);
      assertThat(store.counters().late()).isEqualTo(late);
      assertThat(store.counters().applications())
          .extracting(NodeCounters.Held::application)
          .containsExactlyInAnyOrderElementsOf(opened.keySet());
      for (NodeCounters.Held held : store.counters().applications()) {
        checkHeld(held);
      }
      for (var entry : committed.entrySet()) {
        var place = Path.of(known(entry.getKey()).directory());
        String name = entry.getKey().blockName();
        assertThat(ScratchFiles.place(place, name + ".data"))
            .hasBinaryContent(entry.getValue().data());
        assertThat(ScratchFiles.place(place, name + ".index")).hasSize(16);
      }
      assertThat(files(root, ".index")).hasSize(committed.size());
      assertThat(files(root, ".data")).hasSize(committed.size());
      long behind =
          committed.values().stream().filter(seen -> seen.tier() == Tier.OVERFLOW).count();
      assertThat(files(root, ".data").filter(Files::isSymbolicLink)).hasSize((int) behind);
      assertThat(files(overflow, ".data")).hasSize((int) behind);
      assertThat(files(overflow, ".index")).hasSize((int) behind);
    }

    void checkHeld(NodeCounters.Held held) {
      List<Seen> own =
          committed.entrySet().stream()
              .filter(e -> e.getKey().application().equals(held.application()))
              .map(Map.Entry::getValue)
              .toList();
      var behind = own.stream().filter(seen -> seen.tier() == Tier.OVERFLOW).toList();
      long overflowBytes = behind.stream().mapToLong(Seen::footprint).sum();
      assertThat(held.outputs()).isEqualTo(own.size());
      assertThat(held.overflowed()).isEqualTo(behind.size());
      assertThat(held.overflowBytes()).isEqualTo(overflowBytes);
      assertThat(held.bytes())
          .isEqualTo(own.stream().mapToLong(Seen::footprint).sum() - overflowBytes);
    }

    ScratchOpened known(MapOutput output) {
      return Objects.requireNonNull(opened.get(output.application()));
    }

    Stream<Path> files(Path below, String ending) throws IOException {
      if (!Files.exists(below)) {
        return Stream.empty();
      }
      try (Stream<Path> files = Files.walk(below)) {
        return files.filter(file -> file.toString().endsWith(ending)).toList().stream();
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void behavesAsTheModel(long seed, @TempDir Path directory) throws Exception {
    var run = new Run(seed, directory);
    for (int i = 0; i < STEPS; i++) {
      run.step();
      run.check();
    }
    run.incoming.forEach(written -> run.store.abandon(written.incoming()));
    run.store.close();
    assertThat(run.reserved).hasValue(0);
    assertThat(directory).as("both tiers").isEmptyDirectory();
    assertThat(run.services.values()).allMatch(service -> !service.alive);
  }
}
