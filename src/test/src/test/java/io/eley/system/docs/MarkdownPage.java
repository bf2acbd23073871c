package io.eley.system.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A page of Markdown as the rules for pages see it: links, headings, lines of prose.
 *
 * @param path of the file, normalised
 * @param lines all of it
 */
record MarkdownPage(Path path, List<String> lines) {
  private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)\\s]+)\\)");
  private static final Pattern CLASS =
      Pattern.compile("`([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)[^`]*`");
  private static final Pattern CODE_SPAN = Pattern.compile("`[^`]*`");
  private static final Pattern LINK_TARGET = Pattern.compile("]\\([^)]*\\)");

  /** The name of the page, for tests that have one a page. */
  @Override
  public String toString() {
    return path.toString();
  }

  static MarkdownPage read(Path path) {
    try {
      return new MarkdownPage(path.normalize(), Files.readAllLines(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A link to a file of the project.
   *
   * @param file that it names; the page itself for a bare anchor
   * @param anchor of a heading, or empty
   */
  record Link(Path file, String anchor) {}

  /** The links that stay within the project, in their order. Links may be broken over two lines. */
  List<Link> links() {
    var found = new ArrayList<Link>();
    String text = CODE_SPAN.matcher(String.join(" ", withoutCode())).replaceAll("");
    var matcher = LINK.matcher(text);
    while (matcher.find()) {
      String target = matcher.group(1);
      if (!target.contains("://") && !target.startsWith("mailto:")) {
        found.add(link(target));
      }
    }
    return found;
  }

  private Link link(String target) {
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    String anchor = hash < 0 ? "" : target.substring(hash + 1);
    return new Link(file.isEmpty() ? path : path.resolveSibling(file).normalize(), anchor);
  }

  /** The names in code spans that look like a class: at least two humps. */
  List<String> classes() {
    return CLASS
        .matcher(String.join("\n", lines))
        .results()
        .map(found -> found.group(1))
        .distinct()
        .toList();
  }

  /** The anchors that GitHub gives to the headings. */
  List<String> anchors() {
    return withoutCode().stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }

  /** Lines of prose whose text is wider than so many characters; a link's address is no text. */
  List<String> proseWiderThan(int columns) {
    return withoutCode().stream()
        .filter(line -> !line.startsWith("|"))
        .filter(line -> width(LINK_TARGET.matcher(line).replaceAll("]")) > columns)
        .toList();
  }

  private static int width(String line) {
    return line.codePointCount(0, line.length());
  }

  /** All lines but fenced and indented code. An indented line after a list's line is the list's. */
  private List<String> withoutCode() {
    var prose = new ArrayList<String>();
    boolean fenced = false;
    String before = "";
    for (String line : lines) {
      boolean fence = line.startsWith("```");
      boolean indented = line.startsWith("    ") && (before.isBlank() || before.startsWith("    "));
      if (!fence && !fenced && !indented) {
        prose.add(line);
      }
      fenced ^= fence;
      before = line;
    }
    return prose;
  }
}
