package io.eley.spark.connector.plan;

import io.eley.bb.api.wire.PlanMessage;
import io.eley.spark.connector.fs.ExecutorHosts;
import io.eley.spark.connector.fs.ReadObserver;
import io.eley.spark.connector.shuffle.LostServices;
import io.eley.spark.connector.shuffle.NodesQuestion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the client's counters in Spark's metrics, and tells the driver what each task has read and
 * which outputs stayed here. An exception here would kill executors in a loop, so all are caught.
 */
final class EleyExecutorPlugin implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(EleyExecutorPlugin.class);

  private final List<ToldCounts> counts =
      List.of(ToldCounts.ofReads(), ToldCounts.ofStayedOutputs());
  private @Nullable ReadReporter reads;
  private @Nullable PluginContext context;

  @Override
  public void init(PluginContext context, Map<String, String> extraConf) {
    this.context = context;
    try {
      ClientGauges.register(context.metricRegistry());
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Eley's counters are not in Spark's metrics", e);
    }
    LostServices.askThrough(context);
    NodesQuestion.askThrough(context);
    ExecutorHosts.ofDriver().askThrough(() -> HostsQuestion.ask(context));
    try {
      var started = new ReadReporter(() -> context.conf().getAppId(), read -> send(context, read));
      ReadObserver.Registry.set(started);
      reads = started;
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Eley's plan does not learn what tasks read", e);
    }
  }

  private static void send(PluginContext context, PlanMessage.TaskRead read) {
    try {
      context.send(TaskReadReport.encode(read));
    } catch (IOException | RuntimeException e) {
      LOG.debug("what a task has read could not be told to the driver", e);
    }
  }

  @Override
  public void onTaskStart() {
    TaskContext task = TaskContext.get();
    if (reads != null && task != null) {
      reads.begin(task);
    }
  }

  @Override
  public void onTaskSucceeded() {
    tellCounts();
  }

  @Override
  public void onTaskFailed(TaskFailedReason failureReason) {
    tellCounts();
  }

  private void tellCounts() {
    PluginContext to = context;
    if (to == null) {
      return;
    }
    for (ToldCounts each : counts) {
      try {
        Object[] news = each.news(to.executorID());
        if (news != null) {
          to.send(news);
        }
      } catch (IOException | RuntimeException | LinkageError e) {
        LOG.debug("what this executor has counted could not be told to the driver", e);
      }
    }
  }
}
