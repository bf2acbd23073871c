package io.eley.bb.api.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class OwnFilesTest {
  @TempDir private Path temp;

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private Path ofTheGroup(String text) throws IOException {
    Path file = Files.writeString(temp.resolve("file"), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
  }

  @Test
  void aNewFileIsItsOwnersAlone() throws Exception {
    Path file = temp.resolve("file");
    OwnFiles.replace(file, "told");
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(OwnPaths.readPrivate(file)).isEqualTo("told");
  }

  @Test
  void aPublicFileIsReadByAllAndWrittenByItsOwnerAlone() throws Exception {
    Path file = ofTheGroup("before");
    OwnFiles.replacePublic(file, "told");
    assertThat(mode(file)).isEqualTo("rw-r--r--");
    assertThat(OwnPaths.read(file)).isEqualTo("told");
    OwnFiles.replace(file, "told");
    assertThat(mode(file)).isEqualTo("rw-------");
  }

  @Test
  void aFileThatTheGroupCouldWriteIsReplacedByOneThatItCannot() throws Exception {
    Path file = ofTheGroup("a longer text");
    assertThatThrownBy(() -> OwnPaths.read(file)).hasMessageContaining("(owner ");
    OwnFiles.replace(file, "told");
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(OwnPaths.read(file)).isEqualTo("told");
  }

  @Test
  void aLinkIsReplacedAndNotFollowed() throws Exception {
    Path other = Files.writeString(temp.resolve("other"), "kept");
    Path link = Files.createSymbolicLink(temp.resolve("link"), other);
    OwnFiles.replace(link, "told");
    assertThat(OwnPaths.read(link)).isEqualTo("told");
    assertThat(other).hasContent("kept");
  }

  @Test
  void whatCannotBeReplacedLeavesNothingBehind() throws Exception {
    Path file = Files.createDirectory(temp.resolve("file"));
    assertThatThrownBy(() -> OwnFiles.replace(file, "told")).isInstanceOf(IOException.class);
    try (var left = Files.list(temp)) {
      assertThat(left).containsExactly(file);
    }
  }

  @Test
  void ofSeveralAtOnceOneIsTheLast() throws Exception {
    Path file = temp.resolve("file");
    var all =
        IntStream.range(0, 8)
            .mapToObj(i -> CompletableFuture.runAsync(() -> replaceOften(file, "of " + i)))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(all).get();
    assertThat(OwnPaths.read(file)).matches("of [0-7]");
    try (var left = Files.list(temp)) {
      assertThat(left).containsExactly(file);
    }
  }

  private static void replaceOften(Path file, String text) {
    try {
      for (int i = 0; i < 100; i++) {
        OwnFiles.replace(file, text);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aListIsItsOwnersAloneFromItsFirstLineOn() throws Exception {
    Path file = temp.resolve("file");
    OwnFiles.append(file, "one\n");
    assertThat(mode(file)).isEqualTo("rw-------");
    OwnFiles.append(file, "two\n");
    assertThat(OwnPaths.read(file)).isEqualTo("one\ntwo\n");
  }

  @Test
  void aListThatTheGroupCouldWriteIsTakenFromIt() throws Exception {
    Path file = ofTheGroup("one\n");
    OwnFiles.append(file, "two\n");
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(OwnPaths.read(file)).isEqualTo("one\ntwo\n");
  }

  @Test
  void aListThatIsALinkIsRefused() throws Exception {
    Path other = Files.writeString(temp.resolve("other"), "kept");
    Path link = Files.createSymbolicLink(temp.resolve("link"), other);
    assertThatThrownBy(() -> OwnFiles.append(link, "told")).isInstanceOf(IOException.class);
    assertThat(other).hasContent("kept");
  }
}
