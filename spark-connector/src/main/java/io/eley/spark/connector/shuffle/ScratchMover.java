package io.eley.spark.connector.shuffle;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.StayCause;
import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.ScratchOutputs;
import io.eley.bb.api.client.ScratchOutputs.Placed;
import io.eley.bb.api.client.ScratchOutputs.Source;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.spark.connector.fs.SharedClients;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.storage.BlockManagerId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Moves a map task's output to a node's scratch when Spark's writer has written it, and tells Spark
 * that it lies there. Whatever goes wrong, the output stays where Spark has put it.
 *
 * <p>Safe for several threads; moving blocks the task.
 */
final class ScratchMover implements EleyShuffleManager.OutputMover {
  private static final Logger LOG = LoggerFactory.getLogger(ScratchMover.class);
  private static final String HADOOP = "spark.hadoop.";
  private static final String PLUGINS = "spark.plugins";

  /** By name: its package asks this one. */
  private static final String PLUGIN = "io.eley.spark.connector.plan.EleyPlugin";

  private static final String DATA_IO = "spark.shuffle.sort.io.plugin.class";

  private static final String HOST_LOCAL = "spark.shuffle.readHostLocalDisk";

  /** Without a checksum file Spark cannot say why a block is damaged, but reads it all the same. */
  private static final String CHECKSUM_ALGORITHM = "spark.shuffle.checksum.algorithm";

  /**
   * Where outputs without bytes lie. Readers skip them, so nobody asks there; and no executor and
   * no worker that goes is at this address, so Spark never takes them for lost.
   */
  private static final BlockManagerId NOWHERE =
      BlockManagerId.apply("eley-empty", "0.0.0.0", 1, Option.empty());

  private final SparkConf conf;
  private final boolean driver;
  private final SortShuffleManager manager;
  private final int copies;
  private final AtomicBoolean prepared = new AtomicBoolean();
  private final AtomicBoolean warned = new AtomicBoolean();

  /** Opened when it is needed first: the application has no id when managers are made. */
  private @Nullable Opened opened;

  private boolean unusable;

  ScratchMover(SparkConf conf, boolean driver, SortShuffleManager manager) {
    this.conf = conf;
    this.driver = driver;
    this.manager = manager;
    this.copies = Settings.from(this::setting, LOG::warn).get(ShuffleKeys.COPIES);
  }

  /** What an application needs to reach scratch. */
  private record Opened(
      String application,
      SharedClients.Lease client,
      ScratchOutputs outputs,
      ServiceRegistrations registrations) {}

  private synchronized Optional<Opened> open() {
    if (opened == null && !unusable) {
      try {
        opened = openNow().orElse(null);
        unusable = opened == null;
      } catch (EleyException | RuntimeException | LinkageError e) {
        unusable = true;
        LOG.warn(
            "intermediate data stays with the executors: {}", String.valueOf(e.getMessage()), e);
      }
    }
    return Optional.ofNullable(opened);
  }

  private Optional<Opened> openNow() throws EleyException {
    SparkEnv env = SparkEnv.get();
    var given = Settings.from(this::setting, LOG::warn);
    var options = ClientOptions.from(given);
    if (env == null || options.deployment().isEmpty()) {
      LOG.warn(
          "intermediate data stays with the executors: spark.hadoop.eley.deployment is not set");
      return Optional.empty();
    }
    String application = env.conf().getAppId();
    boolean authenticates = env.securityManager().isAuthenticationEnabled();
    Map<String, String> settings = networkSettings();
    var lease = SharedClients.acquire(options);
    if (driver) {
      NodesQuestion.answerFrom(lease.client());
    }
    var outputs =
        new ScratchOutputs(
            lease.client(),
            given.get(ShuffleKeys.SILENCE),
            new OpenScratch(
                application, settings, authenticates ? env.securityManager().getSecretKey() : ""));
    var registrations =
        new ServiceRegistrations(
            application,
            settings,
            env.securityManager(),
            authenticates,
            ServiceRegistrations.PATIENCE);
    return Optional.of(new Opened(application, lease, outputs, registrations));
  }

  private @Nullable String setting(String key) {
    Option<String> value = conf.getOption(HADOOP + key);
    return value.isDefined() ? value.get() : null;
  }

  /** What a service must share with the application; no secrets. */
  private Map<String, String> networkSettings() {
    var settings = new HashMap<String, String>();
    for (var entry : conf.getAll()) {
      String key = entry._1();
      if ((key.startsWith("spark.authenticate") || key.startsWith("spark.network."))
          && !key.toLowerCase(Locale.ROOT).contains("secret")) {
        settings.put(key, entry._2());
      }
    }
    return settings;
  }

  @Override
  public void settle() {
    if (setting(ClientKeys.DEPLOYMENT.name()) == null) {
      return;
    }
    if (copies > 1 && !conf.get(PLUGINS, "").contains(PLUGIN)) {
      throw new IllegalArgumentException(
          ShuffleKeys.COPIES.name()
              + "=2 needs spark.plugins="
              + PLUGIN
              + ": nothing else tells Spark where the second copies are");
    }
    if (servedForExecutors()) {
      conf.setIfMissing(HOST_LOCAL, "false");
    }
    if (hindrance().isPresent()) {
      LOG.warn("intermediate data stays with the executors: {}", hindrance().get());
    } else if (!servedForExecutors()) {
      conf.setIfMissing(DATA_IO, EleyShuffleDataIO.class.getName());
    }
  }

