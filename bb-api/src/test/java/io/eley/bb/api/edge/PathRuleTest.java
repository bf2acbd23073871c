package io.eley.bb.api.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule over a file system in memory; user 7 is us, 8 is a neighbour. */
class PathRuleTest {
  private final FakeView view = new FakeView();
  private final PathRule rule = new PathRule(view, 7);

  @BeforeEach
  void ordinaryDirectories() {
    view.directory("/", 0, 0755).directory("/tmp", 0, 01777).directory("/home", 0, 0755);
    view.directory("/home/us", 7, 0750).directory("/home/us/d", 7, 0700);
    view.directory("/home/them", 8, 0755).directory("/home/them/d", 8, 0755);
  }

  private static void refused(ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED))
        .hasMessageContainingAll(words)
        .hasMessageNotContaining("\n");
  }

  private void refusedDirectory(String path, String... words) {
    refused(() -> rule.requireDirectory(Path.of(path)), words);
  }

  @Test
  void ourDirectoryBelowOursAndRootsIsTaken() {
    assertThatCode(() -> rule.requireDirectory(Path.of("/home/us/d"))).doesNotThrowAnyException();
  }

  @Test
  void aDirectoryOfOursInTmpIsTakenAndTmpItselfIsNot() {
    view.directory("/tmp/ours", 7, 0700);
    assertThatCode(() -> rule.requireDirectory(Path.of("/tmp/ours"))).doesNotThrowAnyException();
    refusedDirectory("/tmp", "/tmp (owner 0, mode 1777)", "written by others");
  }

  @Test
  void aNeighboursDirectoryIsRefusedWithItsOwnerAndMode() {
    refusedDirectory(
        "/home/them/d", "/home/them (owner 8, mode 0755)", "neither to this user (7) nor to root");
    view.directory("/tmp/theirs", 8, 0777).directory("/tmp/theirs/d", 7, 0700);
    refusedDirectory("/tmp/theirs", "/tmp/theirs (owner 8, mode 0777)");
    refusedDirectory("/tmp/theirs/d", "/tmp/theirs (owner 8");
  }

  @ParameterizedTest
  @CsvSource({"775", "757", "777", "720"})
  void aParentThatItsGroupOrOthersCanWriteToIsRefused(String octal) {
    view.directory("/home/us", 7, Integer.parseInt(octal, 8));
    refusedDirectory("/home/us/d", "/home/us (owner 7, mode 0" + octal + ")", "chmod go-w");
  }

  @Test
  void aStickyDirectoryOfANeighbourIsNoBetter() {
    view.directory("/tmp/theirs", 8, 01777).directory("/tmp/theirs/d", 7, 0700);
    refusedDirectory("/tmp/theirs/d", "/tmp/theirs (owner 8, mode 1777)");
  }

  @Test
  void linksOfOursAreFollowedAndWhatTheyLeadToIsChecked() {
    view.link("/home/us/link", 7, "d").link("/home/us/up", 7, "../us/./link");
    assertThatCode(() -> rule.requireDirectory(Path.of("/home/us/up"))).doesNotThrowAnyException();
    view.link("/home/us/away", 7, "/home/them/d");
    refusedDirectory("/home/us/away", "/home/them (owner 8");
    view.directory("/home/us/open", 7, 0777).directory("/home/us/open/d", 7, 0700);
    view.link("/home/us/way", 7, "open/d");
    refusedDirectory("/home/us/way", "/home/us/open (owner 7, mode 0777)");
  }

  @Test
  void aLinkThatANeighbourMadeInTmpIsRefusedThoughItLeadsToUs() {
    view.link("/tmp/trap", 8, "/home/us/d");
    refusedDirectory("/tmp/trap", "/tmp/trap (owner 8");
  }

  @Test
  void linksInACircleEnd() {
    view.link("/home/us/a", 7, "b").link("/home/us/b", 7, "a");
    refusedDirectory("/home/us/a", "too many links");
  }

  @Test
  void aFileIsNoDirectoryAndWhatIsMissingIsMissing() {
    view.file("/home/us/f", 7, 0600);
    refusedDirectory("/home/us/f", "is not a directory");
    assertThatThrownBy(() -> rule.requireDirectory(Path.of("/home/us/none")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> rule.requireFile(Path.of("/home/us/none"), false))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aFileIsOursRegularAndInATrustedDirectory() {
    view.file("/home/us/d/f", 7, 0644);
    assertThatCode(() -> rule.requireFile(Path.of("/home/us/d/f"), false))
        .doesNotThrowAnyException();
    refused(() -> rule.requireFile(Path.of("/home/us/d/f"), true), "f (owner 7, mode 0644)", "600");

    view.file("/home/us/d/root", 0, 0600).pipe("/home/us/d/pipe", 7);
    view.link("/home/us/d/link", 7, "f").file("/home/us/d/open", 7, 0620);
    view.file("/home/them/d/f", 7, 0600);
    for (boolean secret : new boolean[] {true, false}) {
      refused(() -> rule.requireFile(Path.of("/home/us/d/root"), secret), "not a file of this");
      refused(() -> rule.requireFile(Path.of("/home/us/d/pipe"), secret), "not a regular file");
      refused(() -> rule.requireFile(Path.of("/home/us/d/link"), secret), "not a regular file");
      refused(() -> rule.requireFile(Path.of("/home/us/d/open"), secret), "mode 0620");
      refused(() -> rule.requireFile(Path.of("/home/them/d/f"), secret), "/home/them (owner 8");
    }
  }

  @Test
  void aSitesFileIsOursOrRootsAndClosedToOthers() throws Exception {
    view.directory("/run", 0, 0755).file("/run/f", 0, 0644).file("/home/us/d/f", 7, 0600);
    rule.requireSiteFile(Path.of("/run/f"));
    rule.requireSiteFile(Path.of("/home/us/d/f"));
    view.file("/run/open", 0, 0666).file("/run/theirs", 8, 0644).link("/run/link", 0, "f");
    view.file("/tmp/f", 0, 0644);
    refused(() -> rule.requireSiteFile(Path.of("/run/open")), "mode 0666");
    refused(() -> rule.requireSiteFile(Path.of("/run/theirs")), "owner 8");
    refused(() -> rule.requireSiteFile(Path.of("/run/link")), "not a regular file");
    refused(() -> rule.requireSiteFile(Path.of("/tmp/f")), "/tmp (owner 0");
    refused(() -> rule.requireSiteFile(Path.of("/home/them/d/f")), "/home/them");
  }

  /** Of a software account, on a tree that its group can write to. */
  @Test
  void aFileBesideTheCodeMayBeOfWhomTheCodeIs() throws Exception {
    view.directory("/sw", 0, 0775).directory("/sw/eley", 8, 0755);
    view.directory("/sw/eley/lib", 8, 0755).directory("/sw/eley/conf", 8, 0755);
    view.file("/sw/eley/conf/f", 8, 0644);
    Path file = Path.of("/sw/eley/conf/f");
    Path code = Path.of("/sw/eley/lib");
    rule.requireSiteFile(file, code);
    for (int owner : new int[] {0, 7}) {
      view.file("/sw/eley/conf/f", owner, 0644);
      rule.requireSiteFile(file, code);
    }
    view.file("/sw/eley/conf/f", 9, 0644);
    refused(() -> rule.requireSiteFile(file, code), "owner 9");
    view.file("/sw/eley/conf/f", 8, 0664);
    refused(() -> rule.requireSiteFile(file, code), "mode 0664", "chmod go-w");
    view.pipe("/sw/eley/conf/f", 8);
    refused(() -> rule.requireSiteFile(file, code), "not a regular file");
    view.file("/sw/eley/conf/f", 8, 0644).directory("/sw/eley/conf", 8, 0777);
    refused(() -> rule.requireSiteFile(file, code), "/sw/eley/conf (owner 8, mode 0777)");
    view.directory("/sw/eley/conf", 9, 0755);
    refused(() -> rule.requireSiteFile(file, code), "/sw/eley/conf (owner 9");
  }

  @Test
  void aFileThatIsNotBesideTheCodeIsASitesAsEver() throws Exception {
    view.directory("/sw", 0, 0755).directory("/sw/eley", 8, 0755);
    view.directory("/sw/eley/conf", 8, 0755).file("/sw/eley/conf/f", 8, 0644);
    view.directory("/opt", 0, 0755).directory("/opt/conf", 0, 0755).file("/opt/conf/f", 0, 0644);
    Path file = Path.of("/sw/eley/conf/f");
    refused(() -> rule.requireSiteFile(file, Path.of("/sw/eley/lib")), "/sw/eley (owner 8");
    view.link("/sw/eley/lib", 8, "/opt");
    refused(() -> rule.requireSiteFile(file, Path.of("/sw/eley/lib")), "/sw/eley (owner 8");
    refused(() -> rule.requireSiteFile(file, Path.of("/opt/lib")), "/sw/eley (owner 8");
    rule.requireSiteFile(Path.of("/opt/conf/f"), Path.of("/opt/lib"));
  }

  /** As directory services count them. */
  @Test
  void usersBeyondTwoToThe31HaveNoSign() {
    view.directory("/tmp/theirs", (int) 3_000_000_000L, 0700);
    refusedDirectory("/tmp/theirs", "(owner 3000000000, mode 0700)");
  }

  @Test
  void aNeighboursSecretForUsIsHisAloneAndMayLieInAStickyDirectory() throws Exception {
    view.file("/tmp/8-x", 8, 0600);
    rule.requireSecretOf(8, Path.of("/tmp/8-x"));
    refused(() -> rule.requireSecretOf(9, Path.of("/tmp/8-x")), "that its name says");
    view.file("/tmp/8-y", 8, 0640).link("/tmp/8-z", 8, "/home/us/d/f").pipe("/tmp/8-p", 8);
    refused(() -> rule.requireSecretOf(8, Path.of("/tmp/8-y")), "open to others");
    refused(() -> rule.requireSecretOf(8, Path.of("/tmp/8-z")), "not a regular file");
    refused(() -> rule.requireSecretOf(8, Path.of("/tmp/8-p")), "not a regular file");
    view.file("/home/them/d/8-x", 8, 0600);
    refused(() -> rule.requireSecretOf(8, Path.of("/home/them/d/8-x")), "/home/them");
  }

  @Test
  void whatIsNotThereYetNeedsTrustedParents() {
    assertThatCode(() -> rule.requireParents(Path.of("/home/us/new/deep")))
        .doesNotThrowAnyException();
    assertThatCode(() -> rule.requireParents(Path.of("/tmp/new"))).doesNotThrowAnyException();
    refused(() -> rule.requireParents(Path.of("/home/them/new/deep")), "/home/them (owner 8");
  }
}
