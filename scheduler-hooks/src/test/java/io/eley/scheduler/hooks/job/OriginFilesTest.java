package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginFilesTest {
  /** Of somebody who lets nobody in. */
  private static final String CLOSED = "/x";

  private final Map<String, OriginStatus> tree = new TreeMap<>();
  private final List<String> listed = new ArrayList<>();
  private @Nullable EleyException failure;

  private final OriginFiles files =
      new OriginFiles(
          new OriginFiles.Listing() {
            @Override
            public OriginStatus stat(String path) throws EleyException {
              return known(path);
            }

            @Override
            public List<OriginStatus> list(String path) throws EleyException {
              listed.add(path);
              if (path.equals(CLOSED)) {
                throw new EleyException(ErrorCode.ACCESS_DENIED, "somebody else's");
              }
              known(path);
              String below = path.equals("/") ? "/" : path + "/";
              return tree.values().stream()
                  .filter(f -> !f.path().equals("/") && f.path().startsWith(below))
                  .filter(f -> f.path().indexOf('/', below.length()) < 0)
                  .toList();
            }
          },
          "/mnt/pfs/");

  private OriginStatus known(String path) throws EleyException {
    if (failure != null) {
      throw failure;
    }
    OriginStatus status = tree.get(path);
    if (status == null) {
      throw new EleyException(ErrorCode.NOT_FOUND, "no " + path);
    }
    return status;
  }

  private void add(String path, boolean directory, long length) {
    tree.put(path, new OriginStatus(path, directory, length, 1, 0755, "", ""));
  }

  @BeforeEach
  void origin() {
    add("/", true, 0);
    add("/in", true, 0);
    add("/in/part-0", false, 5);
    add("/in/part-1", false, 5);
    add("/in/_SUCCESS", false, 5);
    add("/in/.hidden", false, 5);
    add("/in/empty", false, 0);
    add("/in/day=1", true, 0);
    add("/in/day=1/part-2", false, 5);
    add("/in/_tmp", true, 0);
    add("/in/_tmp/part-3", false, 5);
    add("/other", false, 5);
  }

  private List<String> matching(String pattern) throws EleyException {
    return files.matching(pattern).stream().map(OriginStatus::path).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "in/part-0, /in/part-0",
    "/in/part-0, /in/part-0",
    "/mnt/pfs/in/part-0, /in/part-0",
    "in/*, /in/part-0 /in/part-1",
    "in/part-[1-9], /in/part-1",
    "in/part-?, /in/part-0 /in/part-1",
    "in/**, /in/day=1/part-2 /in/part-0 /in/part-1",
    "'in/{day=1,none}/*', /in/day=1/part-2",
    "'in/{part-0,day=1/*}', /in/day=1/part-2 /in/part-0",
    "i*/part-?, /in/part-0 /in/part-1",
    "i*/*/p*, /in/day=1/part-2",
    "i*/**2, /in/day=1/part-2",
    "i*/d**/*2, /in/day=1/part-2",
    "in, /in/day=1/part-2 /in/part-0 /in/part-1",
    "oth*, /other"
  })
  void patternsAndWhatTheyMatch(String pattern, String paths) throws EleyException {
    assertThat(matching(pattern)).containsExactlyInAnyOrder(paths.split(" ", -1));
  }

  @ParameterizedTest
  @CsvSource({"none", "none/*", "in/empty", "in/_tmp*", "*/part-9"})
  void aPatternWithoutFilesIsSaid(String pattern) {
    assertThatThrownBy(() -> files.matching(pattern))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessage("no file below /mnt/pfs matches " + pattern);
  }

  @Test
  void aFileThatIsNamedAsItIsMayBeHidden() throws EleyException {
    assertThat(matching("in/_SUCCESS")).containsExactly("/in/_SUCCESS");
  }

  @Test
  void onlyDirectoriesBelowTheFixedPartAreListed() throws EleyException {
    assertThat(matching("in/day=1/part-*")).hasSize(1);
    assertThat(listed).containsExactly("/in/day=1");
    listed.clear();
    assertThat(matching("in/part-0")).hasSize(1);
    assertThat(listed).isEmpty();
  }

  /** Else a pattern at the origin's root would have all of it listed. */
  @ParameterizedTest
  @CsvSource({
    "in/part-*, /in",
    "i*/part-*, / /in",
    "i*/**, / /in /in/day=1",
    "i*/day=1/*, / /in /in/day=1",
    "'in/{part-0,day=1/*}', /in /in/day=1",
    "in, /in /in/day=1"
  })
  void onlyDirectoriesThatMayHoldMatchesAreListed(String pattern, String directories)
      throws EleyException {
    matching(pattern);
    assertThat(listed).containsExactly(directories.split(" ", -1));
  }

  @Test
  void aNameThatIsNotThereListsNothing() {
    assertThatThrownBy(() -> matching("none")).hasMessage("no file below /mnt/pfs matches none");
    assertThat(listed).isEmpty();
  }

  @Test
  void aDirectoryOfSomebodyElseMattersOnlyToPatternsThatLeadThere() throws EleyException {
    add(CLOSED, true, 0);
    assertThat(matching("i*/part-?")).hasSize(2);
    assertThatThrownBy(() -> matching("**/part-?")).hasMessage("somebody else's");
  }

  @Test
  void whatIsNoPatternIsRefusedBeforeAnythingIsListed() {
    assertThatThrownBy(() -> matching("in/{part-0,part-1"))
        .isInstanceOf(EleyException.class)
        .hasMessageStartingWith("'/in/{part-0,part-1' is no pattern: ");
    assertThat(listed).isEmpty();
  }

  @Test
  void hiddenDirectoriesAreNotEntered() throws EleyException {
    matching("in/**");
    assertThat(listed).containsExactlyInAnyOrder("/in", "/in/day=1");
  }

  @Test
  void anOriginThatFailsIsNotAnEmptyOne() {
    failure = new EleyException(ErrorCode.ORIGIN_FAILED, "the mount hangs");
    assertThatThrownBy(() -> files.matching("in/part-0")).isSameAs(failure);
    assertThatThrownBy(() -> files.matching("in/*")).isSameAs(failure);
  }
}
