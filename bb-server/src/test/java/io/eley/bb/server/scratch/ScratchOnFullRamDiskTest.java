package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.MapOutput;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.bb.api.wire.ScratchMessage.Part;
import io.eley.bb.api.wire.ScratchMessage.ReserveScratch;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.server.net.ReceivedBytes;
import io.eley.bb.server.node.BlockStoreRoom;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.StoreListener;
import io.eley.bb.server.store.StoreOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Others, such as spills of Spark's own, fill the RAM-disk that outputs go to. */
class ScratchOnFullRamDiskTest {
  private static final int PAGE = 4096;
  private static final int BLOCK = 4 * PAGE;
  private static final int OUTPUT = 16 * PAGE;
  private static final long CAPACITY = 8L * OUTPUT;

  @TempDir Path directory;
  private Path ramDisk;
  private boolean mounted;
  private BlockStore blocks;
  private ScratchStore store;
  private String executor;
  private int outputs;

  @BeforeEach
  void mount() throws Exception {
    ramDisk = Files.createDirectory(directory.resolve("ram"));
    mounted =
        run("mount", "-t", "tmpfs", "-o", "size=" + 2 * CAPACITY, "tmpfs", ramDisk.toString());
    assumeTrue(mounted, "this user may not mount a RAM-disk");
    var geometry = new BlockGeometry(BLOCK, PAGE);
    blocks =
        BlockStore.open(
            new StoreOptions(ramDisk.resolve("blocks"), geometry, CAPACITY), StoreListener.NONE);
    store =
        ScratchStore.open(
            new ScratchDirectories(
                ramDisk.resolve("scratch"), Optional.of(directory.resolve("overflow"))),
            "n1",
            new ScratchLedger(
                new TierRule(new ScratchShare(CAPACITY, 1), CAPACITY), new BlockStoreRoom(blocks)),
            (path, question) -> new FakeService(1),
            System::nanoTime);
    executor = store.open(new OpenScratch("app-1", Map.of(), "")).executor();
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      store.close();
      blocks.close();
      run("umount", "-l", ramDisk.toString());
    }
  }

  private static boolean run(String... command) throws Exception {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    return process.waitFor() == 0;
  }

  /** Others take so much that this is left. */
  private void leave(long bytes) throws Exception {
    Path others = ramDisk.resolve("others");
    Files.write(others, new byte[0]);
    long taken = Files.getFileStore(ramDisk).getUsableSpace() - bytes;
    Files.write(others, new byte[(int) taken]);
    assertThat(Files.getFileStore(ramDisk).getUsableSpace()).isEqualTo(bytes);
  }

  private IncomingOutput reserve() throws EleyException {
    var output = new MapOutput("app-1", 0, outputs++);
    return store.reserve(new ReserveScratch(output, executor, List.of(new Part("data", OUTPUT))));
  }

  private void write(IncomingOutput output, int from) throws EleyException {
    try (var bytes = ReceivedBytes.of(new byte[OUTPUT / 2])) {
      store.write(output, new WriteScratch(0, 0, from, OUTPUT / 2), bytes);
    }
  }

  private void assertRefused(IncomingOutput output, int from) {
    assertThatExceptionOfType(EleyException.class)
        .isThrownBy(() -> write(output, from))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE));
  }

  private void checkRoom() {
    blocks.checkRoom(store.counters().unseenBytes());
  }

  @Test
  void theNextOutputGoesToTheOverflowInsteadOfBeingSentInVain() throws Exception {
    IncomingOutput first = reserve();
    assertThat(first.tier()).isEqualTo(Tier.RAM);
    leave(PAGE);
    assertRefused(first, 0);
    assertRefused(first, OUTPUT / 2);
    store.abandon(first);

    assertThat(blocks.squeezed()).as("status says that others fill it").isTrue();
    assertThat(store.counters().refused()).as("one output").isEqualTo(1);
    assertThat(store.counters().applications())
        .extracting(NodeCounters.Held::refused)
        .containsExactly(1L);
    IncomingOutput second = reserve();
    assertThat(second.tier()).isEqualTo(Tier.OVERFLOW);
    write(second, 0);
    write(second, OUTPUT / 2);
    store.commit(second);
    assertThat(store.counters().refused()).isEqualTo(1);

    Files.delete(ramDisk.resolve("others"));
    checkRoom();
    assertThat(blocks.squeezed()).isFalse();
    IncomingOutput third = reserve();
    assertThat(third.tier()).isEqualTo(Tier.RAM);
    store.abandon(third);
  }

  @Test
  void whatIsPromisedToAnOutputIsNoRoomForTheNext() throws Exception {
    IncomingOutput promised = reserve();
    IncomingOutput refused = reserve();
    leave(0);
    assertRefused(refused, 0);
    store.abandon(refused);
    assertThat(blocks.limitBytes()).isEqualTo(OUTPUT);

    leave(OUTPUT + BLOCK - PAGE);
    checkRoom();
    assertThat(blocks.limitBytes()).as("less than a block is free").isEqualTo(OUTPUT);
    leave(OUTPUT + BLOCK);
    checkRoom();
    assertThat(blocks.limitBytes()).isEqualTo(OUTPUT + BLOCK);
    write(promised, 0);
    write(promised, OUTPUT / 2);
    store.commit(promised);
    assertThat(store.counters().unseenBytes()).isZero();
  }
}
