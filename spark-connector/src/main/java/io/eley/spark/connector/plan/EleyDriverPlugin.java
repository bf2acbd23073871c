package io.eley.spark.connector.plan;

import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.spark.connector.fs.BbFileSystem;
import io.eley.spark.connector.fs.BbFs;
import io.eley.spark.connector.fs.CachedFileSystems;
import io.eley.spark.connector.fs.ExecutorHosts;
import io.eley.spark.connector.shuffle.ListenerQueue;
import io.eley.spark.connector.shuffle.LostServices;
import io.eley.spark.connector.shuffle.NodesQuestion;
import io.eley.spark.connector.ui.EleyTab;
import io.eley.spark.connector.ui.ReadAccount;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers {@code bb://} (a service file does not help a jar that came by {@code --jars}), and
 * starts to report the plan as soon as the application has an id.
 */
final class EleyDriverPlugin implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(EleyDriverPlugin.class);
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private final ReadAccount account = new ReadAccount();
  private final StayedAccount stayed = new StayedAccount();
  private volatile @Nullable CoordinatorClient coordinator;
  private volatile String application = "";
  private @Nullable SparkContext spark;
  private @Nullable WaveTracker waves;
  private volatile @Nullable PlanSender sender;
  private @Nullable Footers footers;
  private @Nullable ServedPaths served;

  @Override
  public Map<String, String> init(SparkContext context, PluginContext pluginContext) {
    spark = context;
    var tracker = new WaveTracker(context.getConf().getInt("spark.task.cpus", 1));
    waves = tracker;
    ExecutorHosts.ofDriver().clear();
    ListenerQueue.add(context, new ExecutorListener(tracker));
    Configuration conf = context.hadoopConfiguration();
    conf.set("fs.bb.impl", BbFileSystem.class.getName());
    conf.set("fs.AbstractFileSystem.bb.impl", BbFs.class.getName());
    turnReadAheadOff(context, conf);
    CachedFileSystems.closeThoseOfOthers(conf);
    return Map.of();
  }

  /**
   * The plan knows what comes next; guessing from the access pattern would fetch past the window.
   * In Spark's own configuration, too: of that are the file systems by which executors get {@code
   * --files}, and the client that moves map outputs. Else a JVM has two clients.
   */
  private static void turnReadAheadOff(SparkContext context, Configuration conf) {
    String key = ClientKeys.READ_AHEAD.name();
    if (conf.get(key) == null) {
      conf.set(key, "false");
      context.conf().set("spark.hadoop." + key, "false");
    }
  }

  @Override
  public void registerMetrics(String applicationId, PluginContext pluginContext) {
    SparkContext context = spark;
    WaveTracker tracker = waves;
    if (context == null || tracker == null) {
      return;
    }
    long began = System.nanoTime();
    try {
      ClientGauges.register(pluginContext.metricRegistry());
      start(context, tracker, applicationId);
      LOG.info("Eley was joined in {} ms", (System.nanoTime() - began) / 1_000_000);
    } catch (EleyException | RuntimeException | LinkageError e) {
      LOG.warn("Eley does not plan for this application: {}", String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * An executor tells, without an answer, what a task has read and what it has counted, or that a
   * service is gone, or asks where executors are, or which nodes there are.
   */
  @Override
  public @Nullable Object receive(Object message) {
    Optional<Integer> moved = LostServices.received(message);
    if (moved.isPresent()) {
      return moved.get();
    }
    Optional<String[]> hosts = HostsQuestion.answer(message);
    if (hosts.isPresent()) {
      return hosts.get();
    }
    Optional<byte[]> nodes = NodesQuestion.answer(message);
    if (nodes.isPresent()) {
      return nodes.get();
    }
    PlanSender to = sender;
    if (!ToldCounts.takeReads(message, account::noteExecutor)
        && to != null
        && !ToldCounts.takeStayedOutputs(message, (of, told) -> stayed.note(of, told, to::post))) {
      TaskReadReport.decode(message)
          .ifPresent(
              read -> {
                if (!read.slices().isEmpty()) {
                  account.noteTask(read.waitedNanos());
                }
                to.post(new PlanQueue.Read(read));
              });
    }
    return null;
  }

  @Override
  public void shutdown() {
    if (footers != null) {
      footers.close();
    }
    PlanSender open = sender;
    if (open != null) {
      // Before the coordinator forgets the application.
      LOG.info("{}", account.sentence(phasesMet()));
      open.close();
    }
    if (served != null) {
      served.close();
    }
  }

  /** What the coordinator says of this application; a line that says so when it does not answer. */
  private List<String> told() {
    CoordinatorClient client = coordinator;
    try {
      return client == null ? List.of() : client.why(application);
    } catch (EleyException | RuntimeException e) {
      return List.of("the coordinator does not answer: " + e.getMessage());
    }
  }

  /** Another Spark may not even load the tab; the plan goes on. */
  private void showTab(SparkContext context) {
    try {
      EleyTab.attach(context, account, this::told);
    } catch (LinkageError e) {
      LOG.info("Spark's UI has no tab of Eley: {}", e.toString());
    }
  }

  /**
   * Nobody waits at the end of a job for a coordinator that is away, or long for one that hangs.
   */
  private String phasesMet() {
    CoordinatorClient client = coordinator;
    if (client == null || !client.connected()) {
      return "";
    }
    // On another thread: this one would wait for half a minute for a coordinator that hangs.
    return CompletableFuture.supplyAsync(this::told)
        .completeOnTimeout(List.of(), FAREWELL.toMillis(), TimeUnit.MILLISECONDS)
        .join()
        .stream()
        .filter(line -> line.startsWith("phases"))
        .findFirst()
        .orElse("");
  }

  private void start(SparkContext context, WaveTracker tracker, String applicationId)
      throws EleyException {
    Configuration conf = context.hadoopConfiguration();
    var options = ClientOptions.from(Settings.from(conf::get, LOG::warn));
    if (options.deployment().isEmpty()) {
      LOG.info("Eley plans nothing: spark.hadoop.{} is not set", ClientKeys.DEPLOYMENT.name());
      return;
    }
    var client = CoordinatorClient.open(options, PlanSender.SILENCE);
    coordinator = client;
    application = applicationId;
    var started = PlanSender.start(client, new PlanModel(applicationId, context.appName()));
    sender = started;
    var reader = Footers.start(conf);
    footers = reader;
    var paths = new ServedPaths(conf);
    served = paths;
    var listener = new PlanListener(context, started::post, paths, tracker, reader);
    ListenerQueue.add(context, listener);
    listener.reportWaveSize();
    showTab(context);
  }
}
