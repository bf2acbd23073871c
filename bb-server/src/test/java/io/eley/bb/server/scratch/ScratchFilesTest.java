package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees that go; what others do to them meanwhile is {@code TreeDeletionTest}'s. */
class ScratchFilesTest {
  private static final int FILES = 200;

  @TempDir Path temp;

  private Path tree() throws IOException {
    Path root = temp.resolve("tree");
    for (String name : new String[] {"blocks", "incoming"}) {
      Path directory = Files.createDirectories(root.resolve(name));
      for (int i = 0; i < FILES; i++) {
        Files.createFile(directory.resolve(i + ".0"));
      }
    }
    return root;
  }

  @Test
  void allWhoDeleteATreeAtOnceFindItDeleted() throws Exception {
    Path root = tree();
    var together = new CyclicBarrier(3);
    var deletions =
        Stream.generate(
                () ->
                    CompletableFuture.runAsync(
                        () -> {
                          try {
                            together.await(30, TimeUnit.SECONDS);
                            ScratchFiles.deleteTree(root);
                          } catch (Exception e) {
                            throw new AssertionError(e);
                          }
                        },
                        task -> new Thread(task).start()))
            .limit(3)
            .toList();
    for (var deletion : deletions) {
      deletion.get(30, TimeUnit.SECONDS);
    }
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void aTreeThatIsNotThereIsFine() throws IOException {
    ScratchFiles.deleteTree(temp.resolve("none"));
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void theOverflowIsDeletedThoughTheOtherTierCannotBe() throws IOException {
    Path root = tree();
    Path noDirectory = Files.createFile(temp.resolve("file")).resolve("ram");
    var both = new ScratchDirectories(noDirectory, Optional.of(root));
    assertThatExceptionOfType(FileSystemException.class).isThrownBy(both::delete);
    assertThat(root).doesNotExist();
  }
}