  /** Why readers could not read what lies on nodes: then nothing is moved there. */
  private Optional<String> hindrance() {
    if (servedForExecutors() && (isOn(HOST_LOCAL) || isOn("spark.shuffle.push.enabled"))) {
      return Optional.of(
          "with host-local reads or pushed shuffles the site's services are asked for it");
    }
    return isOn("spark.ssl.rpc.enabled")
        ? Optional.of("spark.ssl.rpc.enabled is set, and nodes' services do not speak TLS")
        : Optional.empty();
  }

  private boolean isOn(String key) {
    return conf.getBoolean(key, false);
  }

  /** Whether the site's own shuffle services keep what stays with an executor. */
  private boolean servedForExecutors() {
    return isOn("spark.shuffle.service.enabled");
  }

  @Override
  public void prepare(SparkContext context) {
    if (hindrance().isEmpty() && prepared.compareAndSet(false, true)) {
      if (!servedForExecutors()) {
        ListenerQueue.add(context, new ExecutorLosses());
      }
      var thread =
          new Thread(() -> open().ifPresent(o -> o.outputs().openAll()), "eley-scratch-open");
      thread.setDaemon(true);
      thread.start();
    }
  }

  @Override
  public <K, V> ShuffleWriter<K, V> moving(ShuffleWriter<K, V> writer, int shuffle) {
    return hindrance().isPresent()
        ? writer
        : new MovingWriter<>(writer, status -> move(shuffle, status, writer.getPartitionLengths()));
  }

  @Override
  public <K, C> ShuffleReader<K, C> asking(ShuffleReader<K, C> reader) {
    return copies > 1 ? new AskingReader<>(reader, LostServices::report) : reader;
  }

  private void move(int shuffle, MapStatus status, long[] lengths) {
    if (LongStream.of(lengths).allMatch(length -> length == 0)) {
      if (!servedForExecutors()) {
        status.updateLocation(NOWHERE);
      }
      return;
    }
    long bytes = LongStream.of(lengths).sum();
    try {
      Optional<Opened> to = open();
      if (to.isEmpty()) {
        StayedOutputs.count(StayCause.ERROR, bytes);
        return;
      }
      Optional<StayCause> stays = move(shuffle, status, to.get());
      stays.ifPresent(cause -> noteStaying(cause, bytes, cause.words()));
    } catch (IOException | RuntimeException | LinkageError e) {
      noteStaying(StayedOutputs.causeOf(e), bytes, e.toString());
    }
  }

  /** Moves an output; why it stays if it does, and somebody will read it. */
  private Optional<StayCause> move(int shuffle, MapStatus status, Opened to) throws IOException {
    long map = status.mapId();
    IndexShuffleBlockResolver resolver = manager.shuffleBlockResolver();
    List<Source> files = files(resolver, shuffle, map);
    if (files.isEmpty()) {
      return Optional.empty();
    }
    var output = new MapOutput(to.application(), shuffle, map);
    Placed placed = to.outputs().put(output, files, copies, to.registrations()::require);
    if (placed.stays().equals(Optional.of(StayCause.NO_NODE))
        && NodesQuestion.ask(to.client().client())) {
      placed = to.outputs().put(output, files, copies, to.registrations()::require);
    }
    if (!placed.places().isEmpty()) {
      status.updateLocation(SecondCopy.address(placed.places()));
      resolver.removeDataByMap(shuffle, map);
    }
    return placed.stays();
  }

  /** An output's files; none of one whose bytes another plugin of Spark's has put elsewhere. */
  private List<Source> files(IndexShuffleBlockResolver resolver, int shuffle, long map) {
    Option<String[]> here = Option.empty();
    File data = resolver.getDataFile(shuffle, map);
    if (data.length() == 0) {
      return List.of();
    }
    var files = new ArrayList<Source>();
    files.add(new Source("data", data.toPath()));
    String algorithm = conf.get(CHECKSUM_ALGORITHM, "ADLER32").toUpperCase(Locale.ROOT);
    File checksums = resolver.getChecksumFile(shuffle, map, algorithm, here);
    if (checksums.exists()) {
      files.add(new Source("checksum." + algorithm, checksums.toPath()));
    }
    files.add(new Source("index", resolver.getIndexFile(shuffle, map, here).toPath()));
    return files;
  }

  /** Not of a task that is ended meanwhile, as the loser of a speculation: nodes take it. */
  private void noteStaying(StayCause cause, long bytes, String why) {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    StayedOutputs.count(cause, bytes);
    if (warned.compareAndSet(false, true)) {
      LOG.warn("outputs of map tasks stay with this executor, since no node takes them: {}", why);
    }
  }

  @Override
  public void drop(int shuffle) {
    if (driver) {
      openedAlready().ifPresent(o -> o.outputs().drop(shuffle));
    }
  }

  private synchronized Optional<Opened> openedAlready() {
    return Optional.ofNullable(opened);
  }

  @Override
  public void stop() {
    Optional<Opened> open = openedAlready();
    if (open.isPresent()) {
      if (driver) {
        open.get().outputs().drop(DropScratch.ALL);
        NodesQuestion.answerFrom(null);
      }
      open.get().registrations().close();
      open.get().client().close();
    }
  }
}
