package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.client.GivenFiles.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of outputs where a node of this machine looks for them. */
class GivenFilesTest {
  private static final int BYTES = 9 << 20;

  @TempDir private Path temp;
  private Path file;
  private Path place;

  @BeforeEach
  void write() throws IOException {
    var bytes = new byte[BYTES];
    new java.util.Random(7).nextBytes(bytes);
    file = Files.write(temp.resolve("file"), bytes);
    place = temp.resolve("place");
  }

  @Test
  void aFileOfTheSameFileSystemGetsASecondName() throws IOException {
    var given = new GivenFiles(Way.SECOND_NAME);
    assertThat(given.give(file, place, BYTES)).isTrue();
    assertThat(Files.isSameFile(file, place)).isTrue();
    given.takeBack();
    assertThat(place).doesNotExist();
    assertThat(file).hasSize(BYTES);
  }

  @Test
  void aFileOfAnotherOneIsCopiedForItsOwnerAlone() throws IOException {
    GivenFiles.copy(file, place, BYTES);
    assertThat(place).hasSameBinaryContentAs(file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
        .isEqualTo("rw-------");
    assertThatIOException()
        .isThrownBy(() -> GivenFiles.copy(file, temp.resolve("longer"), BYTES + 1))
        .withMessageContaining("became shorter");
  }

  /** Lengths beside the piece that is read at once. */
  @ParameterizedTest
  @ValueSource(ints = {1, (128 << 10) - 1, 128 << 10, (128 << 10) + 1, BYTES})
  void aSecondCopyHasBytesOfItsOwn(int bytes) throws IOException {
    byte[] content = Arrays.copyOf(Files.readAllBytes(file), bytes);
    Files.write(file, content);
    var given = new GivenFiles(Way.OWN_BYTES);
    assertThat(given.give(file, place, bytes)).isTrue();
    assertThat(Files.isSameFile(file, place)).isFalse();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
        .isEqualTo("rw-------");
    Files.write(file, new byte[bytes]);
    assertThat(place).as("when the first is damaged").hasBinaryContent(content);
    given.takeBack();
    assertThat(place).doesNotExist();
  }

  @Test
  void aSecondCopyOfAFileThatBecameShorterIsLeftToTheWire() {
    var given = new GivenFiles(Way.OWN_BYTES);
    assertThat(given.give(file, place, BYTES + 1)).isFalse();
    assertThat(place).doesNotExist();
    assertThat(given.give(file, temp.resolve("none/place"), BYTES)).isFalse();
  }

  /** As from a disk to a node's RAM-disk. */
  @Test
  void whatCannotBeLinkedIsCopiedByItself() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeTrue(
        Files.isWritable(memory) && !Files.getFileStore(memory).equals(Files.getFileStore(temp)),
        "needs a RAM-disk at /dev/shm, and temporary files elsewhere");
    Path other = Files.createTempDirectory(memory, "eley-given-");
    try {
      Path there = other.resolve("place");
      var given = new GivenFiles(Way.SECOND_NAME);
      assertThat(given.give(file, there, BYTES)).isTrue();
      assertThat(there).hasSameBinaryContentAs(file);
      assertThat(Files.isSameFile(file, there)).isFalse();
      given.takeBack();
      assertThat(other).isEmptyDirectory();
      assertThat(given.give(file, there, BYTES + 1)).as("shorter than it was").isFalse();
      assertThat(other).as("nothing of what was copied").isEmptyDirectory();
    } finally {
      Files.deleteIfExists(other.resolve("place"));
      Files.delete(other);
    }
  }

  @Test
  void aPlaceThatCannotBeWrittenToIsLeftToTheWire() {
    var given = new GivenFiles(Way.SECOND_NAME);
    assertThat(given.give(file, temp.resolve("none/place"), BYTES)).isFalse();
    assertThat(given.give(temp.resolve("gone"), place, BYTES)).isFalse();
    assertThat(place).doesNotExist();
    given.takeBack();
  }

  @Test
  void aNodeOfAnotherMachineIsGivenNothing() {
    assertThat(new GivenFiles(Way.SENT).give(file, place, BYTES)).isFalse();
    assertThat(place).doesNotExist();
  }

  @Test
  void whatTheNodeHasTakenIsNotMissed() throws IOException {
    var given = new GivenFiles(Way.SECOND_NAME);
    assertThat(given.give(file, place, BYTES)).isTrue();
    Files.delete(place);
    given.takeBack();
    assertThat(given.give(file, place, 0)).as("no bytes, no file").isFalse();
  }
}
