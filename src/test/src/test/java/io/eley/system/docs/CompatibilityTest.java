package io.eley.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What docs/compatibility.md calls tested is run in each build: the test that a cell names has
 * something that waits for no property. Where a machine lacks a program it may skip itself.
 */
class CompatibilityTest {
  private static final Path ROOT = Path.of("..", "..").normalize();
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+Test)`");
  private static final Pattern ONCE = Pattern.compile("\\bonce\\b");
  private static final Pattern TEST = Pattern.compile("(?m)^  @(Test|ParameterizedTest)\\b");
  private static final Pattern PROPERTY = Pattern.compile("(?m)^  @EnabledIfSystemProperty");
  private static final Pattern WHOLE = Pattern.compile("(?m)^@EnabledIfSystemProperty");

  /** The cells of all tables. */
  private static List<String> cells() {
    return MarkdownPage.read(ROOT.resolve("docs/compatibility.md")).lines().stream()
        .filter(line -> line.startsWith("|"))
        .flatMap(line -> Stream.of(line.split("\\|", -1)))
        .map(String::strip)
        .toList();
  }

  @Test
  void whatIsCalledTestedWaitsForNoProperty() throws IOException {
    var tested = new TreeSet<String>();
    for (String cell : cells()) {
      if (cell.startsWith("tested")) {
        String always = ONCE.split(cell, 2)[0];
        NAMED.matcher(always).results().map((MatchResult m) -> m.group(1)).forEach(tested::add);
      }
    }
    assertThat(tested).hasSizeGreaterThan(8);
    for (String test : tested) {
      String source = source(test);
      assertThat(WHOLE.matcher(source).find()).as("%s waits for a property", test).isFalse();
      assertThat(TEST.matcher(source).results().count())
          .as("tests of %s that wait for no property", test)
          .isGreaterThan(PROPERTY.matcher(source).results().count());
    }
  }

  /** "Once" names the test that can do it again, or the record of the day. */
  @Test
  void whatWasRunOnceSaysByWhat() {
    assertThat(cells().stream().filter(cell -> cell.startsWith("once")))
        .isNotEmpty()
        .allMatch(
            cell ->
                NAMED.matcher(cell).find()
                    || cell.contains("](measurements/")
                    || cell.contains("`.ci/"));
  }

  private static String source(String test) throws IOException {
    try (var files = Files.walk(ROOT)) {
      return Files.readString(
          files.filter(file -> file.endsWith(test + ".java")).findFirst().orElseThrow());
    }
  }
}
