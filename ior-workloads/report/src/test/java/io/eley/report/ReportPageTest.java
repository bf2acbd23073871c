package io.eley.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.test.fixtures.Browser;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo's page in a real browser, at both widths, dark and light, and on paper. With {@code
 * -Deley.test.pictures=DIR} it leaves its pictures there.
 */
@Timeout(240)
@Tag("slow")
class ReportPageTest {
  private static final String DRAWN = "Boolean(document.body.dataset.drawn)";

  @TempDir private Path temp;

  private Browser browser;
  private Path page;

  @BeforeEach
  void start() throws Exception {
    var program = Browser.program();
    assumeTrue(program.isPresent(), "there is no Chromium here: apt-get install chromium");
    page = temp.resolve("report.html");
    browser = new Browser(program.get(), Files.createDirectory(temp.resolve("profile")));
  }

  @AfterEach
  void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
  }

  private URI of(ExperimentReport report) throws Exception {
    HtmlReport.write(report, page);
    return page.toUri();
  }

  private void opened(URI uri, int figures) throws Exception {
    browser.open(uri);
    browser.await(DRAWN);
    assertThat(browser.value("document.body.dataset.drawn")).isEqualTo(String.valueOf(figures));
  }

  private void shows(URI uri, int width, boolean dark, String name) throws Exception {
    browser.screen(width, 1000, dark);
    opened(uri, 12);

    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests()).allMatch(r -> r.equals(uri.toString()) || r.startsWith("data:"));
    assertThat(browser.value("document.querySelector('h1').textContent"))
        .isEqualToNormalizingUnicode(
            SampleReports.report()
                .conclusion()
                .replace(" %", "\u00a0%")
                .replace(" s ", "\u00a0s "));
    assertThat(browser.value("document.querySelectorAll('.save button').length")).isEqualTo("36");
    assertThat(browser.value("document.querySelector('#traffic-0').textContent"))
        .contains("capacity 64 MiB/s", "HPC application", "NaiveBB", "NoAction", "FullDelay");
    assertThat(browser.value("String(document.documentElement.scrollWidth <= " + width + ")"))
        .as("nothing is wider than the screen")
        .isEqualTo("true");
    assertThat(browser.value("getComputedStyle(document.body).backgroundColor"))
        .isEqualTo(dark ? "rgb(20, 23, 26)" : "rgb(251, 251, 249)");
    picture(name);
  }

  private void picture(String name) throws Exception {
    String pictures = System.getProperty("eley.test.pictures", "");
    if (!pictures.isEmpty()) {
      Files.write(Path.of(pictures, name + ".png"), browser.picture());
    }
  }

  @Test
  void itShowsBothSidesAtBothWidthsDarkAndLight() throws Exception {
    var uri = of(SampleReports.report());
    shows(uri, 1400, false, "report-wide-light");
    shows(uri, 1400, true, "report-wide-dark");
    shows(uri, 390, false, "report-narrow-light");
    shows(uri, 390, true, "report-narrow-dark");
  }

  @Test
  void ofRepetitionsItShowsMediansAndTheMiddleOne() throws Exception {
    browser.screen(1400, 1000, false);
    opened(of(SampleReports.repeated()), 7);

    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.value("document.querySelector('#traffic-0').closest('figure').textContent"))
        .contains("WordCount, repetition 3");
    assertThat(browser.value("document.querySelector('#map-bars').textContent")).contains("24.1");
    picture("report-repeated");
  }

  @Test
  void everyFigureIsSavedAsPictureAndAsNumbers() throws Exception {
    browser.screen(1400, 1000, true);
    opened(of(SampleReports.report()), 12);
    // What a click would put among the downloads is kept instead.
    browser.value(
        "window.saved = {}; HTMLAnchorElement.prototype.click = function () {"
            + " saved[this.download] = this.href };"
            + " URL.createObjectURL = blob => { blob.text().then(t => saved.text = t);"
            + " return 'blob:kept' }; 1");

    assertThat(click("traffic-0", "CSV", "eley-traffic-WordCount.csv"))
        .startsWith("workload,system,repetition,from_s,to_s,whose,bytes\n")
        .contains("\nWordCount,NaiveBB,1,", ",DIRECT,", ",HPC,");
    assertThat(click("map-bars", "CSV", "eley-map-phase.csv")).contains("\nSort,FullDelay,1,19.28");
    assertThat(click("phase-bars", "CSV", "eley-hpc-phases.csv")).contains(",true,");
    assertThat(click("timeline-0-FullDelay", "CSV", "eley-WordCount-FullDelay.csv"))
        .contains(",permit closed,", ",PREFETCH bytes,", ",HPC phase,");
    assertThat(click("traffic-0", "SVG", "eley-traffic-WordCount.svg"))
        .startsWith("<svg")
        .contains("capacity 64 MiB/s", "#fff")
        .as("for paper, whatever the screen")
        .doesNotContain("#a3adb6");
    browser.value(
        "document.querySelector('#map-bars').closest('figure')"
            + ".querySelectorAll('.save button')[1].click()");
    assertThat(browser.value("saved['eley-map-phase.png'].slice(0, 22)"))
        .isEqualTo("data:image/png;base64,");
    assertThat(browser.complaints()).isEmpty();
  }

  /** What a figure's button saves under this name, as text. */
  private String click(String figure, String kind, String name) throws Exception {
    browser.value(
        "saved.text = undefined; [...document.getElementById('"
            + figure
            + "').closest('figure').querySelectorAll('.save button')].find(b => b.textContent === '"
            + kind
            + "').click()");
    browser.await("saved.text !== undefined");
    assertThat(browser.value("saved['" + name + "']")).isEqualTo("blob:kept");
    return browser.value("saved.text");
  }

  @Test
  void onPaperItIsLightAndFits() throws Exception {
    browser.screen(1400, 1000, true);
    opened(of(SampleReports.report()), 12);
    browser.value(
        "window.sheets = []; addEventListener('beforeprint', () => sheets.push("
            + "getComputedStyle(document.body).backgroundColor + ' '"
            + " + Math.max(...[...document.querySelectorAll('.chart svg')]"
            + ".map(s => s.clientWidth)))); 1");

    assertThat(new String(browser.print(), 0, 5, java.nio.charset.StandardCharsets.ISO_8859_1))
        .isEqualTo("%PDF-");
    String[] sheet = browser.value("sheets[0]").split("\\) ", -1);
    assertThat(sheet[0]).isEqualTo("rgb(255, 255, 255");
    assertThat(Integer.parseInt(sheet[1])).isBetween(300, 704);
    assertThat(browser.value("getComputedStyle(document.body).backgroundColor"))
        .as("and back")
        .isEqualTo("rgb(20, 23, 26)");
    assertThat(browser.complaints()).isEmpty();
  }
}
