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
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.server.net.ReceivedBytes;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@link ScratchStoreModelTest} cannot come upon, since it does one thing at a time. */
class ScratchStoreTest {
  private final List<FakeService> services = new ArrayList<>();
  private Runnable whileItStarts = () -> {};
  private int starts;
  private boolean failing;
  private long clock;

  private ScratchStore open(Path root) throws EleyException {
    return ScratchStore.open(
        new ScratchDirectories(root, Optional.empty()),
        "n1",
        new ScratchLedger(new TierRule(new ScratchShare(1 << 20, 1), 0), new Room()),
        (directory, question) -> {
          starts++;
          whileItStarts.run();
          if (failing) {
            throw new EleyException(ErrorCode.UNAVAILABLE, "told to fail");
          }
          services.add(new FakeService(1));
          return services.get(services.size() - 1);
        },
        () -> clock);
  }

  /** Without end. */
  private static final class Room implements ScratchRoom {
    @Override
    public boolean reserve(long bytes) {
      return true;
    }

    @Override
    public void release(long bytes) {}

    @Override
    public void refuse(long bytes) {}
  }

  @Test
  void anApplicationThatEndsWhileItsServiceStartsLeavesNone(@TempDir Path temp) throws Exception {
    Path root = temp.resolve("scratch");
    try (var store = open(root)) {
      whileItStarts = () -> store.drop(new DropScratch("app-1", DropScratch.ALL));
      assertThatExceptionOfType(EleyException.class)
          .isThrownBy(() -> store.open(new OpenScratch("app-1", Map.of(), "")))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.ENDED));
      assertThat(services).hasSize(1).noneMatch(service -> service.alive);
      assertThat(root).isEmptyDirectory();
      assertThat(store.counters().late()).isEqualTo(1);
    }
  }

  /** Its writer goes to the next node; the answer would have been an address where nobody is. */
  @Test
  void anOutputWhoseServiceHasDiedWhileItWasSentIsRefused(@TempDir Path temp) throws Exception {
    try (var store = open(temp.resolve("scratch"))) {
      String executor = store.open(new OpenScratch("app-1", Map.of(), "")).executor();
      var output = new MapOutput("app-1", 0, 0);
      var incoming =
          store.reserve(new ReserveScratch(output, executor, List.of(new Part("data", 0))));
      services.get(0).alive = false;
      assertThatExceptionOfType(EleyException.class)
          .isThrownBy(() -> store.commit(incoming))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
      assertThat(store.counters().applications())
          .extracting(NodeCounters.Held::outputs)
          .containsExactly(0);
      store.abandon(incoming);
    }
  }

  /** Its writer would take a full node's service for one that is up. */
  @Test
  void anOutputWhoseDirectoryGoesInItsCommitIsNotForLackOfRoom(@TempDir Path temp)
      throws Exception {
    try (var store = open(temp.resolve("scratch"))) {
      String executor = store.open(new OpenScratch("app-1", Map.of(), "")).executor();
      var output = new MapOutput("app-1", 0, 0);
      var incoming =
          store.reserve(new ReserveScratch(output, executor, List.of(new Part("data", 0))));
      FakeService service = services.get(0);
      service.behindAnswer = service::die;
      assertThatExceptionOfType(EleyException.class)
          .isThrownBy(() -> store.commit(incoming))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
      store.abandon(incoming);
    }
  }

  /** Its application may write nothing more for hours. */
  @Test
  void theOutputsOfAServiceThatHasDiedGoAtOnce(@TempDir Path temp) throws Exception {
    Path root = temp.resolve("scratch");
    try (var store = open(root)) {
      commit(store);
      assertThat(store.counters().bytes()).isPositive();
      services.get(0).die();
      assertThat(store.counters().bytes()).isZero();
      assertThat(store.counters().applications()).isEmpty();
      assertThat(root).isEmptyDirectory();

      commit(store);
      services.get(0).die();
      assertThat(store.counters().applications())
          .as("those of the next service stay")
          .extracting(NodeCounters.Held::outputs)
          .containsExactly(1);
    }
  }

  /** Its tasks that go on must not fill RAM with what nobody drops again. */
  @Test
  void aShuffleThatWasDroppedStaysSoWhateverBecomesOfServices(@TempDir Path temp) throws Exception {
    try (var store = open(temp.resolve("scratch"))) {
      store.drop(new DropScratch("app-1", 7));
      assertEnded(store, 7);
      services.get(0).die();
      assertEnded(store, 7);
      store.open(new OpenScratch("app-2", Map.of(), ""));
      commit(store);
      assertThat(store.counters().outputs()).as("of another shuffle").isEqualTo(1);
      assertThat(store.counters().late()).isEqualTo(2);
    }
  }

  private static void assertEnded(ScratchStore store, int shuffle) throws EleyException {
    String executor = store.open(new OpenScratch("app-1", Map.of(), "")).executor();
    var output = new MapOutput("app-1", shuffle, 0);
    var question = new ReserveScratch(output, executor, List.of(new Part("data", 0)));
    assertThatExceptionOfType(EleyException.class)
        .isThrownBy(() -> store.reserve(question))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.ENDED));
  }

  /** A driver that comes back under a name counts its shuffles from 0 again. */
  @Test
  void whatAnEndedApplicationHasDroppedIsItsOwn(@TempDir Path temp) throws Exception {
    try (var store = open(temp.resolve("scratch"))) {
      store.drop(new DropScratch("app-1", 0));
      store.drop(new DropScratch("app-1", DropScratch.ALL));
      store.drop(new DropScratch("app-1", 0)); // late
      clock += Duration.ofMinutes(10).toNanos();
      commit(store);
      assertThat(store.counters().outputs()).isEqualTo(1);
    }
  }

  @Test
  void whatCannotBeDeletedKeepsItsRoomUntilItHasGone(@TempDir Path temp) throws Exception {
    try (var store = open(temp.resolve("scratch"))) {
      commit(store);
      var directory = Path.of(store.open(new OpenScratch("app-1", Map.of(), "")).directory());
      Path published = ScratchFiles.place(directory, "shuffle_0_0_0.data");
      Files.delete(published);
      Path inTheWay = Files.createDirectories(published.resolve("in the way"));
      store.drop(new DropScratch("app-1", 0));
      assertThat(store.counters().bytes()).isPositive();
      assertThat(store.counters().applications())
          .as("it is no reader's any more")
          .extracting(NodeCounters.Held::outputs)
          .containsExactly(0);

      store.drop(new DropScratch("app-1", 1));
      assertThat(store.counters().bytes()).as("it is there still").isPositive();
      Files.delete(inTheWay);
      store.drop(new DropScratch("app-1", 2));
      assertThat(store.counters().bytes()).isZero();
      assertThat(published).doesNotExist();
    }
  }

  @Test
  void anApplicationThatCannotBeDeletedKeepsItsRoomUntilItHasGone(@TempDir Path temp)
      throws Exception {
    Path root = temp.resolve("scratch");
    try (var store = open(root)) {
      commit(store);
      Path aside = Files.move(root, temp.resolve("aside"));
      Files.createSymbolicLink(root, root);
      store.drop(new DropScratch("app-1", DropScratch.ALL));
      assertThat(store.counters().bytes()).isPositive();

      Files.delete(root);
      Files.move(aside, root);
      store.drop(new DropScratch("app-2", 0));
      assertThat(store.counters().bytes()).isZero();
      assertThat(root).isEmptyDirectory();
    }
  }

  private static void commit(ScratchStore store) throws EleyException {
    String executor = store.open(new OpenScratch("app-1", Map.of(), "")).executor();
    var output = new MapOutput("app-1", 0, 0);
    var incoming =
        store.reserve(new ReserveScratch(output, executor, List.of(new Part("data", 100))));
    try (var bytes = ReceivedBytes.of(new byte[100])) {
      store.write(incoming, new WriteScratch(0, 0, 0, 100), bytes);
    }
    store.commit(incoming);
  }

  /** It goes between the look whether it is there and the commit. */
  @Test
  void anOutputDoesNotBringBackTheDirectoriesOfItsApplication(@TempDir Path temp) throws Exception {
    var root = new ScratchDirectories(temp.resolve("scratch"), Optional.empty());
    root.make();
    var own = root.of("app-1");
    own.makeOfApplication();
    var output =
        new IncomingOutput(
            new MapOutput("app-1", 0, 0), List.of(new Part("data", 0)), own.place(Tier.RAM), "1");
    own.delete();
    assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(output::commit);
    assertThat(root.ram()).isEmptyDirectory();
  }

  @Test
  void aServiceThatCannotStartIsNotStartedForEachOutput(@TempDir Path temp) throws Exception {
    var first = new OpenScratch("app-1", Map.of(), "");
    try (var store = open(temp.resolve("scratch"))) {
      failing = true;
      for (int output = 0; output < 3; output++) {
        assertThatExceptionOfType(EleyException.class)
            .isThrownBy(() -> store.open(first))
            .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
        clock += ScratchStore.START_AGAIN.toNanos() / 3;
      }
      assertThat(starts).isEqualTo(1);

      failing = false;
      assertThat(store.open(first).port()).isEqualTo(1);
      assertThat(starts).isEqualTo(2);
    }
  }

  @Test
  void aServiceThatCannotStartKeepsNoOtherFromStarting(@TempDir Path temp) throws Exception {
    try (var store = open(temp.resolve("scratch"))) {
      failing = true;
      assertThatExceptionOfType(EleyException.class)
          .isThrownBy(() -> store.open(new OpenScratch("app-1", Map.of(), "")));
      failing = false;
      store.open(new OpenScratch("app-2", Map.of(), ""));
      assertThat(starts).isEqualTo(2);
    }
  }
}
