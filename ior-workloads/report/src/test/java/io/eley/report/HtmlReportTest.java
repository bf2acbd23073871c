package io.eley.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HtmlReportTest {
  private static final Pattern LOADS =
      Pattern.compile(
          "<(script|img|iframe|object|embed|source)[^>]*\\ssrc\\s*=|<link\\b|@import|url\\(|"
              + "\\bfetch\\(|new WebSocket",
          Pattern.CASE_INSENSITIVE);

  @Test
  void thePageLoadsNothing() throws IOException {
    String page = HtmlReport.render(SampleReports.report());

    assertThat(page).startsWith("<!DOCTYPE html>").contains("default-src 'none'");
    // What the charting library could load it is never asked for, and the policy forbids it.
    assertThat(LOADS.matcher(withoutScripts(page)).results()).isEmpty();
    assertThat(withoutScripts(page)).doesNotContain("http://").doesNotContain("https://");
  }

  @Test
  void thePageHoldsTheChartingLibraryAndEveryPart() throws IOException {
    String page = HtmlReport.render(SampleReports.report());

    assertThat(page).contains("echarts").hasSizeGreaterThan(900_000).doesNotContain("{{");
    assertThat(withoutScripts(page)).contains("33.2", "FullDelay", "Sample CPU", "id=\"map-bars\"");
    assertThat(Pattern.compile("id=\"timeline-").matcher(page).results()).hasSize(8);
  }

  @Test
  void scriptElementsEndWhereTheyShould() throws IOException {
    String page = HtmlReport.render(SampleReports.report());

    assertThat(Pattern.compile("<script[ >]").matcher(page).results()).hasSize(3);
    assertThat(Pattern.compile("</script>").matcher(page).results()).hasSize(3);
  }

  @Test
  void textFromOutsideIsNeverMarkup() throws IOException {
    String evil = "</script><script>alert('x')</script><b>\"&";
    var sample = SampleReports.report();
    var host = new Host(2, evil, 0, evil, evil, evil);
    var runs = List.of(SampleReports.run("NaiveBB", evil, 10, 2, 0));

    String page =
        HtmlReport.render(ExperimentReport.of(sample.createdAt(), host, sample.parameters(), runs));

    assertThat(page).doesNotContain("<script>alert").doesNotContain("<b>\"&");
    assertThat(page).contains("&lt;/script&gt;&lt;script&gt;alert(&#39;x&#39;)");
    assertThat(Pattern.compile("<script[ >]").matcher(page).results()).hasSize(3);
  }

  @Test
  void dataInsideThePageIsTheReport() throws IOException {
    String page = HtmlReport.render(SampleReports.report());
    var data = Pattern.compile("id=\"report-data\">(.*?)</script>", Pattern.DOTALL).matcher(page);

    assertThat(data.find()).isTrue();
    assertThat(ExperimentReport.fromJson(data.group(1))).isEqualTo(SampleReports.report());
  }

  @Test
  void aPlaceholderInTheDataStaysText() throws IOException {
    var sample = SampleReports.report();
    var host = new Host(2, "{{script}} $1", 0, "k", "j", null);

    assertThat(
            HtmlReport.render(ExperimentReport.of("now", host, sample.parameters(), sample.runs())))
        .contains("<dd>{{script}} $1</dd>");
  }

  @Test
  void anEmptyReportIsStillAPage() throws IOException {
    var sample = SampleReports.report();

    assertThat(
            HtmlReport.render(
                ExperimentReport.of("now", sample.host(), sample.parameters(), List.of())))
        .contains("</html>");
  }

  private static String withoutScripts(String page) {
    return Pattern.compile("<script[ >].*?</script>", Pattern.DOTALL).matcher(page).replaceAll("");
  }
}
