package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountedOriginTest {
  @TempDir private Path temp;
  private Path root;
  private MountedOrigin origin;

  @BeforeEach
  void open() throws Exception {
    root = Files.createDirectory(temp.resolve("root"));
    origin = MountedOrigin.open(root);
  }

  @Test
  void showsFilesInTheOrderOfTheirNames() throws Exception {
    Files.writeString(root.resolve("b"), "12345");
    Files.createDirectory(root.resolve("a"));
    assertThat(origin.list("/")).extracting(OriginStatus::path).containsExactly("/a", "/b");
    assertThat(origin.stat("/b").length()).isEqualTo(5);
    assertThat(origin.stat("/a").directory()).isTrue();
  }

  @Test
  void readsAtPositionsAndEndsWhereTheFileDoes() throws Exception {
    Files.writeString(root.resolve("f"), "0123456789");
    try (var file = origin.open("/f")) {
      var target = ByteBuffer.allocate(4);
      assertThat(file.read(8, target, ReadCause.DEMAND)).isEqualTo(2);
      assertThat(file.read(10, target, ReadCause.DEMAND)).isEqualTo(-1);
      assertThat(target.array()).startsWith('8', '9');
    }
  }

  @Test
  void aLinkOutOfTheRootIsNeitherShownNorFollowed() throws Exception {
    Path outside = Files.writeString(temp.resolve("outside"), "secret");
    Files.createSymbolicLink(root.resolve("link"), outside);
    Files.createSymbolicLink(root.resolve("up"), temp);
    assertThat(origin.list("/")).isEmpty();
    assertThatThrownBy(() -> origin.open("/link"))
        .satisfies(e -> code(e, ErrorCode.OUTSIDE_ORIGIN));
    assertThatThrownBy(() -> origin.create("/up/new", true))
        .satisfies(e -> code(e, ErrorCode.OUTSIDE_ORIGIN));
    origin.delete("/link", false);
    assertThat(outside).exists();
  }

  @Test
  void writesRenamesAndDeletes() throws Exception {
    try (var out = origin.create("/d/new", false)) {
      out.write(1);
    }
    assertThatThrownBy(() -> origin.create("/d/new", false))
        .satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED));
    origin.rename("/d/new", "/d/old");
    assertThat(root.resolve("d/old")).exists();
    assertThatThrownBy(() -> origin.delete("/d", false))
        .satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED));
    origin.delete("/d", true);
    assertThat(root.resolve("d")).doesNotExist();
  }

  @Test
  void whatIsNotThereIsSaidInOneLine() {
    assertThatThrownBy(() -> origin.stat("/none")).satisfies(e -> code(e, ErrorCode.NOT_FOUND));
    assertThatThrownBy(() -> Origins.open(temp + "/none", "test"))
        .satisfies(e -> code(e, ErrorCode.NOT_FOUND))
        .hasMessageContaining("is it mounted?");
    assertThatThrownBy(() -> Origins.open("s3x://bucket", "test"))
        .satisfies(e -> code(e, ErrorCode.NOT_FOUND))
        .hasMessageContaining("no origin adapter");
  }

  private static void code(Throwable e, ErrorCode expected) {
    assertThat(e)
        .isInstanceOfSatisfying(EleyException.class, x -> assertThat(x.code()).isEqualTo(expected));
  }
}
