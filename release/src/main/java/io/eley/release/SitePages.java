package io.eley.release;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * The documentation as HTML that a browser shows from a directory: no server, no script, and no
 * request to anywhere else, which each page's content security policy forbids. {@code index.html}
 * is the documentation's index; pages and pictures keep their places below it. What a page links to
 * outside of them, such as results beside a program, is text there.
 */
public final class SitePages {
  private static final List<org.commonmark.Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());

  private final String version;
  private final Parser parser = Parser.builder().extensions(EXTENSIONS).build();
  private final HtmlRenderer html =
      HtmlRenderer.builder().extensions(EXTENSIONS).escapeHtml(true).build();
  private final TextContentRenderer text = TextContentRenderer.builder().build();

  /** Where each source, relative to the root, goes in the site. */
  private final Map<Path, Path> places = new TreeMap<>();

  private SitePages(Path root, String version) throws IOException {
    this.version = version;
    for (String name : List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE")) {
      if (Files.exists(root.resolve(name))) {
        String page = name.equals("README.md") ? "eley.html" : name.replaceFirst("\\.md$", ".html");
        places.put(Path.of(name), Path.of(page));
      }
    }
    try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path below = root.resolve("docs").relativize(file);
        String page = below.toString().replaceFirst("\\.md$", ".html");
        places.put(
            root.relativize(file), Path.of(page.equals("README.html") ? "index.html" : page));
      }
    }
  }

  /**
   * For the build.
   *
   * @param args the project's directory, its version, the directory to write
   */
  public static void main(String[] args) throws IOException {
    write(Path.of(args[0]), args[1], Path.of(args[2]));
  }

  /**
   * Writes the site; files of the same names are replaced.
   *
   * @param root has {@code docs/README.md}
   */
  static void write(Path root, String version, Path site) throws IOException {
    var pages = new SitePages(root, version);
    for (var place : pages.places.entrySet()) {
      Path to = site.resolve(place.getValue());
      Files.createDirectories(to.getParent());
      byte[] content = Files.readAllBytes(root.resolve(place.getKey()));
      boolean page = place.getKey().toString().endsWith(".md");
      Files.write(to, page ? pages.page(place.getKey(), content) : content);
    }
  }

  private byte[] page(Path source, byte[] markdown) throws IOException {
    Node document = parser.parse(new String(markdown, StandardCharsets.UTF_8));
    document.accept(new Relinker(source));
    String up = "../".repeat(placeOf(source).getNameCount() - 1);
    return template()
        .replace("{{up}}", up)
        .replace("{{version}}", version)
        .replace("{{title}}", title(document))
        .replace("{{body}}", html.render(document))
        .getBytes(StandardCharsets.UTF_8);
  }

  private Path placeOf(Path source) {
    return Objects.requireNonNull(places.get(source), "no page of the site");
  }

  private String title(Node document) {
    for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading heading) {
        return text.render(heading).strip().replace("&", "&amp;").replace("<", "&lt;");
      }
    }
    return "Eley";
  }

  private static String template() throws IOException {
    try (var in = SitePages.class.getResourceAsStream("page.html")) {
      if (in == null) {
        throw new IllegalStateException("page.html is not in our jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Lets the links of one page lead to pages of the site. */
  private final class Relinker extends AbstractVisitor {
    private final Path source;

    Relinker(Path source) {
      this.source = source;
    }

    @Override
    public void visit(Link link) {
      visitChildren(link);
      var to = inSite(link.getDestination());
      if (to.isPresent()) {
        link.setDestination(to.get());
      } else {
        while (link.getFirstChild() != null) {
          link.insertBefore(link.getFirstChild());
        }
        link.unlink();
      }
    }

    @Override
    public void visit(Image image) {
      inSite(image.getDestination()).ifPresent(image::setDestination);
    }

    private Optional<String> inSite(String target) {
      if (target.contains("://") || target.startsWith("#") || target.startsWith("mailto:")) {
        return Optional.of(target);
      }
      int hash = target.indexOf('#');
      String file = hash < 0 ? target : target.substring(0, hash);
      Path to = places.get(source.resolveSibling(file).normalize());
      if (to == null) {
        return Optional.empty();
      }
      Path from = placeOf(source).getParent();
      Path relative = from == null ? to : from.relativize(to);
      return Optional.of(relative + (hash < 0 ? "" : target.substring(hash)));
    }
  }
}
