package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tree that others change while it is deleted. */
class TreeDeletionTest {
  @TempDir private Path temp;
  private Path top;
  private final List<Path> removals = new ArrayList<>();

  @BeforeEach
  void grow() throws IOException {
    top = temp.resolve("top");
    for (String directory : List.of("a", "b", "c/d")) {
      Files.createDirectories(top.resolve(directory));
      Files.createFile(top.resolve(directory).resolve("f"));
      Files.createFile(top.resolve(directory).resolve("g"));
    }
  }

  private void note(Path path) {
    removals.add(path);
  }

  private long removals(Path path) {
    return removals.stream().filter(path::equals).count();
  }

  @Test
  void whatOthersDeleteMeanwhileIsDeleted() throws Exception {
    TreeDeletion.delete(
        top,
        path -> {
          if (removals.isEmpty()) {
            TreeDeletion.delete(top);
          }
          note(path);
        });
    assertThat(top).doesNotExist();
    assertThat(removals).as("found before the others came, and the top").hasSizeBetween(3, 4);
    assertThat(removals(top)).isEqualTo(1);
  }

  @Test
  void whatOthersAddMeanwhileIsLookedForAgain() throws Exception {
    Path directory = top.resolve("c/d");
    TreeDeletion.delete(
        top,
        path -> {
          if (path.equals(directory) && removals(directory) == 0) {
            Files.createFile(directory.resolve("late"));
          }
          note(path);
        });
    assertThat(top).doesNotExist();
    assertThat(removals(directory)).as("walks that came there").isEqualTo(2);
    assertThat(removals(directory.resolve("late"))).isEqualTo(1);
  }

  @Test
  void whoNeverStopsAddingIsNotWaitedFor() {
    assertThatThrownBy(
            () ->
                TreeDeletion.delete(
                    top,
                    path -> {
                      if (path.equals(top)) {
                        Files.createFile(top.resolve("late"));
                      }
                      note(path);
                    }))
        .isInstanceOf(DirectoryNotEmptyException.class);
    assertThat(removals(top)).isEqualTo(10);
    assertThat(top.resolve("late")).exists();
  }

  @Test
  void whatIsNotThereToBeginWithIsAnError() {
    assertThatThrownBy(() -> TreeDeletion.delete(temp.resolve("none"), this::note))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(removals).isEmpty();
  }

  @Test
  void aLinkThatTakesADirectorysPlaceLeadsNowhere() throws Exception {
    Path elsewhere = temp.resolve("elsewhere");
    Files.createDirectories(elsewhere.resolve("d"));
    Files.createFile(elsewhere.resolve("d/f"));
    Files.createFile(elsewhere.resolve("d/g"));
    assertThatThrownBy(
            () ->
                TreeDeletion.delete(
                    top,
                    path -> {
                      if (path.startsWith(top.resolve("c/d"))
                          && !Files.isSymbolicLink(top.resolve("c"))) {
                        Files.move(top.resolve("c"), temp.resolve("moved"));
                        Files.createSymbolicLink(top.resolve("c"), elsewhere);
                      }
                      note(path);
                    }))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(top.resolve("c").toString());
    assertThat(elsewhere.resolve("d/f")).exists();
    assertThat(elsewhere.resolve("d/g")).exists();
    assertThat(temp.resolve("moved")).as("what was begun").isEmptyDirectory();

    TreeDeletion.delete(top);
    assertThat(top).doesNotExist();
    assertThat(elsewhere.resolve("d/f")).exists();
  }

  @Test
  void aLinkInItsPlaceIsDeletedAlone() throws Exception {
    Path link = Files.createSymbolicLink(temp.resolve("link"), top);
    TreeDeletion.delete(link);
    assertThat(link).doesNotExist();
    assertThat(top.resolve("a/f")).exists();
  }
}
