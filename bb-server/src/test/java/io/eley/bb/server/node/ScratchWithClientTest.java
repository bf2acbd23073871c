package io.eley.bb.server.node;

import static io.eley.bb.server.node.NodeFixture.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.client.ScratchOutputs;
import io.eley.bb.api.client.ScratchOutputs.Place;
import io.eley.bb.api.client.ScratchOutputs.Source;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage.CommitScratch;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.bb.api.wire.ScratchMessage.Part;
import io.eley.bb.api.wire.ScratchMessage.ReserveScratch;
import io.eley.bb.api.wire.ScratchMessage.ScratchOpened;
import io.eley.bb.api.wire.ScratchMessage.ScratchReserved;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.server.net.BlockingPeer;
import io.eley.bb.server.net.LeakCheck;
import io.eley.bb.server.scratch.FakeSparkHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Outputs of map tasks, from a client to a node's scratch over a connection. */
@Timeout(60)
@ExtendWith(LeakCheck.class)
class ScratchWithClientTest {
  private static final ScratchOutputs.Introduction NOBODY = place -> {};
  private static final String APPLICATION = "app-20261123-0001";

  /** As from another machine. */
  private static final Map<String, String> SENT = Map.of("eley.client.local", "false");

  @TempDir private Path temp;
  private NodeFixture fixture;

  @BeforeEach
  void begin(@TempDir Path directory) throws IOException {
    fixture = new NodeFixture(directory);
    // A service's port is chosen before it listens there: by then no other test may have taken it.
    fixture.host = "127.0.0.9";
    fixture.scratch =
        Optional.of(
            new NodeOptions.Scratch(
                FakeSparkHome.create(temp.resolve("spark")), 0.5, Optional.empty()));
    fixture.memory = 40L * BLOCK;
  }

  @AfterEach
  void end() throws IOException {
    fixture.close();
  }

  private static ScratchOutputs outputs(EleyClient client) {
    return new ScratchOutputs(
        client, Duration.ofSeconds(3), new OpenScratch(APPLICATION, Map.of(), ""));
  }

  private List<Source> files(int bytes) throws IOException {
    var data = new byte[bytes];
    new Random(bytes).nextBytes(data);
    return List.of(
        new Source("data", Files.write(temp.resolve("data" + bytes), data)),
        new Source("checksum.ADLER32", Files.write(temp.resolve("sums"), new byte[24])),
        new Source("index", Files.write(temp.resolve("index"), new byte[32])));
  }

  @ParameterizedTest
  @EnumSource(NetworkProtection.class)
  void anOutputOfManyPiecesLiesWhereItsServiceLooks(NetworkProtection protection)
      throws IOException {
    fixture.protection = protection;
    var node = fixture.start();
    fixture.coordinator.open();
    int bytes = 20 * BLOCK - 8192 - 3;
    var outputs = outputs(fixture.eleyClient(SENT));
    var output = new MapOutput(APPLICATION, 3, 71);

    Place place = outputs.put(output, files(bytes), NOBODY).orElseThrow();

    assertThat(place.node()).isEqualTo(node.address());
    assertThat(place.service().executor()).startsWith("eley-");
    try (Stream<Path> all = Files.walk(Path.of(place.service().directory()))) {
      assertThat(all.filter(Files::isRegularFile).map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "shuffle_3_71_0.data", "shuffle_3_71_0.index", "shuffle_3_71_0.checksum.ADLER32");
    }
    assertThat(find(place, "shuffle_3_71_0.data"))
        .hasBinaryContent(Files.readAllBytes(temp.resolve("data" + bytes)));
    assertThat(node.counters().scratch().outputs()).isEqualTo(1);
    assertThat(node.counters().usedBytes()).isEqualTo(node.counters().scratch().bytes());

    outputs.drop(3);
    assertThat(node.counters().scratch().bytes()).isZero();
    outputs.drop(DropScratch.ALL);
    assertThat(Path.of(place.service().directory())).doesNotExist();
  }

