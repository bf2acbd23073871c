package io.eley.bb.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two versions of one file and another file, two blocks of each. */
class BlockIndexTest {
  private static final FileVersion OLD = new FileVersion("/a", 100, 1);
  private static final FileVersion NEW = new FileVersion("/a", 100, 2);
  private static final FileVersion OTHER = new FileVersion("/b", 100, 1);

  private final BlockIndex index = new BlockIndex(1 << 20);
  private final List<Entry> old = List.of(added(OLD, 0), added(OLD, 1));
  private final List<Entry> current = List.of(added(NEW, 0), added(NEW, 1));
  private final List<Entry> other = List.of(added(OTHER, 0), added(OTHER, 1));

  private Entry added(FileVersion version, int number) {
    var file = new BlockFile(Path.of("none"), new FileOpener(), false);
    var arrivals = new Arrivals(StoreFixture.GEOMETRY, 1);
    var entry = new Entry(new BlockId(version, number), 1, arrivals, file, Entry.State.COMMITTED);
    index.add(entry);
    return entry;
  }

  @Test
  void otherVersionsAreThoseOfTheSamePath() {
    assertThat(index.otherVersions(NEW)).containsExactlyElementsOf(old);
    assertThat(index.otherVersions(OLD)).containsExactlyElementsOf(current);
    assertThat(index.otherVersions(OTHER)).isEmpty();
    var third = new FileVersion("/a", 7, 3);
    assertThat(index.otherVersions(third)).hasSize(4).containsAll(old).containsAll(current);
  }

  @Test
  void whatHasLeftIsNoOtherVersion() {
    index.remove(old.get(0));
    assertThat(index.otherVersions(NEW)).containsExactly(old.get(1));
    index.remove(old.get(1));
    assertThat(index.otherVersions(NEW)).isEmpty();
    assertThat(index.otherVersions(OLD)).containsExactlyElementsOf(current);
    assertThat(index.entries()).hasSize(4).containsAll(current).containsAll(other);
  }

  /** An entry of one page and a path of two letters. */
  @Test
  void heapIsThatOfWhatIsHere() {
    long entry = 1_200 + 2 + 5;
    assertThat(old.get(0).heap()).isEqualTo(entry);
    assertThat(index.heapMissing((1 << 20) - 6 * entry)).isZero();
    assertThat(index.heapMissing((1 << 20) - 5 * entry)).isEqualTo(entry);
    index.remove(old.get(0));
    assertThat(index.heapMissing((1 << 20) - 5 * entry)).isZero();
  }

  @Test
  void takingOutWhatIsOutChangesNothing() {
    Entry gone = old.get(0);
    index.remove(gone);
    index.remove(gone);
    assertThat(index.heapMissing(1 << 20)).as("of the five others").isEqualTo(5 * gone.heap());
    assertThat(index.otherVersions(NEW)).containsExactly(old.get(1));
  }
}
