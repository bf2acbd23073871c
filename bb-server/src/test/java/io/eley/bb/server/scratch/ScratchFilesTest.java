package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eley.bb.server.scratch.ScratchFiles.Deletion;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees that others change while they are deleted. */
class ScratchFilesTest {
  private static final int FILES = 20;

  @TempDir Path temp;
  private Path root;

  @BeforeEach
  void makeTree() throws IOException {
    root = makeTree(temp.resolve("tree"));
  }

  private static Path makeTree(Path root) throws IOException {
    for (String name : new String[] {"blocks", "incoming"}) {
      Path directory = Files.createDirectories(root.resolve(name));
      for (int i = 0; i < FILES; i++) {
        Files.createFile(directory.resolve(i + ".0"));
      }
    }
    return root;
  }

  @Test
  void whatOthersDeleteMeanwhileDoesNotEndIt() throws IOException {
    ScratchFiles.deleteTree(
        root,
        new Deletion() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            for (int i = 0; i < FILES; i++) {
              Files.deleteIfExists(file.resolveSibling(i + ".0"));
            }
            return super.visitFile(file, attributes);
          }
        });
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void aDirectoryThatIsGoneWhenItsTurnComesIsFine() throws IOException {
    ScratchFiles.deleteTree(
        root,
        new Deletion() {
          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
              throws IOException {
            Files.deleteIfExists(directory);
            return super.postVisitDirectory(directory, e);
          }
        });
    assertThat(temp).isEmptyDirectory();
    ScratchFiles.deleteTree(root);
  }

  /** Makes files behind the listing of each directory. */
  private static final class Busy extends Deletion {
    private final int most;
    private int made;

    Busy(int most) {
      this.most = most;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
        throws IOException {
      if (made < most) {
        Files.createFile(directory.resolve("late" + made++));
      }
      return super.postVisitDirectory(directory, e);
    }
  }

  @Test
  void whatOthersStillMakeIsDeletedToo() throws IOException {
    var others = new Busy(ScratchFiles.ATTEMPTS - 1);
    ScratchFiles.deleteTree(root, others);
    assertThat(others.made).isEqualTo(ScratchFiles.ATTEMPTS - 1);
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void whoeverGoesOnMakingFilesIsNotChasedForEver() {
    var others = new Busy(Integer.MAX_VALUE);
    assertThatExceptionOfType(DirectoryNotEmptyException.class)
        .isThrownBy(() -> ScratchFiles.deleteTree(root, others));
    assertThat(others.made).isEqualTo(ScratchFiles.ATTEMPTS);
  }

  @Test
  void theOverflowIsDeletedThoughTheOtherTierCannotBe() throws IOException {
    Path noDirectory = Files.createFile(temp.resolve("file")).resolve("ram");
    var both = new ScratchDirectories(noDirectory, Optional.of(root));
    assertThatExceptionOfType(FileSystemException.class).isThrownBy(both::delete);
    assertThat(root).doesNotExist();
  }
}
