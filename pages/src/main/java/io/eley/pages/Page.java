package io.eley.pages;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One HTML page that needs nothing else: style, data, the charting library (Apache ECharts, from
 * its webjar) and the charts' code are inside it, and the templates' content security policy
 * forbids the browser to load anything. Tables and texts are plain HTML, so they are there without
 * JavaScript too.
 *
 * <p>A page NAME is made of the resources {@code NAME.html}, {@code NAME.js} and, where there is
 * one, {@code NAME.css} beside the class that owns it. In the template <code>{{part}}</code> stands
 * for a part; the parts {@code style}, {@code echarts} and {@code script} are put by this class.
 * For one thread.
 */
public final class Page {
  private static final String WEBJAR = "META-INF/resources/webjars/echarts/";
  private static final String WEBJAR_POM = "META-INF/maven/org.webjars.npm/echarts/pom.properties";
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)\\}\\}");
  private static final Pattern SCRIPT_END =
      Pattern.compile("</(?=script)", Pattern.CASE_INSENSITIVE);

  private final Class<?> owner;
  private final String name;
  private final Map<String, String> parts = new HashMap<>();

  /**
   * A page without parts.
   *
   * @param owner the class beside which its resources are
   * @param name of the resources
   */
  public Page(Class<?> owner, String name) {
    this.owner = owner;
    this.name = name;
  }

  /** Puts a part that is HTML already: whatever came from outside must be escaped in it. */
  public Page html(String part, String html) {
    parts.put(part, html);
    return this;
  }

  /** Puts a part that is text; it is never taken for markup. */
  public Page text(String part, String text) {
    return html(part, escape(text));
  }

  /** Puts a part that is JSON, which no HTML parser then takes for the end of its element. */
  public Page json(String part, String json) {
    return html(part, json.replace("<", "\\u003c"));
  }

  /**
   * The whole page.
   *
   * @throws IOException when a resource or the charting library is not on the class path
   * @throws IllegalStateException when the template names a part that was not put
   */
  public String render() throws IOException {
    var all = new HashMap<>(parts);
    all.put("style", resource(Page.class, "page.css") + ownStyle());
    all.put("echarts", scriptSafe(echarts()));
    all.put("script", scriptSafe(resource(owner, name + ".js")));
    return fill(resource(owner, name + ".html"), all);
  }

  /**
   * Writes the whole page; a reader sees the old file or the whole new one.
   *
   * @throws IOException also when the charting library is not on the class path
   */
  public void write(Path file) throws IOException {
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.writeString(partial, render());
    Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Text as HTML shows it, in elements and in quoted attributes. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** A script inside which {@code </script} does not end the element. */
  static String scriptSafe(String script) {
    return SCRIPT_END.matcher(script).replaceAll("<\\\\/");
  }

  /** One pass over the template, so that nothing in a part is taken for a placeholder. */
  private static String fill(String template, Map<String, String> parts) {
    return PLACEHOLDER
        .matcher(template)
        .replaceAll(
            match -> {
              String part = parts.get(match.group(1));
              if (part == null) {
                throw new IllegalStateException("nothing to put for " + match.group());
              }
              return Matcher.quoteReplacement(part);
            });
  }

  private String ownStyle() throws IOException {
    String css = name + ".css";
    return owner.getResource(css) == null ? "" : resource(owner, css);
  }

  private static String resource(Class<?> owner, String name) throws IOException {
    try (var in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException("missing in our jar: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String echarts() throws IOException {
    var properties = new Properties();
    try (var in = webjar(WEBJAR_POM)) {
      properties.load(in);
    }
    try (var in = webjar(WEBJAR + properties.getProperty("version") + "/dist/echarts.min.js")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static InputStream webjar(String path) throws IOException {
    var in = Page.class.getClassLoader().getResourceAsStream(path);
    if (in == null) {
      throw new FileNotFoundException("the ECharts webjar is not on the class path: " + path);
    }
    return in;
  }
}
