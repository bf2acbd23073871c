package io.eley.bb.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is unlinked frees its RAM when its last descriptor is closed, so none may leak. */
class BlockFileTest {
  private static final int KEPT_OPEN = 512;
  private static final byte[] BYTES = {5};

  @TempDir Path directory;
  private final FileOpener opener = new FileOpener();

  private BlockFile file(String name) throws IOException {
    var file = new BlockFile(directory.resolve(name), opener, true);
    file.openToWrite().close();
    return file;
  }

  @Test
  void readersShareAChannelThatStaysOpenForTheNext() throws IOException {
    BlockFile file = file("a");
    FileChannel channel = file.enter();
    assertThat(file.enter()).isSameAs(channel);
    file.leave();
    file.leave();
    assertThat(channel.isOpen()).isTrue();
    assertThat(file.enter()).isSameAs(channel);
    assertThat(opener.reading()).isEqualTo(1);
  }

  @Test
  void theLastReaderOfARetiredFileClosesIt() throws IOException {
    BlockFile file = file("a");
    FileChannel channel = file.enter();
    file.enter();
    file.unlink();
    file.retire();
    file.leave();
    assertThat(channel.isOpen()).as("somebody reads it still").isTrue();
    file.leave();
    assertThat(channel.isOpen()).isFalse();
    assertThat(opener.reading()).isZero();
  }

  @Test
  void aFileThatNobodyReadsIsClosedAsItIsRetired() throws IOException {
    BlockFile file = file("a");
    FileChannel channel = file.enter();
    file.leave();
    file.retire();
    assertThat(channel.isOpen()).isFalse();
    assertThat(opener.reading()).isZero();
    assertThatThrownBy(file::enter).isInstanceOf(NoSuchFileException.class);
    assertThat(opener.reading()).isZero();
  }

  @Test
  void onlySoManyChannelsAreKeptForNobody() throws IOException {
    var files = new ArrayList<BlockFile>();
    for (int i = 0; i < KEPT_OPEN + 20; i++) {
      BlockFile file = file("f" + i);
      file.enter();
      files.add(file);
    }
    assertThat(opener.reading()).as("all are being read").isEqualTo(KEPT_OPEN + 20);
    for (BlockFile file : files) {
      file.leave();
    }
    assertThat(opener.reading()).isEqualTo(KEPT_OPEN);
    for (BlockFile file : files) {
      file.retire();
    }
    assertThat(opener.reading()).isZero();
  }

  /** As all blocks of a node that was started again, leased to clients on its machine. */
  @Test
  void onlySoManyChannelsAreKeptOfFilesThatWereVerifiedAlone() throws IOException {
    var files = new ArrayList<BlockFile>();
    for (int i = 0; i < KEPT_OPEN + 20; i++) {
      var file = new BlockFile(found("f" + i), opener, false);
      file.verifyOnce(expected());
      files.add(file);
    }
    assertThat(opener.reading()).isEqualTo(KEPT_OPEN);
    files.get(0).suspect();
    files.get(0).verifyOnce(expected());
    BlockFile last = files.get(files.size() - 1);
    last.suspect();
    last.verifyOnce(expected());
    assertThat(opener.reading()).as("after a second look").isEqualTo(KEPT_OPEN);
    var damaged = new BlockFile(Files.write(directory.resolve("d"), new byte[] {6}), opener, false);
    assertThatThrownBy(() -> damaged.verifyOnce(expected())).hasMessageContaining("page 0");
    assertThat(opener.reading()).as("after a damaged one").isEqualTo(KEPT_OPEN);
    var read = new BlockFile(found("r"), opener, false);
    FileChannel channel = read.enter();
    read.verifyOnce(expected());
    assertThat(channel.isOpen()).as("somebody reads it").isTrue();
    read.leave();
    for (BlockFile file : files) {
      file.retire();
    }
    assertThat(opener.reading()).isZero();
  }

  private Path found(String name) throws IOException {
    return Files.write(directory.resolve(name), BYTES);
  }

  /** What {@link #found} puts into a file. */
  private static Arrivals expected() {
    var crc = new CRC32C();
    crc.update(BYTES);
    var arrivals = new Arrivals(StoreFixture.GEOMETRY, BYTES.length);
    arrivals.mark(0, new int[] {(int) crc.getValue()});
    return arrivals;
  }

  @Test
  void whoHoldsAnUnlinkedFileMayBeginToReadItLater() throws IOException {
    BlockFile file = file("a");
    file.unlink();
    file.unlink();
    assertThat(file.path()).doesNotExist();
    FileChannel channel = file.enter();
    assertThat(channel.isOpen()).isTrue();
    file.leave();
    file.retire();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void whoHoldsAnUnlinkedFileMayReadItAlsoWhileManyAreOpen() throws IOException {
    var others = new ArrayList<BlockFile>();
    for (int i = 0; i < KEPT_OPEN; i++) {
      BlockFile other = file("f" + i);
      other.enter();
      others.add(other);
    }
    BlockFile file = file("a");
    FileChannel channel = file.enter();
    file.unlink();
    file.leave();
    assertThat(opener.reading()).as("more than are kept for nobody").isEqualTo(KEPT_OPEN + 1);
    assertThat(file.enter()).isSameAs(channel);
    file.leave();
    file.retire();
    assertThat(channel.isOpen()).isFalse();
    for (BlockFile other : others) {
      other.retire();
      other.leave();
    }
    assertThat(opener.reading()).isZero();
  }

  @Test
  void aFileThatWasUnlinkedIsNeitherMadeNorMoved() throws IOException {
    var dropped = new BlockFile(directory.resolve("early"), opener, true);
    dropped.unlink();
    assertThatThrownBy(dropped::openToWrite).isInstanceOf(NoSuchFileException.class);
    BlockFile file = file("a");
    file.unlink();
    Files.writeString(file.path(), "somebody else's");
    assertThatThrownBy(() -> file.moveTo(directory.resolve("b")))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(directory.resolve("b")).doesNotExist();
    assertThat(file.path()).isEqualTo(directory.resolve("a"));
  }
}
