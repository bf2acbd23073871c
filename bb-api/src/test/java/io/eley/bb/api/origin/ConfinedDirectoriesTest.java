package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which directories are inside a root, and how often the system is asked for it. */
class ConfinedDirectoriesTest {
  private Path root;
  private Path outside;
  private ConfinedDirectories directories;
  private long now;
  private int looks;

  @BeforeEach
  void make(@TempDir Path temp) throws IOException {
    Path real = temp.toRealPath();
    root = Files.createDirectories(real.resolve("root"));
    outside = Files.createDirectories(real.resolve("outside"));
    directories =
        new ConfinedDirectories(
            root,
            directory -> {
              looks++;
              return directory.toRealPath();
            },
            () -> now);
  }

  @Test
  void aDirectoryIsLookedForOnceASecondAndTheRootNever() throws IOException {
    Path directory = Files.createDirectories(root.resolve("a/b"));
    for (int i = 0; i < 100; i++) {
      assertThat(directories.contain(directory)).isTrue();
      assertThat(directories.contain(root)).isTrue();
    }
    assertThat(looks).isEqualTo(1);
    now += ConfinedDirectories.LIFETIME.toNanos();
    assertThat(directories.contain(directory)).isTrue();
    assertThat(directories.contain(directory)).isTrue();
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void aDirectoryThatBecomesALinkOutOfTheRootIsNoticedWithinASecond() throws IOException {
    Path directory = Files.createDirectories(root.resolve("a"));
    assertThat(directories.contain(directory)).isTrue();
    Files.delete(directory);
    Files.createSymbolicLink(directory, outside);
    now += ConfinedDirectories.LIFETIME.toNanos();
    assertThat(directories.contain(directory)).isFalse();
  }

  @Test
  void whatIsOutsideOrNotThereIsAskedForAnewEachTime() throws IOException {
    Path link = Files.createSymbolicLink(root.resolve("link"), outside);
    Path gone = root.resolve("gone");
    for (int i = 0; i < 3; i++) {
      assertThat(directories.contain(link)).isFalse();
      assertThat(directories.contain(gone)).isFalse();
    }
    assertThat(looks).isEqualTo(6);
    Files.createDirectory(gone);
    assertThat(directories.contain(gone)).isTrue();
  }

  @Test
  void onlySoManyAreKept() throws IOException {
    for (int i = 0; i <= ConfinedDirectories.MOST; i++) {
      assertThat(directories.contain(Files.createDirectory(root.resolve("d" + i)))).isTrue();
    }
    assertThat(directories.contain(root.resolve("d1"))).isTrue();
    assertThat(looks).as("it is still known").isEqualTo(ConfinedDirectories.MOST + 1);
    assertThat(directories.contain(root.resolve("d0"))).isTrue();
    assertThat(looks).as("it has made room").isEqualTo(ConfinedDirectories.MOST + 2);
  }
}
