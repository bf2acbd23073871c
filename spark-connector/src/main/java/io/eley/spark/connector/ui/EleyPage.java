package io.eley.spark.connector.ui;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils;
import org.apache.spark.ui.WebUIPage;
import scala.Function0;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction0;
import scala.xml.Node;
import scala.xml.Unparsed;

/** The tab's one page. On threads of Spark's UI. */
final class EleyPage extends WebUIPage {
  private final SparkUITab tab;
  private final ReadAccount account;
  private final Supplier<List<String>> coordinator;

  EleyPage(SparkUITab tab, ReadAccount account, Supplier<List<String>> coordinator) {
    super("");
    this.tab = tab;
    this.account = account;
    this.coordinator = coordinator;
  }

  @Override
  public Seq<Node> render(HttpServletRequest request) {
    String html = TabHtml.of(account.sums(), coordinator.get());
    return withHeader(request, new Content(html));
  }

  /** What stands below Spark's own header. */
  private static final class Content extends AbstractFunction0<Seq<Node>> {
    private final String html;

    Content(String html) {
      this.html = html;
    }

    @Override
    public Seq<Node> apply() {
      return new Unparsed(html);
    }
  }

  /** Spark's header; a method of 7 parameters until 4.1, of 8 since 4.2: the others are flags. */
  @SuppressWarnings("unchecked")
  private Seq<Node> withHeader(HttpServletRequest request, Function0<Seq<Node>> content) {
    try {
      Method header =
          Arrays.stream(UIUtils.class.getMethods())
              .filter(m -> m.getName().equals("headerSparkPage"))
              .findFirst()
              .orElseThrow(() -> new LinkageError("this Spark has no header for pages"));
      Object[] arguments = new Object[header.getParameterCount()];
      Arrays.fill(arguments, false);
      Object[] known = {request, "Eley", content, tab, Option.empty()};
      System.arraycopy(known, 0, arguments, 0, known.length);
      return (Seq<Node>) header.invoke(null, arguments);
    } catch (ReflectiveOperationException e) {
      return content.apply();
    }
  }
}
