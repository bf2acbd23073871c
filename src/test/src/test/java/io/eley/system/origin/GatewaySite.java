package io.eley.system.origin;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.local.deployment.LocalDeployment;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.spark.connector.fs.BbFileSystem;
import io.eley.system.pfs.Testbed;
import io.eley.workloads.StepSums;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * An S3 gateway on a mount of its own of a parallel file system, Eley with two nodes over it, and
 * Eley over a mount without the gateway, if that is wanted. The bucket is the directory {@code
 * bucket} of the file system, so what HPC applications write there natively are its objects.
 */
final class GatewaySite {
  static final int NODES = 2;
  private static final int SLOTS = 2;
  private static final Duration LEASE = Duration.ofMinutes(1);

  /** What goes on beside the writers, and by which way. */
  enum Way {
    /** Nothing. */
    ALONE,
    /** {@code s3a://} by the gateway. */
    GATEWAY,
    /** {@code bb://} over the gateway. */
    ELEY,
    /** {@code bb://} over a mount. */
    MOUNTED;

    boolean throughEley() {
      return this == ELEY || this == MOUNTED;
    }

    /** Where its users see what is in the bucket. */
    String uri(String path) {
      return throughEley() ? "bb:///" + path : "s3a://bucket/" + path;
    }
  }

  private final Testbed testbed;
  private final Path temp;
  private final StoreProcess gateway;
  private final Map<Way, StoreSpark> sparks = new TreeMap<>();

  /**
   * Starts the gateway and Eley over it.
   *
   * @param gatewaysMount of the testbed
   * @param settings words of {@code eley start}
   */
  GatewaySite(Testbed testbed, String gatewaysMount, Path temp, List<String> settings)
      throws Exception {
    this.testbed = testbed;
    this.temp = temp;
    gateway = StoreProcess.gateway(temp, testbed.mount(gatewaysMount));
    try {
      // For clients in this JVM, and for what they read past the buffer.
      Configuration.addDefaultResource("contract/s3-client.xml");
      gateway
          .client()
          .forEach(entry -> System.setProperty("test." + entry.getKey(), entry.getValue()));
      start(Way.ELEY, "s3a://bucket/", StoreSpark.settings(gateway.client()), settings);
    } catch (Exception | AssertionError e) {
      gateway.close();
      throw e;
    }
  }

  private void start(Way way, String origin, Map<String, String> store, List<String> settings)
      throws Exception {
    boolean measures = Integer.getInteger("eley.test.gateway") != null;
    var spark = new StoreSpark(Files.createDirectory(temp.resolve(way.name())), measures);
    sparks.put(way, spark);
    spark.start(origin, store, NODES, settings);
  }

  /** Starts Eley over a mount, too. */
  void startMounted(String mount, List<String> settings) throws Exception {
    String origin = testbed.mount(mount).resolve("bucket").toString();
    start(Way.MOUNTED, origin, Map.of(), settings);
  }

  /** The Spark and the deployment of a way; the gateway alone has the Spark of Eley over it. */
  StoreSpark spark(Way way) {
    return sparks.getOrDefault(way, sparks.get(Way.ELEY));
  }

  List<PhaseEntry> ledger(Way way) throws Exception {
    return new LedgerFile(spark(way).deployment()).read();
  }

  /** Begins to compute and to write; Eley is told of phases, the gateway alone nobody can tell. */
  StepWriters writers(Way way, StepWriters.Shape shape, String run) throws Exception {
    var notices = way.throughEley() ? announcing(spark(way)) : StepWriters.UNTOLD;
    return new StepWriters(testbed, shape, "bucket/" + run, notices);
  }

  private static StepWriters.Notices announcing(StoreSpark eley) throws Exception {
    CoordinatorClient coordinator = LocalDeployment.connect(new DeploymentFiles(eley.deployment()));
    return new StepWriters.Notices() {
      @Override
      public void begin() throws Exception {
        coordinator.beginPhase("cm1", LEASE);
      }

      @Override
      public void end() throws Exception {
        coordinator.endPhase("cm1");
      }

      @Override
      public void close() {
        coordinator.close();
      }
    };
  }

  /**
   * Reads the first steps, each once it is written; its checksums must be those of the files on a
   * mount.
   *
   * @param millis that computing takes a MiB
   * @return seconds of each step
   */
  List<Double> analyse(Way way, StepWriters writers, String run, int steps, int millis)
      throws Exception {
    var spark = spark(way);
    var settings = new LinkedHashMap<>(StoreSpark.settings(gateway.client()));
    if (way.throughEley()) {
      settings.putAll(spark.plugin());
    }
    var arguments = List.of(way.uri(run), Integer.toString(steps), Integer.toString(millis));
    try (var submission = spark.submit(SLOTS, StepSums.class, arguments, settings)) {
      var unused = submission.await();
    }
    var seconds = new TreeMap<Integer, Double>();
    for (String line : spark.printed()) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("step")) {
        int step = Integer.parseInt(words[1]);
        seconds.put(step, Double.valueOf(words[2]));
        assertThat(List.of(words).subList(3, words.length))
            .as("%s, step %d", run, step)
            .isNotEmpty()
            .isEqualTo(writers.sums(step));
      }
    }
    assertThat(seconds).hasSize(steps);
    return List.copyOf(seconds.values());
  }

  /** Clients in this JVM. */
  GatewayClients clients(Way way, String run, int count, int mebibytes, int rounds)
      throws Exception {
    var conf = new Configuration();
    conf.set("fs.s3a.buffer.dir", temp.resolve("buffers").toString());
    conf.set("fs.bb.impl", BbFileSystem.class.getName());
    conf.set("eley.deployment", spark(Way.ELEY).deployment().toString());
    return new GatewayClients(URI.create(way.uri(run)), conf, count, mebibytes, rounds);
  }

  /** Ends Eley, and then the gateway. */
  void stop() throws Exception {
    try {
      for (StoreSpark spark : sparks.values()) {
        spark.stop();
      }
    } finally {
      gateway.close();
    }
  }
}
