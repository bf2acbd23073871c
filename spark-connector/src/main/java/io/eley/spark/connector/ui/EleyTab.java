package io.eley.spark.connector.ui;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.WebUIPage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tab "Eley" in Spark's UI, where the Spark is one whose pages we can make. */
public final class EleyTab extends SparkUITab {
  private static final Logger LOG = LoggerFactory.getLogger(EleyTab.class);
  private static final String REQUEST = "jakarta.servlet.http.HttpServletRequest";

  private EleyTab(SparkUI ui, ReadAccount account, Supplier<List<String>> coordinator) {
    super(ui, "eley");
    attachPage(new EleyPage(this, account, coordinator));
  }

  @Override
  public String name() {
    return "Eley";
  }

  /**
   * Adds the tab; never throws. Without a UI, or in a Spark whose pages are others (3.5 has another
   * servlet API), there is none, and one line says so.
   *
   * @param coordinator what it says of this application; may block for seconds, on the UI's threads
   */
  public static void attach(
      SparkContext spark, ReadAccount account, Supplier<List<String>> coordinator) {
    try {
      if (spark.ui().isEmpty()) {
        return;
      }
      if (!pagesAreOurs()) {
        LOG.info("Spark's UI has no tab of Eley: that needs Spark 4");
        return;
      }
      SparkUI ui = spark.ui().get();
      ui.attachTab(new EleyTab(ui, account, coordinator));
    } catch (RuntimeException | LinkageError e) {
      LOG.info("Spark's UI has no tab of Eley: {}", e.toString());
    }
  }

  /** Whether a page's one abstract method is the one that ours has. */
  private static boolean pagesAreOurs() {
    return Arrays.stream(WebUIPage.class.getMethods())
        .filter(m -> m.getName().equals("render"))
        .anyMatch(
            m ->
                m.getParameterTypes().length == 1
                    && m.getParameterTypes()[0].getName().equals(REQUEST)
                    && m.getReturnType().equals(scala.collection.immutable.Seq.class));
  }
}
