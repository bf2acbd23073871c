package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import java.nio.file.Path;
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

  private ScratchStore open(Path root) throws EleyException {
    return ScratchStore.open(
        new ScratchDirectories(root, Optional.empty()),
        "n1",
        new ScratchLedger(new TierRule(new ScratchShare(1 << 20, 1), 0), new Room()),
        (directory, question) -> {
          whileItStarts.run();
          services.add(new FakeService(1));
          return services.get(services.size() - 1);
        },
        System::nanoTime);
  }

  /** Without end. */
  private static final class Room implements ScratchRoom {
    @Override
    public boolean reserve(long bytes) {
      return true;
    }

    @Override
    public void release(long bytes) {}
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
}
