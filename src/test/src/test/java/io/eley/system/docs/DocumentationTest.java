package io.eley.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The shape of the documentation: pages that fit on a screen, links that lead somewhere, nothing
 * that cannot be found from the index. Generated pages and records of measurements may be long.
 */
class DocumentationTest {
  private static final Path ROOT = Path.of("..", "..").normalize();
  private static final Path DOCS = ROOT.resolve("docs");
  private static final int MOST_LINES = 60;
  private static final int MOST_LINES_OF_THE_README = 110;
  private static final int COLUMNS = 100;
  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|record|interface|enum)\\s+([A-Z]\\w+)");

  /** Names in code spans that look like classes of ours and are somebody else's. */
  private static final Set<String> FOREIGN =
      Set.of(
          "BurstBufferType",
          "ConstrainRAMSpace",
          "DefaultTime",
          "JobAcctGatherParams",
          "JobAcctGatherType",
          "JobContainerType",
          "KillOnBadExit",
          "MaxTime",
          "MaxWall",
          "NamespaceType",
          "PrivateData",
          "ServiceLoader",
          "SlurmUser",
          "SlurmdSpoolDir",
          "TextInputFormat",
          "WaitTime");

  private static final Set<String> DECLARED = new HashSet<>();
  private static final Pattern DECISION = Pattern.compile("^\\*\\*(\\d+)\\. ");

  /** All pages of docs/, and those beside it that newcomers read. */
  static Stream<MarkdownPage> pages() throws IOException {
    try (var files = Files.walk(DOCS)) {
      return Stream.concat(
              Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md").map(ROOT::resolve),
              files.filter(file -> file.toString().endsWith(".md")).sorted().toList().stream())
          .filter(Files::exists)
          .map(MarkdownPage::read);
    }
  }

  /** Pages that say what is, or how to: not generated, no record of one day. */
  static Stream<MarkdownPage> pagesWithABound() throws IOException {
    return pages()
        .filter(page -> page.path().startsWith(DOCS))
        .filter(page -> !page.path().equals(DOCS.resolve("configuration.md")))
        .filter(page -> !page.path().startsWith(DOCS.resolve("measurements")));
  }

  @ParameterizedTest
  @MethodSource("pagesWithABound")
  void aPageHasAtMostSixtyLines(MarkdownPage page) {
    assertThat(page.lines()).as(page.path().toString()).hasSizeLessThanOrEqualTo(MOST_LINES);
  }

  @Test
  void theReadmeIsOnePage() {
    assertThat(MarkdownPage.read(ROOT.resolve("README.md")).lines())
        .hasSizeLessThanOrEqualTo(MOST_LINES_OF_THE_README);
  }

  /** Who has only read the first page finds the next one. */
  @Test
  void theReadmeLeadsToInstallingAndEveryTutorial() throws IOException {
    var linked =
        MarkdownPage.read(ROOT.resolve("README.md")).links().stream()
            .map(MarkdownPage.Link::file)
            .toList();
    assertThat(linked).contains(DOCS.resolve("installing.md"), DOCS.resolve("does-it-help.md"));
    assertThat(pages().map(MarkdownPage::path).filter(DocumentationTest::isATutorial))
        .isNotEmpty()
        .isSubsetOf(linked);
  }

  private static boolean isATutorial(Path page) {
    return page.startsWith(DOCS.resolve("tutorials"));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void proseIsWrapped(MarkdownPage page) {
    if (!page.path().equals(DOCS.resolve("configuration.md"))
        && !page.path().endsWith("CHANGELOG.md")) {
      assertThat(page.proseWiderThan(COLUMNS)).as(page.path().toString()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLinkLeadsSomewhere(MarkdownPage page) {
    for (var link : page.links()) {
      assertThat(link.file()).as("a link of " + page.path()).exists();
      if (!link.anchor().isEmpty()) {
        assertThat(MarkdownPage.read(link.file()).anchors())
            .as("headings of " + link.file() + ", for a link of " + page.path())
            .contains(link.anchor());
      }
    }
  }

  @Test
  void everyPageIsFoundFromTheIndex() throws IOException {
    var reached = new TreeSet<Path>();
    var next = new ArrayDeque<Path>(List.of(DOCS.resolve("README.md").normalize()));
    while (!next.isEmpty()) {
      Path page = next.remove();
      if (reached.add(page)) {
        MarkdownPage.read(page).links().stream()
            .map(MarkdownPage.Link::file)
            .filter(file -> file.startsWith(DOCS) && file.toString().endsWith(".md"))
            .forEach(next::add);
      }
    }
    assertThat(pages().map(MarkdownPage::path).filter(file -> file.startsWith(DOCS)))
        .isSubsetOf(reached);
  }

  @ParameterizedTest
  @MethodSource("pagesWithABound")
  void everyClassThatIsNamedExists(MarkdownPage page) throws IOException {
    if (!page.path().startsWith(DOCS.resolve("decisions"))) {
      var unknown = new TreeSet<>(page.classes());
      unknown.removeAll(declared());
      assertThat(unknown).as("classes that are nowhere, of " + page.path()).isEmpty();
    }
  }

  /**
   * Simple names of all types that the project declares, nested ones included, and foreign ones.
   */
  private static Set<String> declared() throws IOException {
    if (DECLARED.isEmpty()) {
      DECLARED.addAll(FOREIGN);
      try (var files = Files.walk(ROOT)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          TYPE.matcher(Files.readString(file)).results().forEach(m -> DECLARED.add(m.group(1)));
        }
      }
    }
    return DECLARED;
  }

  @Test
  void decisionsAreNumberedWithoutGaps() throws IOException {
    List<Integer> numbers =
        pages()
            .filter(page -> page.path().startsWith(DOCS.resolve("decisions")))
            .flatMap(page -> page.lines().stream())
            .map(DECISION::matcher)
            .filter(Matcher::find)
            .map(found -> Integer.valueOf(found.group(1)))
            .sorted()
            .toList();
    assertThat(numbers).isNotEmpty();
    assertThat(numbers).isEqualTo(IntStream.rangeClosed(1, numbers.size()).boxed().toList());
  }
}
