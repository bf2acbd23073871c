package io.eley.engine.alluxio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.server.engine.ReadInVainException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks of files on one worker, over a cluster in memory. */
final class AlluxioEngineTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final int BLOCK = FakeAlluxio.BLOCK;

  @TempDir private Path origin;
  private FakeAlluxio alluxio;
  private AlluxioEngine engine;
  private FileVersion file;

  @BeforeEach
  void open() throws Exception {
    alluxio = new FakeAlluxio(origin);
    // What the tests write was there long before the engine.
    engine = engine(Duration.ofHours(1));
    file = write(2 * BLOCK + 5);
  }

  /** One that begins so much later. */
  private AlluxioEngine engine(Duration later) throws Exception {
    var options =
        new AlluxioEngine.Options("", "m:1", FakeAlluxio.WORKER, 8L * BLOCK, Duration.ZERO);
    var made = new AlluxioEngine(alluxio, options, () -> Instant.now().plus(later));
    made.open(new BlockGeometry(BLOCK, BLOCK), origin.toString());
    return made;
  }

  private FileVersion write(int bytes) throws Exception {
    Files.write(origin.resolve("f"), new byte[bytes]);
    try (Origin there = Origins.open(origin.toString(), "test")) {
      return there.stat("/f").version();
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private BlockId block(int index) {
    return new BlockId(file, index);
  }

  @Test
  void saysWhatItReadAndWhereItIs() throws Exception {
    assertThat(engine.place(block(2))).isEmpty();
    assertThat(engine.load(block(0), DEADLINE)).isEqualTo(BLOCK);
    assertThat(engine.load(block(2), DEADLINE)).isEqualTo(5);
    assertThat(engine.place(block(2))).contains("alluxio://m:1/f#2," + 2 * BLOCK);
  }

  @Test
  void aWorkerThatTakesConnectionsAndSaysNothingIsNotReachableNorIsAMasterThatFails()
      throws Exception {
    try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String here = socket.getInetAddress().getHostAddress() + ":" + socket.getLocalPort();
      var options = new AlluxioEngine.Options("", here, here, 8L * BLOCK, Duration.ZERO);
      try (var there = new AlluxioEngine(alluxio, options)) {
        assertThat(there.reachable()).as("unknown to the master").isFalse();
        alluxio.workers = List.of(worker(here, 1));
        assertThat(there.reachable()).isTrue();
        alluxio.workers = List.of(worker(here, 5));
        assertThat(there.reachable()).isFalse();
        alluxio.workers = List.of(worker(here, 0));
        alluxio.failure = ErrorCode.UNAVAILABLE;
        assertThat(there.reachable()).isFalse();
        alluxio.failure = null;
        assertThat(there.reachable()).isTrue();
      }
    }
  }

  private static AlluxioPort.Worker worker(String address, int silentSeconds) {
    return new AlluxioPort.Worker(address, 8 * BLOCK, 0, Duration.ofSeconds(silentSeconds));
  }

  @Test
  void whatSomebodyElseHasLoadedCostsTheOriginNothing() throws Exception {
    alluxio.blocks.put(1L, Set.of(FakeAlluxio.WORKER));
    assertThat(engine.load(block(1), DEADLINE)).isZero();
    assertThat(alluxio.calls).isEmpty();
  }

  /** Another file of the same length and modification time; Alluxio takes both for one. */
  private FileVersion replace() throws Exception {
    Path old = origin.resolve("f");
    Path other = Files.write(origin.resolve("g"), new byte[2 * BLOCK + 5]);
    Files.setLastModifiedTime(other, Files.getLastModifiedTime(old));
    Files.move(other, old, StandardCopyOption.REPLACE_EXISTING);
    try (Origin there = Origins.open(origin.toString(), "test")) {
      return there.stat("/f").version();
    }
  }

  @Test
  void aBlockThatWeLoadedOfAnotherVersionIsLoadedAnew() throws Exception {
    engine.load(block(0), DEADLINE);
    BlockId old = block(0);
    file = replace();
    assertThat(engine.load(block(0), DEADLINE)).isEqualTo(BLOCK);
    assertThat(alluxio.calls).containsExactly("load 0", "remove 0", "load 0");
    assertThat(engine.place(old)).as("another's bytes").isEmpty();
    assertThat(engine.place(block(0))).isPresent();
    engine.remove(old);
    assertThat(alluxio.blocks).as("it is the new version's").containsOnlyKeys(0L);
    engine.remove(block(0));
    assertThat(alluxio.blocks).isEmpty();
  }

  @Test
  void aBlockThatWasThereBeforeItsFileChangedIsLoadedAnew() throws Exception {
    try (var begun = engine(Duration.ZERO)) {
      alluxio.blocks.put(0L, Set.of(FakeAlluxio.WORKER));
      file = replace();
      assertThat(begun.load(block(0), DEADLINE)).isEqualTo(BLOCK);
      assertThat(alluxio.calls).containsExactly("remove 0", "load 0");
    }
  }

  @Test
  void whatWasThereBeforeUsStays() throws Exception {
    alluxio.blocks.put(1L, Set.of(FakeAlluxio.WORKER));
    engine.load(block(0), DEADLINE);
    engine.load(block(1), DEADLINE);
    assertThat(engine.place(block(1))).isPresent();
    engine.remove(block(1));
    engine.remove(block(0));
    assertThat(alluxio.calls).containsExactly("load 0", "remove 0");
    assertThat(alluxio.blocks).containsOnlyKeys(1L);
    assertThat(engine.place(block(1))).isEmpty();
  }

  @Test
  void aFileThatSomebodyElseKeepsIsLeftAsItIs() throws Exception {
    for (var theirs :
        List.of(
            new AlluxioPort.Rule(true, Optional.empty()),
            new AlluxioPort.Rule(false, Optional.of(Duration.ofHours(1))))) {
      alluxio.rules.put("/f", theirs);
      engine.load(block(0), DEADLINE);
      engine.renew();
      engine.remove(block(0));
      engine.renew();
      assertThat(alluxio.rules).containsExactly(Map.entry("/f", theirs));
    }
  }

  /** As another helper of the deployment keeps it. */
  @Test
  void aFileThatWeKeepAlreadyIsKeptOn() throws Exception {
    alluxio.rules.put("/f", AlluxioPort.Rule.kept(Duration.ZERO));
    engine.load(block(0), DEADLINE);
    engine.remove(block(0));
    engine.renew();
    assertThat(alluxio.rules).isEmpty();
  }

  @Test
  void aFileIsPinnedWhileBlocksOfItAreOursAndALittleLonger() throws Exception {
    engine.load(block(0), DEADLINE);
    engine.load(block(1), DEADLINE);
    engine.remove(block(0));
    engine.renew();
    assertThat(alluxio.rules).containsOnlyKeys("/f");
    engine.remove(block(1));
    assertThat(alluxio.rules).containsOnlyKeys("/f");
    engine.renew();
    assertThat(alluxio.rules).isEmpty();
    assertThat(alluxio.calls).containsExactly("load 0", "load 1", "remove 0", "remove 1");
  }

  @Test
  void aFileIsUnpinnedAtTheEnd() throws Exception {
    engine.load(block(0), DEADLINE);
    engine.remove(block(0));
    engine.close();
    assertThat(alluxio.rules).isEmpty();
  }

  @Test
  void whatChangesWhileItIsReadIsThrownAway() {
    alluxio.whileLoading =
        () -> {
          try {
            write(BLOCK);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        };
    assertThatThrownBy(() -> engine.load(block(0), DEADLINE))
        .isInstanceOfSatisfying(
            ReadInVainException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.STALE_VERSION);
              assertThat(e.bytes()).as("were read").isEqualTo(BLOCK);
            });
    assertThat(alluxio.calls).containsExactly("load 0", "remove 0");
    assertThat(engine.place(block(0))).isEmpty();
  }

  @Test
  void aWorkersErrorOverAFileThatHasChangedIsAChangedFile() throws Exception {
    FileVersion old = file;
    engine.load(block(1), DEADLINE);
    write(5);
    alluxio.failure = ErrorCode.ORIGIN_FAILED;
    file = old;
    assertFails(ErrorCode.STALE_VERSION);
  }

  @Test
  void anotherErrorIsItself() {
    alluxio.failure = ErrorCode.NO_SPACE;
    assertFails(ErrorCode.NO_SPACE);
    assertThat(engine.place(block(0))).isEmpty();
  }

  /** Without having read the origin. */
  private void assertFails(ErrorCode code) {
    assertThatThrownBy(() -> engine.load(block(0), DEADLINE))
        .isNotInstanceOf(ReadInVainException.class)
        .isInstanceOfSatisfying(EleyException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void aClusterThatWillNotDoIsRefusedInOneLine() throws Exception {
    assertThat(look().blockSize()).isEqualTo(BLOCK);
    alluxio.workers = List.of(new AlluxioPort.Worker("w:1", 8 * BLOCK, 7 * BLOCK, Duration.ZERO));
    assertRefused("Alluxio's worker w:1 has 1048576 bytes free, less than two blocks of 1048576");
    alluxio.workers = List.of(new AlluxioPort.Worker("dead:1", 8 * BLOCK, 0, Duration.ZERO));
    assertRefused("Alluxio's master m:1 has no workers");
    alluxio.version = "313";
    assertRefused("Alluxio's master m:1 is 313; Eley drives 2.9.x");
  }

  private AlluxioCheck.Found look() throws EleyException {
    return AlluxioCheck.look(alluxio, worker -> !worker.equals("dead:1"), "m:1", origin.toString());
  }

  private void assertRefused(String message) {
    assertThatThrownBy(() -> look()).isInstanceOf(EleyException.class).hasMessage(message);
  }
}
