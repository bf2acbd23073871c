package io.eley.spark.connector.ui;

import io.eley.bb.api.client.ClientCounters.Source;
import java.util.List;
import java.util.Locale;

/** The tab's content: a pure function. Whatever comes from outside is escaped. */
final class TabHtml {
  private TabHtml() {}

  /**
   * The content.
   *
   * @param lines what the coordinator says of this application
   */
  static String of(ReadAccount.Sums sums, List<String> lines) {
    var html = new StringBuilder("<div><ul class=\"list-unstyled\">");
    item(html, "Read through Eley", ReadAccount.size(sums.read()));
    item(
        html,
        "From RAM",
        ReadAccount.size(sums.fromRam())
            + (sums.read() == 0
                ? ""
                : String.format(Locale.ROOT, " (%.0f %%)", 100.0 * sums.fromRam() / sums.read())));
    item(html, "Fetched while a task waited", ReadAccount.size(sums.of(Source.ARRIVING)));
    item(
        html,
        "Past the nodes",
        ReadAccount.size(sums.of(Source.FALLBACK) + sums.of(Source.DIRECT)));
    item(
        html,
        "Tasks waited for input",
        String.format(
            Locale.ROOT, "%.1f s, all %d together", sums.waitedNanos() / 1e9, sums.tasks()));
    html.append("</ul><h4>What the coordinator says</h4><ul>");
    lines.forEach(line -> html.append("<li>").append(escape(line)).append("</li>"));
    return html.append("</ul></div>").toString();
  }

  private static void item(StringBuilder html, String name, String value) {
    html.append("<li><strong>")
        .append(escape(name))
        .append(":</strong> ")
        .append(escape(value))
        .append("</li>");
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
