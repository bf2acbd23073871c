package io.eley.coordinator.neighbours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeighbourDirectoryTest {
  private static final NeighbourEntry ENTRY =
      new NeighbourEntry(3, 1L << 40, 1_790_000_000_000L, true, "fuse:pfs");

  @TempDir Path temporary;

  @Test
  void eachSeesTheOthersUntilTheyLeave() throws Exception {
    Path path = temporary.resolve("a/neighbours");
    var first = NeighbourDirectory.open(path);
    var second = NeighbourDirectory.open(path);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rwx------");
    first.write(ENTRY);
    first.write(ENTRY);
    try (var files = Files.list(path)) {
      assertThat(files).hasSize(1).allMatch(NeighbourDirectoryTest::isItsOwnersAlone);
    }
    assertThat(first.others()).isEmpty();
    assertThat(second.others()).hasSize(1).containsValue(ENTRY);
    first.leave();
    assertThat(second.others()).isEmpty();
    assertThat(path).isEmptyDirectory();
  }

  /** Whatever the umask is: others leave out what a group could have written. */
  private static boolean isItsOwnersAlone(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file)).equals("rw-------");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatMakesNoSenseIsLeftOut() throws Exception {
    var directory = NeighbourDirectory.open(temporary);
    Files.writeString(temporary.resolve("a.moved"), "garbage\n");
    Files.writeString(temporary.resolve("b.moved"), ENTRY.line() + ENTRY.line());
    Files.writeString(temporary.resolve("c.moved"), "eley-2 1 -1 1 0 x\n");
    Files.writeString(temporary.resolve("d.moved"), "eley-2 1 99999999999999999999 1 0 x\n");
    Files.writeString(temporary.resolve("e.moved"), "x".repeat(5000));
    Files.writeString(temporary.resolve("f.other"), ENTRY.line());
    Files.writeString(temporary.resolve("g.moved"), ENTRY.line());
    assertThat(directory.others().keySet()).containsExactly("g.moved");
  }

  @Test
  void aDirectoryThatOthersCanWriteToIsRefused() throws Exception {
    Path open = Files.createDirectory(temporary.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> NeighbourDirectory.open(open))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining(open.toString());
  }

  @Test
  void oneFileSystemHasOneName() throws Exception {
    Path below = Files.createDirectory(temporary.resolve("below"));
    assertThat(FileSystemName.of(below.toString()))
        .isEqualTo(FileSystemName.of("file://" + temporary))
        .matches("\\S+");
    assertThat(FileSystemName.of("/proc")).isNotEqualTo(FileSystemName.of(temporary.toString()));
    assertThat(FileSystemName.of("s3a://bucket/a/b")).isEqualTo("s3a://bucket");
  }
}
