package io.eley.spark.connector.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.client.ClientCounters.Source;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EleyTabTest {
  private static final long MIB = 1 << 20;

  private final ReadAccount account = new ReadAccount();

  /** LOCAL_RAM, REMOTE_RAM, ARRIVING, FALLBACK, DIRECT. */
  private static long[] mebibytes(long... of) {
    long[] bytes = new long[of.length];
    for (int i = 0; i < of.length; i++) {
      bytes[i] = of[i] * MIB;
    }
    return bytes;
  }

  @Test
  void executorsAreSummedAndReportsThatOvertakeChangeNothing() {
    account.noteExecutor("1", mebibytes(10, 20, 5, 0, 0));
    account.noteExecutor("1", mebibytes(8, 20, 5, 0, 0));
    account.noteExecutor("2", mebibytes(0, 4, 0, 1, 0));
    account.noteExecutor("3", mebibytes(1));
    account.noteTask(1_500_000_000L);
    account.noteTask(500_000_000L);
    var sums = account.sums();
    assertThat(sums.read()).isEqualTo(40 * MIB);
    assertThat(sums.fromRam()).isEqualTo(34 * MIB);
    assertThat(sums.of(Source.FALLBACK)).isEqualTo(MIB);
    assertThat(account.sentence("phases met: none"))
        .isEqualTo(
            "40.0 MiB were read through Eley, 34.0 MiB (85 %) of them from RAM; 2 tasks waited"
                + " 2.0 s for their input; phases met: none");
  }

  @Test
  void whoHasReadNothingIsToldSo() {
    assertThat(account.sentence("phases met: none")).isEqualTo("nothing was read through Eley");
  }

  @Test
  void whatTheCoordinatorSaysIsNoMarkup() {
    assertThat(TabHtml.of(account.sums(), List.of("<b>&\"'")))
        .contains("<li>&lt;b&gt;&amp;&quot;&#39;</li>");
  }

  @Test
  @Tag("spark")
  @Timeout(120)
  void sparksOwnUiHasTheTabWithItsFigures() throws Exception {
    var conf =
        new SparkConf()
            .setMaster("local[1]")
            .setAppName("tab")
            .set("spark.ui.enabled", "true")
            .set("spark.ui.port", "0")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.driver.host", "127.0.0.1");
    try (var spark = new JavaSparkContext(conf)) {
      // Before the bus has told that the application has started, the page of jobs is none.
      spark.sc().listenerBus().waitUntilEmpty();
      account.noteExecutor("driver", mebibytes(30, 0, 10, 0, 0));
      EleyTab.attach(spark.sc(), account, () -> List.of("phases met: 3 of climate"));
      String ui = spark.sc().uiWebUrl().get();
      assertThat(page(ui + "/eley/"))
          .contains("Read through Eley:</strong> 40.0 MiB", "30.0 MiB (75 %)")
          .contains("phases met: 3 of climate");
      assertThat(page(ui + "/jobs/")).contains("/eley/").contains("Eley");
    }
  }

  @Test
  @Tag("spark")
  @Timeout(120)
  void withoutAUiThereIsNoTabAndNoError() {
    var conf =
        new SparkConf().setMaster("local[1]").setAppName("x").set("spark.ui.enabled", "false");
    try (var spark = new JavaSparkContext(conf)) {
      EleyTab.attach(spark.sc(), account, List::of);
      assertThat(spark.parallelize(List.of(1, 2)).count()).isEqualTo(2);
    }
  }

  private static String page(String url) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(url)).build();
    var client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    return client.send(request, BodyHandlers.ofString()).body();
  }
}