  @Test
  void aNodeOfThisMachineIsGivenTheFilesThemselves() throws IOException {
    var node = fixture.start();
    fixture.coordinator.open();
    var outputs = outputs(fixture.eleyClient(Map.of()));
    List<Source> files = files(3 * BLOCK);

    Place place = outputs.put(new MapOutput(APPLICATION, 3, 71), files, NOBODY).orElseThrow();

    for (Source file : files) {
      Path there = find(place, "shuffle_3_71_0." + file.ending());
      assertThat(Files.isSameFile(there, file.file())).as("%s", there).isTrue();
      assertThat(file.file()).as("its writer's").exists();
    }
    assertThat(node.counters().scratch().bytes()).isEqualTo(3 * BLOCK + 2 * 4096);
    assertPrivate(Path.of(place.service().directory()));
    outputs.drop(3);
    assertThat(files.get(0).file()).as("another name of it").exists();
    assertThat(node.counters().scratch().bytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anOutputThatBecomesShorterCostsNobodyHisConnection(boolean given) throws IOException {
    var node = fixture.start();
    fixture.coordinator.open();
    var outputs = outputs(fixture.eleyClient(given ? Map.of() : SENT));
    List<Source> files = files(3 * BLOCK);
    assertThatIOException()
        .isThrownBy(
            () ->
                outputs.put(
                    new MapOutput(APPLICATION, 3, 71),
                    files,
                    place -> Files.write(files.get(0).file(), new byte[0])))
        .withMessageContaining("became shorter");
    assertThat(outputs.put(new MapOutput(APPLICATION, 3, 72), files(BLOCK), NOBODY)).isPresent();
    await().until(() -> node.counters().scratch().outputs() == 1);
  }

  private static Path find(Place place, String name) throws IOException {
    try (Stream<Path> all = Files.walk(Path.of(place.service().directory()))) {
      return all.filter(f -> f.endsWith(name)).findAny().orElseThrow();
    }
  }

  @Test
  void whatFindsNoRoomStaysWithItsWriterAndIsCounted() throws IOException {
    var node = fixture.start();
    fixture.coordinator.open();
    var outputs = outputs(fixture.eleyClient(Map.of()));
    assertThat(outputs.put(new MapOutput(APPLICATION, 0, 0), files(21 * BLOCK), NOBODY)).isEmpty();
    assertThat(node.counters().scratch().refused()).isEqualTo(1);
    assertThat(node.counters().scratch().bytes()).isZero();
    assertThat(outputs.put(new MapOutput(APPLICATION, 0, 1), files(BLOCK), NOBODY)).isPresent();
  }

  @Test
  void inputYieldsToIt() throws IOException {
    var node = fixture.start();
    fixture.file("input", 39 * BLOCK);
    fixture.prefetch(fixture.blocks("input").subList(0, 30));
    assertThat(node.counters().blocks()).isEqualTo(30);
    var outputs = outputs(fixture.eleyClient(Map.of()));

    assertThat(outputs.put(new MapOutput(APPLICATION, 0, 0), files(19 * BLOCK), NOBODY))
        .isPresent();

    assertThat(node.counters().blocks()).isBetween(10, 20);
    int left = 30 - node.counters().blocks();
    await()
        .until(
            () ->
                fixture.coordinator.changes.stream().mapToInt(c -> c.yielded().size()).sum()
                    == left);
    assertThat(node.counters().usedBytes()).isLessThanOrEqualTo(fixture.memory);
    assertThat(node.counters().roomForBlocks())
        .isEqualTo(fixture.memory - node.counters().scratch().bytes());
  }

  @Test
  void theNextNodeTakesWhatOneCannot() throws IOException {
    var first = fixture.start("a");
    var second = fixture.start("b");
    fixture.coordinator.open();
    var outputs = outputs(fixture.eleyClient(Map.of()));
    for (int map = 0; map < 6; map++) {
      assertThat(outputs.put(new MapOutput(APPLICATION, 0, map), files(6 * BLOCK), NOBODY))
          .isPresent();
    }
    assertThat(outputs.put(new MapOutput(APPLICATION, 0, 6), files(6 * BLOCK), NOBODY)).isEmpty();
    assertThat(first.counters().scratch().outputs()).isEqualTo(3);
    assertThat(second.counters().scratch().outputs()).isEqualTo(3);
  }

  @Test
  void aSecondCopyLiesWholeOnTheNextNode() throws IOException {
    var first = fixture.start("a");
    var second = fixture.start("b");
    fixture.coordinator.open();
    var outputs = outputs(fixture.eleyClient(Map.of()));
    var output = new MapOutput(APPLICATION, 4, 9);

    List<Place> places = outputs.put(output, files(3 * BLOCK + 1), 2, NOBODY).places();

    assertThat(places)
        .extracting(Place::node)
        .containsExactlyInAnyOrder(first.address(), second.address());
    for (Place place : places) {
      assertThat(find(place, "shuffle_4_9_0.data"))
          .hasBinaryContent(Files.readAllBytes(temp.resolve("data" + (3 * BLOCK + 1))));
    }
    assertThat(first.counters().scratch().bytes())
        .as("both count")
        .isPositive()
        .isEqualTo(second.counters().scratch().bytes());
    outputs.drop(4);
    assertThat(first.counters().scratch().bytes()).isZero();
    assertThat(second.counters().scratch().bytes()).isZero();
  }

  /** Two names of one inode would be lost by one damage. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void twoCopiesOnOneMachineAreTwoFiles(boolean given) throws IOException {
    fixture.start("a");
    fixture.start("b");
    fixture.coordinator.open();
    var outputs = outputs(fixture.eleyClient(given ? Map.of() : SENT));
    List<Source> files = files(3 * BLOCK + 1);

    List<Place> places = outputs.put(new MapOutput(APPLICATION, 4, 9), files, 2, NOBODY).places();

    assertThat(places).hasSize(2);
    for (Source file : files) {
      Path one = find(places.get(0), "shuffle_4_9_0." + file.ending());
      Path two = find(places.get(1), "shuffle_4_9_0." + file.ending());
      assertThat(inode(two)).isNotEqualTo(inode(one)).isNotEqualTo(inode(file.file()));
      assertThat(inode(one).equals(inode(file.file()))).as("a second name").isEqualTo(given);
      byte[] content = Files.readAllBytes(two);
      Files.write(one, new byte[1], StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
      assertThat(two).as("the first was damaged").hasBinaryContent(content);
    }
    for (Place place : places) {
      assertPrivate(Path.of(place.service().directory()));
    }
  }

  private static Object inode(Path file) throws IOException {
    return List.of(Files.getAttribute(file, "unix:dev"), Files.getAttribute(file, "unix:ino"));
  }

  /** Three nodes on two machines: wherever the first copy is, the other machine has the second. */
  @Test
  void theSecondCopyLiesOnAnotherMachineAndThereOnlyWhileItHasRoom() throws IOException {
    long small = fixture.memory;
    fixture.memory = 2 * small;
    fixture.start("a");
    fixture.start("b");
    fixture.memory = small;
    var alone = fixture.start("c");
    fixture.coordinator.pretendMachine(alone.address().id(), "another");
    fixture.coordinator.open();
    var outputs = outputs(fixture.eleyClient(Map.of()));
    List<Source> files = files(3 * BLOCK);
    int together = 0;
    for (int map = 0; map < 9; map++) {
      List<Place> places =
          outputs.put(new MapOutput(APPLICATION, 0, map), files, 2, NOBODY).places();
      String data = "shuffle_0_" + map + "_0.data";
      assertThat(places).as("output %s", map).hasSize(2);
      assertThat(inode(find(places.get(0), data))).isNotEqualTo(inode(find(places.get(1), data)));
      NodeAddress first = places.get(0).node();
      together += first.sharesMachineWith(places.get(1).node()) ? 1 : 0;
    }
    // Node c has 20 blocks of room, which is six outputs.
    assertThat(alone.counters().scratch().outputs()).isEqualTo(6);
    assertThat(together).as("after that").isEqualTo(3);
  }

  @Test
  void withoutRoomForASecondCopyThereIsOne() throws IOException {
    fixture.start("a");
    fixture.start("b");
    fixture.coordinator.open();
    var outputs = outputs(fixture.eleyClient(Map.of()));
    assertThat(copies(outputs, 15 * BLOCK, 1)).isEqualTo(1);
    assertThat(copies(outputs, 6 * BLOCK, 2)).isEqualTo(1);
    assertThat(copies(outputs, 3 * BLOCK, 2)).isEqualTo(2);
  }

  private int copies(ScratchOutputs outputs, int bytes, int wanted) throws IOException {
    var output = new MapOutput(APPLICATION, 0, bytes);
    return outputs.put(output, files(bytes), wanted, NOBODY).places().size();
  }

  @Test
  void aNodeWhoseServiceCannotBeMadeKnownIsPassedOver() throws IOException {
    var first = fixture.start("a");
    var second = fixture.start("b");
    fixture.coordinator.open();
    var outputs = outputs(fixture.eleyClient(Map.of()));
    for (int map = 0; map < 4; map++) {
      var output = new MapOutput(APPLICATION, 0, map);
      Optional<Place> place =
          outputs.put(
              output,
              files(1000),
              to -> {
                if (to.node().equals(first.address())) {
                  throw new IOException("not registered");
                }
              });
      assertThat(place.orElseThrow().node()).isEqualTo(second.address());
    }
    assertThat(first.counters().scratch().outputs()).as("nothing was sent there").isZero();
  }

  @Test
  void aNodeThatHasGoneIsPassedOver() throws IOException {
    var first = fixture.start("a");
    var second = fixture.start("b");
    fixture.coordinator.open();
    var outputs = outputs(fixture.eleyClient(Map.of()));
    outputs.openAll();
    first.close();
    for (int map = 0; map < 4; map++) {
      Place place =
          outputs.put(new MapOutput(APPLICATION, 0, map), files(1000), NOBODY).orElseThrow();
      assertThat(place.node()).isEqualTo(second.address());
    }
  }

  private void withOverflow(Path directory, long bytes) {
    var scratch = fixture.scratch.orElseThrow();
    fixture.scratch =
        Optional.of(
            new NodeOptions.Scratch(
                scratch.spark(),
                scratch.share(),
                Optional.of(new NodeOptions.Overflow(directory, bytes))));
  }

  @Test
  void whatFindsNoRoomInRamGoesToTheOverflow() throws IOException {
    Path disk = temp.resolve("disk");
    withOverflow(disk, 25L * BLOCK);
    var node = fixture.start();
    fixture.coordinator.open();
    var outputs = outputs(fixture.eleyClient(Map.of()));
    Place first = outputs.put(new MapOutput(APPLICATION, 0, 0), files(12 * BLOCK), NOBODY).get();
    Place second = outputs.put(new MapOutput(APPLICATION, 1, 1), files(11 * BLOCK), NOBODY).get();
    assertThat(outputs.put(new MapOutput(APPLICATION, 1, 2), files(15 * BLOCK), NOBODY)).isEmpty();

    assertThat(second.service()).as("one service for both tiers").isEqualTo(first.service());
    assertThat(find(first, "shuffle_0_0_0.data")).isRegularFile().satisfies(this::isNoLink);
    assertThat(find(second, "shuffle_1_1_0.data"))
        .hasBinaryContent(Files.readAllBytes(temp.resolve("data" + 11 * BLOCK)))
        .isSymbolicLink();
    assertThat(find(second, "shuffle_1_1_0.data").toRealPath()).startsWith(disk.toRealPath());
    assertThat(Files.readSymbolicLink(find(second, "shuffle_1_1_0.data")).toString())
        .as("kept by tmpfs without a page")
        .hasSizeLessThan(128);
    var scratch = node.counters().scratch();
    assertThat(scratch.outputs()).isEqualTo(2);
    assertThat(scratch.refused()).isEqualTo(1);
    assertThat(scratch.bytes()).isEqualTo(node.counters().usedBytes());
    assertThat(scratch.overflow())
        .isEqualTo(new NodeCounters.Overflow(11L * BLOCK + 2 * 4096, 25L * BLOCK, 1));
    assertPrivate(disk);

    assertThat(scratch.applications())
        .containsExactly(
            new NodeCounters.Held(
                APPLICATION, scratch.bytes(), scratch.overflow().bytes(), 2, 1, 1));

    outputs.drop(1);
    assertThat(node.counters().scratch().overflow().bytes()).isZero();
    try (Stream<Path> left = Files.walk(disk)) {
      assertThat(left.filter(Files::isRegularFile)).containsExactly(disk.resolve("lock"));
    }
    outputs.drop(DropScratch.ALL);
    assertThat(disk.resolve("scratch")).isEmptyDirectory();
  }

  private void isNoLink(Path file) {
    assertThat(Files.isSymbolicLink(file)).isFalse();
  }

  private static void assertPrivate(Path disk) throws IOException {
    try (Stream<Path> all = Files.walk(disk)) {
      for (Path path : all.toList()) {
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        assertThat(mode)
            .as("%s", path)
            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
      }
    }
  }

  @Test
  void anOverflowIsEmptiedAtTheStartAndLeftEmptyAndNothingIsFollowed() throws IOException {
    Path disk = temp.resolve("disk");
    withOverflow(disk, BLOCK);
    fixture.start().close();
    assertThat(disk).isDirectoryNotContaining(path -> !path.endsWith("lock"));
    Path others = Files.createDirectory(temp.resolve("others"));
    Path precious = Files.createFile(others.resolve("precious"));
    Path crashed = Files.createDirectories(disk.resolve("scratch/app-1-x/incoming"));
    Files.createFile(crashed.resolve("1.0"));
    Files.createSymbolicLink(crashed.resolve("link"), others);
    Files.createSymbolicLink(crashed.resolve("file"), precious);

    var node = fixture.start();
    assertThat(crashed).doesNotExist();
    node.close();
    assertThat(disk).isDirectoryNotContaining(path -> !path.endsWith("lock"));
    assertThat(precious).exists();
  }

  @Test
  void anOverflowThatIsNotOursIsRefused() throws IOException {
    Path disk = Files.createDirectory(temp.resolve("disk"));
    Path file = Files.createFile(disk.resolve("somebody's"));
    withOverflow(disk, BLOCK);
    assertThatExceptionOfType(EleyException.class)
        .isThrownBy(() -> fixture.start())
        .withMessageContaining("holds other files");
    assertThat(file).exists();
    Files.delete(file);
    var first = fixture.start("a");
    assertThatExceptionOfType(EleyException.class)
        .isThrownBy(() -> fixture.start("b"))
        .withMessageContaining("the overflow directory " + disk + " is used by another node");
    first.close();
    withOverflow(disk, 1L << 60);
    assertThatExceptionOfType(EleyException.class)
        .isThrownBy(() -> fixture.start())
        .withMessageContaining("has room for");
  }

  @Test
  void aTaskOfAnApplicationThatHasEndedIsRefused() throws IOException {
    var node = fixture.start();
    fixture.coordinator.open();
    var client = fixture.eleyClient(Map.of());
    var outputs = outputs(client);
    assertThat(outputs.put(new MapOutput(APPLICATION, 0, 0), files(1000), NOBODY)).isPresent();
    outputs.drop(0);
    assertThat(outputs.put(new MapOutput(APPLICATION, 0, 1), files(1000), NOBODY))
        .as("of a shuffle that was dropped")
        .isEmpty();
    assertThat(outputs.put(new MapOutput(APPLICATION, 1, 2), files(1000), NOBODY)).isPresent();
    outputs.drop(DropScratch.ALL);

    assertThat(outputs.put(new MapOutput(APPLICATION, 1, 3), files(1000), NOBODY)).isEmpty();
    assertThat(outputs(client).put(new MapOutput(APPLICATION, 2, 4), files(1000), NOBODY))
        .as("from another executor")
        .isEmpty();

    var scratch = node.counters().scratch();
    assertThat(scratch).isEqualTo(new NodeCounters.Scratch(0, 2, 0, 3, NodeCounters.Overflow.NONE));
    assertThat(client.counters().retries()).as("none of it is a node's fault").isZero();
    try (Stream<Path> left = Files.list(fixture.ramDisk.resolve("a/scratch"))) {
      assertThat(left).as("no service was started again").isEmpty();
    }
  }

  @Test
  void whatIsGivenAndIsNoWholeFileIsRefusedAndGoes() throws IOException {
    var node = fixture.start();
    fixture.coordinator.open();
    var parts = List.of(new Part("data", 5000), new Part("index", 8));
    Path other = Files.write(temp.resolve("other"), new byte[5000]);
    Path index = Files.write(temp.resolve("own-index"), new byte[8]);
    Files.setPosixFilePermissions(index, PosixFilePermissions.fromString("rw-r--r--"));
    try (var peer = fixture.client(node)) {
      var opened = (ScratchOpened) ask(peer, new OpenScratch(APPLICATION, Map.of(), ""));
      var question = new ReserveScratch(new MapOutput(APPLICATION, 0, 0), opened.executor(), parts);
      for (String how : List.of("short", "link", "directory", "none")) {
        var reserved = (ScratchReserved) ask(peer, question);
        Path data = Path.of(reserved.given(0));
        switch (how) {
          case "short" -> Files.write(data, new byte[4999]);
          case "link" -> Files.createSymbolicLink(data, other);
          case "directory" -> Files.createDirectory(data);
          default -> assertThat(data).doesNotExist();
        }
        Files.createLink(Path.of(reserved.given(1)), index);
        assertThat(ask(peer, new CommitScratch(reserved.handle())))
            .as(how)
            .isInstanceOfSatisfying(
                Failure.class, f -> assertThat(f.code()).isEqualTo(ErrorCode.MALFORMED));
        assertThat(data.getParent()).as(how).isEmptyDirectory();
        assertThat(node.counters().scratch().bytes()).isZero();
      }
      assertThat(other).hasSize(5000);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(index)))
          .as("the writer's own, which others may read")
          .isEqualTo("rw-r--r--");

      var reserved = (ScratchReserved) ask(peer, question);
      Files.write(Path.of(reserved.given(0)), new byte[5000]);
      peer.send(1, new WriteScratch(reserved.handle(), 1, 0, 8), new byte[8]);
      assertThat(peer.read().message()).isEqualTo(new Ok());
      assertThat(ask(peer, new CommitScratch(reserved.handle()))).isEqualTo(new Ok());
      assertThat(node.counters().scratch().outputs()).isEqualTo(1);
    }
  }

  @Test
  void aConnectionThatEndsTakesWhatItHasNotCommitted() throws IOException {
    var node = fixture.start();
    fixture.coordinator.open();
    try (var peer = fixture.client(node)) {
      var opened = (ScratchOpened) ask(peer, new OpenScratch(APPLICATION, Map.of(), ""));
      var parts = List.of(new Part("data", 5000), new Part("index", 8));
      var output = new MapOutput(APPLICATION, 0, 0);
      var reserved =
          (ScratchReserved) ask(peer, new ReserveScratch(output, opened.executor(), parts));
      peer.send(1, new WriteScratch(reserved.handle(), 0, 0, 5000), new byte[5000]);
      assertThat(peer.read().message()).isEqualTo(new Ok());
      assertThat(ask(peer, new CommitScratch(reserved.handle())))
          .as("without its index")
          .isInstanceOf(Failure.class);
      ask(peer, new ReserveScratch(output, opened.executor(), parts));
      assertThat(node.counters().scratch().bytes()).isEqualTo(8192 + 4096);
    }
    await().until(() -> node.counters().scratch().bytes() == 0);
  }

  private static Message ask(BlockingPeer peer, Message question) throws IOException {
    peer.send(1, question);
    return peer.read().message();
  }
}
