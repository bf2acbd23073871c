package io.eley.bb.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateDirectoryTest {
  private static final Set<PosixFilePermission> READABLE =
      PosixFilePermissions.fromString("rwxr-xr-x");

  @TempDir private Path temp;

  @Test
  void aLinkIsNotUsedAndWhatItLeadsToStaysAsItIs() throws Exception {
    Path data = Files.createDirectory(temp.resolve("data"));
    Files.setPosixFilePermissions(data, READABLE);
    Path link = Files.createSymbolicLink(temp.resolve("link"), data);
    assertThatThrownBy(() -> PrivateDirectory.open(link, "directory of a test"))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED));
    // As if somebody had planted it after that look.
    assertThatThrownBy(() -> PrivateDirectory.make(link)).isInstanceOf(IOException.class);
    assertThat(Files.getPosixFilePermissions(data)).isEqualTo(READABLE);
  }

  @Test
  void itIsForItsOwnerAloneWhateverWasThere() throws Exception {
    Path directory = Files.createDirectory(temp.resolve("node"));
    Files.setPosixFilePermissions(directory, READABLE);
    try (var ours = PrivateDirectory.open(directory, "directory of a test")) {
      assertThat(Files.getPosixFilePermissions(ours.path()))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
      assertThatThrownBy(() -> PrivateDirectory.open(directory, "directory of a test"))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    }
  }
}
