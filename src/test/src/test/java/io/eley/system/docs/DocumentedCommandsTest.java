package io.eley.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * What pages have their readers type, in blocks: {@code eley} itself takes every word of it, and
 * docs/commands.md says of each page which test runs its commands. Records of one day may have
 * commands as they were then.
 */
class DocumentedCommandsTest {
  private static final Path ROOT = Path.of("..", "..").normalize();
  private static final Path DOCS = ROOT.resolve("docs");
  private static final Pattern ROW = Pattern.compile("^\\| \\[[^]]*]\\(([^)]+)\\) \\| (.*) \\|$");
  private static final Pattern RUNNER = Pattern.compile("`([A-Z]\\w+Test|\\.ci/\\w+)`");

  static Stream<MarkdownPage> pagesWithCommands() throws IOException {
    return DocumentationTest.pages()
        .filter(page -> !page.path().startsWith(DOCS.resolve("measurements")))
        .filter(page -> !ShellCommands.of(page.lines()).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("pagesWithCommands")
  void eleyTakesEveryWord(MarkdownPage page) {
    for (List<String> command : ShellCommands.of(page.lines())) {
      if (ShellCommands.program(command).equals("eley")) {
        assertThat(complaint(command)).as("%s in %s", command, page).isEmpty();
      }
    }
  }

  /** The test above would be green, too, if it found nothing. */
  @Test
  void theyAreFound() throws IOException {
    assertThat(pagesWithCommands().flatMap(page -> ShellCommands.of(page.lines()).stream()))
        .filteredOn(command -> ShellCommands.program(command).equals("eley"))
        .hasSizeGreaterThan(50);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "eley strat",
        "eley start --colour red",
        "eley start --nodes many",
        "eley status 1 2",
        "eley phase begin"
      })
  void aWrongWordIsComplainedOf(String command) {
    assertThat(complaint(List.of(command.split(" ", -1)))).isNotEmpty();
  }

  /**
   * Empty when picocli takes it. "…" stands for what the reader adds, and a site's eley.conf names
   * its file system.
   */
  private static String complaint(List<String> command) {
    CommandLine eley = Main.commandLine();
    eley.setDefaultValueProvider(
        option ->
            option instanceof OptionSpec named && named.longestName().equals("--origin")
                ? "/mnt/pfs"
                : null);
    try {
      eley.parseArgs(
          command.stream().skip(1).filter(word -> !word.equals("…")).toArray(String[]::new));
      return "";
    } catch (ParameterException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static Map<Path, String> rows() {
    return MarkdownPage.read(DOCS.resolve("commands.md")).lines().stream()
        .map(ROW::matcher)
        .filter(row -> row.matches())
        .collect(
            Collectors.toMap(
                row -> DOCS.resolve(row.group(1)).normalize(), row -> row.group(2).strip()));
  }

  @Test
  void everyPageWithCommandsHasARow() throws IOException {
    assertThat(rows().keySet())
        .containsExactlyInAnyOrderElementsOf(pagesWithCommands().map(MarkdownPage::path).toList());
  }

  /** A test that types what is on a page reads the page, so its source has the page's name. */
  @Test
  void whatTypesAPageReadsIt() throws IOException {
    for (var row : rows().entrySet()) {
      String said = row.getValue();
      var runners = RUNNER.matcher(said).results().map((MatchResult m) -> m.group(1)).toList();
      assertThat(said).as("%s", row.getKey()).matches("(typed by|run as such by|not run\\b).*");
      if (!said.startsWith("not run")) {
        assertThat(runners).as("who runs %s", row.getKey()).isNotEmpty();
      }
      for (String runner : runners) {
        assertThat(source(runner)).as("%s, of %s", runner, row.getKey()).exists();
      }
      if (said.startsWith("typed by")) {
        assertThat(Files.readString(source(runners.get(0))))
            .contains(String.valueOf(row.getKey().getFileName()));
      }
    }
  }

  private static Path source(String runner) throws IOException {
    if (runner.startsWith(".ci/")) {
      return ROOT.resolve(runner);
    }
    try (var files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.endsWith(runner + ".java"))
          .findFirst()
          .orElse(ROOT.resolve(runner + ".java"));
    }
  }
}
