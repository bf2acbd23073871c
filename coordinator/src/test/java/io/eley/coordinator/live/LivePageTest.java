package io.eley.coordinator.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.test.fixtures.Browser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The page in a real browser, at both widths, dark and light. With {@code -Deley.test.pictures=DIR}
 * it leaves its pictures there. Tests run beside each other: they wait for what the page does after
 * seconds.
 */
@Timeout(240)
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class LivePageTest {
  /** Four and a half minutes into an hour, in a pause; a phase in 30 s. */
  private static final long NOON = 1_795_438_800_000L / 60_000 * 60_000 + 30_000;

  @TempDir private Path profile;

  private final AtomicInteger documents = new AtomicInteger();
  private volatile int nodes = 4;
  private volatile int applications = 3;
  private Browser browser;
  private LiveSite site;

  @BeforeEach
  void start() throws Exception {
    var program = Browser.program();
    assumeTrue(program.isPresent(), "there is no Chromium here: apt-get install chromium");
    site = new LiveSite(() -> LiveDocuments.of(facts()));
    browser = new Browser(program.get(), profile);
  }

  private LiveFacts facts() {
    return SampleFacts.at(NOON + 1000L * documents.getAndIncrement(), nodes, applications);
  }

  @AfterEach
  void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (site != null) {
      site.close();
    }
  }

  private void shows(int width, int height, boolean dark, String name) throws Exception {
    browser.screen(width, height, dark);
    browser.open(site.page());
    browser.await("Boolean(document.body.dataset.shown)");
    String first = browser.value("document.body.dataset.shown");
    browser.await("document.body.dataset.shown !== '" + first + "'");

    assertThat(browser.complaints()).isEmpty();
    String own = site.page().resolve("/").toString();
    assertThat(browser.requests()).allMatch(r -> r.startsWith(own) || r.startsWith("data:"));
    assertThat(browser.value("document.getElementById('link').textContent")).isEqualTo("live");
    assertThat(browser.value("document.querySelectorAll('#figures .figure').length"))
        .isEqualTo("6");
    assertThat(browser.value("document.querySelector('#traffic canvas').width > 100"))
        .isEqualTo("true");
    assertThat(browser.value("document.querySelectorAll('#nodes tbody tr').length"))
        .isEqualTo(Integer.toString(nodes));
    assertThat(browser.value("document.querySelectorAll('#applications tbody tr').length"))
        .isEqualTo(Integer.toString(applications));
    assertThat(browser.value("document.getElementById('hpc').textContent"))
        .contains("climate", "as alone");
    assertThat(browser.value("document.getElementById('notes').textContent"))
        .contains("eley why app-20261123-1000");
    assertThat(browser.value("String(document.documentElement.scrollWidth <= " + width + ")"))
        .as("nothing is wider than the screen")
        .isEqualTo("true");
    assertThat(browser.value("getComputedStyle(document.body).backgroundColor"))
        .isEqualTo(dark ? "rgb(20, 23, 26)" : "rgb(251, 251, 249)");
    String pictures = System.getProperty("eley.test.pictures", "");
    if (!pictures.isEmpty()) {
      Files.write(Path.of(pictures, name + ".png"), browser.picture());
    }
  }

  @Test
  void itShowsTheDeploymentAtBothWidthsDarkAndLight() throws Exception {
    shows(1400, 1000, false, "live-wide-light");
    shows(1400, 1000, true, "live-wide-dark");
    shows(390, 844, false, "live-narrow-light");
    shows(390, 844, true, "live-narrow-dark");
    nodes = 100;
    applications = 20;
    shows(1400, 1000, false, "live-many");
  }

  @Test
  void textFromOutsideIsNeverMarkup() throws Exception {
    browser.screen(1400, 1000, false);
    var facts = facts();
    var odd = "<img src=x onerror=alert(1)>";
    var history = new PhaseHistory();
    history.add(SampleFacts.entry(odd, NOON - 20_000, 5, java.util.Optional.empty(), false));
    var with =
        new LiveFacts(
            facts.at(),
            facts.report(),
            facts.held(),
            facts.points(),
            facts.capacity(),
            history.last(),
            history.figures(),
            facts.reads(),
            facts.originNanosPerByte());
    try (var hostile = new LiveSite(() -> LiveDocuments.of(with))) {
      browser.open(hostile.page());
      browser.await("Boolean(document.body.dataset.shown)");
      assertThat(browser.value("document.getElementById('hpc').textContent")).contains(odd);
      assertThat(browser.value("document.images.length")).isEqualTo("0");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void aCoordinatorThatIsGoneIsSaid() throws Exception {
    browser.screen(1400, 1000, false);
    browser.open(site.page());
    browser.await("Boolean(document.body.dataset.shown)");
    site.close();
    browser.await("document.getElementById('link').className.includes('off')");
    assertThat(browser.value("document.getElementById('link').textContent")).contains("lost");
    // One that was started again may have another port, where nobody answers here.
    browser.await(
        "/^lost for .* its URL is new/.test(document.getElementById('link').textContent)");
  }

  /** All that the feed serves at once look already. */
  private List<LiveFeed.Viewer> crowd() {
    return Stream.generate(() -> site.feed.open().orElseThrow()).limit(LiveFeed.VIEWERS).toList();
  }

  /** Whoever has the right URL is not sent to fetch it again. */
  @Test
  void thatTooManyLookIsSaidUntilOneHasGone() throws Exception {
    var viewers = crowd();
    browser.screen(390, 844, false);
    browser.open(site.page());
    browser.await("document.getElementById('link').textContent.startsWith('too many look')");
    viewers.get(0).close();
    browser.await("document.getElementById('link').textContent === 'live'");
  }

  @Test
  void aTokenThatOpensNothingAnyMoreIsSaid() throws Exception {
    assertThat(crowd()).isNotEmpty();
    browser.screen(1400, 1000, false);
    browser.open(site.page());
    browser.await("document.getElementById('link').textContent.startsWith('too many look')");
    browser.value("history.replaceState(null, '', '/live?token=of-the-one-before')");
    browser.await("document.getElementById('link').textContent.startsWith('ended: get the new')");
  }

  /** As one whose host is lost: the connection stays open. */
  @Test
  void aCoordinatorThatSaysNothingIsSaid() throws Exception {
    var goesOn = new CountDownLatch(1);
    try (var frozen = new LiveSite(() -> oneAndLaterMore(goesOn))) {
      browser.screen(1400, 1000, false);
      browser.open(frozen.page());
      browser.await("document.getElementById('link').textContent === 'live'");
      browser.await("document.getElementById('link').textContent.startsWith('silent for ')");
      assertThat(browser.value("document.getElementById('link').className")).contains("off");
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> streams() >= 2);
      goesOn.countDown();
      browser.await("document.getElementById('link').textContent === 'live'");
    }
  }

  /** How often the page has begun to listen. */
  private long streams() {
    return browser.requests().stream().filter(r -> r.contains("/live/events")).count();
  }

  private LiveDocument oneAndLaterMore(CountDownLatch goesOn) {
    LiveDocument document = LiveDocuments.of(facts());
    if (documents.get() > 1) {
      try {
        goesOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // The site is closed.
      }
    }
    return document;
  }
}
