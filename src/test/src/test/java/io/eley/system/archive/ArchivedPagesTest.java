package io.eley.system.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The documentation as the archives hold it for browsers. */
class ArchivedPagesTest {
  private static final Path SITE =
      Path.of(System.getProperty("eley.root"), "deploy", "target", "html");
  private static final Pattern LINK = Pattern.compile("<a [^>]*?href=\"([^\"]*)\"");
  private static final Pattern LOADED =
      Pattern.compile("<(?:img|script|link|iframe)\\b[^>]*?(?:src|href)=\"([^\"]*)\"");
  private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");

  private static final Map<Path, String> PAGES = new TreeMap<>();

  @BeforeAll
  static void read() throws Exception {
    try (var files = Files.walk(SITE)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".html")).toList()) {
        PAGES.put(SITE.relativize(file), Files.readString(file));
      }
    }
    assertThat(PAGES).hasSizeGreaterThan(80);
  }

  private static List<String> all(Pattern pattern, String page) {
    return pattern.matcher(page).results().map(found -> found.group(1)).toList();
  }

  @Test
  void everyLinkLeadsToAPageAndItsHeading() {
    for (var page : PAGES.entrySet()) {
      for (String link : all(LINK, page.getValue())) {
        if (!link.contains("://")) {
          int hash = link.indexOf('#');
          String file = hash < 0 ? link : link.substring(0, hash);
          Path to = file.isEmpty() ? page.getKey() : page.getKey().resolveSibling(file).normalize();
          assertThat(SITE.resolve(to)).as(link + " in " + page.getKey()).exists();
          if (hash >= 0) {
            assertThat(all(ID, PAGES.getOrDefault(to, "")))
                .as("headings of " + to + ", for a link of " + page.getKey())
                .contains(link.substring(hash + 1));
          }
        }
      }
    }
  }

  @Test
  void nothingIsLoadedFromOutsideOrRun() {
    for (var page : PAGES.entrySet()) {
      assertThat(page.getValue()).contains("default-src 'none'").doesNotContain("<script");
      for (String loaded : all(LOADED, page.getValue())) {
        assertThat(loaded).doesNotContain("://");
        assertThat(SITE.resolve(page.getKey()).resolveSibling(loaded)).exists();
      }
    }
  }

  @Test
  void everyPageIsThereAndFoundFromTheIndex() throws Exception {
    Set<String> sources;
    Path docs = Path.of(System.getProperty("eley.root"), "docs");
    try (var files = Files.walk(docs)) {
      sources =
          files
              .map(f -> docs.relativize(f).toString())
              .filter(f -> f.endsWith(".md") && !f.equals("README.md"))
              .map(f -> f.replaceFirst("\\.md$", ".html"))
              .collect(Collectors.toCollection(TreeSet::new));
    }
    var reached = new TreeSet<Path>();
    var next = new ArrayDeque<Path>(List.of(Path.of("index.html")));
    while (!next.isEmpty()) {
      Path page = next.remove();
      if (reached.add(page)) {
        all(LINK, PAGES.getOrDefault(page, "")).stream()
            .filter(link -> !link.contains("://") && !link.startsWith("#"))
            .map(link -> page.resolveSibling(link.replaceFirst("#.*", "")).normalize())
            .forEach(next::add);
      }
    }
    assertThat(reached.stream().map(Path::toString)).containsAll(sources);
  }
}
