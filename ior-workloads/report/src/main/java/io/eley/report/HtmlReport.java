package io.eley.report;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The report as one page that needs nothing else: style, data, the charting library (Apache
 * ECharts, from its webjar) and the charts' code are inside it, and its content security policy
 * forbids the browser to load anything. Table, verdicts and parameters are plain HTML, so they are
 * there without JavaScript too.
 */
public final class HtmlReport {
  private static final String WEBJAR = "META-INF/resources/webjars/echarts/";
  private static final String WEBJAR_POM = "META-INF/maven/org.webjars.npm/echarts/pom.properties";
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)\\}\\}");
  private static final Pattern SCRIPT_END =
      Pattern.compile("</(?=script)", Pattern.CASE_INSENSITIVE);

  private HtmlReport() {}

  /**
   * Writes the page; a reader sees the old file or the whole new one.
   *
   * @throws IOException also when the charting library is not on the class path
   */
  public static void write(ExperimentReport report, Path file) throws IOException {
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.writeString(partial, render(report));
    Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The page. */
  public static String render(ExperimentReport report) throws IOException {
    var parts = new LinkedHashMap<String, String>();
    parts.put("style", resource("report.css"));
    parts.put("lede", HtmlParts.lede(report));
    parts.put("verdicts", HtmlParts.verdicts(report.verdicts()));
    parts.put("table", HtmlParts.table(report));
    parts.put("timelines", HtmlParts.timelines(report));
    parts.put("setup", HtmlParts.host(report.host()) + HtmlParts.parameters(report.parameters()));
    parts.put("created", HtmlParts.escape(report.createdAt()));
    parts.put("format", Integer.toString(report.formatVersion()));
    parts.put("data", data(report));
    parts.put("echarts", scriptSafe(echarts()));
    parts.put("script", scriptSafe(resource("report.js")));
    return fill(resource("report.html"), parts);
  }

  /** JSON that no HTML parser can take for the end of its element. */
  static String data(ExperimentReport report) {
    return report.toJson().replace("<", "\\u003c");
  }

  /** A script inside which {@code </script} does not end the element. */
  static String scriptSafe(String script) {
    return SCRIPT_END.matcher(script).replaceAll("<\\\\/");
  }

  /** One pass over the template, so that nothing in a part is taken for a placeholder. */
  static String fill(String template, Map<String, String> parts) {
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

  static String echarts() throws IOException {
    var properties = new Properties();
    try (var in = open(HtmlReport.class.getClassLoader(), WEBJAR_POM)) {
      properties.load(in);
    }
    String path = WEBJAR + properties.getProperty("version") + "/dist/echarts.min.js";
    try (var in = open(HtmlReport.class.getClassLoader(), path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static String resource(String name) throws IOException {
    try (var in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException("missing in our jar: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static InputStream open(ClassLoader loader, String path) throws IOException {
    var in = loader.getResourceAsStream(path);
    if (in == null) {
      throw new FileNotFoundException("the ECharts webjar is not on the class path: " + path);
    }
    return in;
  }
}
