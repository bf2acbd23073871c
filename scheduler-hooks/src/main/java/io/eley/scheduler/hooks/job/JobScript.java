package io.eley.scheduler.hooks.job;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.process.ProcessHeaps;
import io.eley.scheduler.hooks.slurm.EleyMark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The batch script of a job with Spark and its buffer: the template of {@code deploy/slurm} with
 * the job's requests and settings put in. What a user gave is quoted for the shell.
 *
 * @param sizes of the parts
 * @param spark how Spark uses its hosts
 * @param places of everything
 * @param watch whether other jobs' I/O is looked for in Slurm's accounting
 * @param readySeconds how long all parts may take to come up
 * @param slurm what Slurm is asked for
 * @param settings configuration keys
 * @param command what runs on the first Spark node; empty is a server of Spark Connect
 */
public record JobScript(
    Sizes sizes,
    SparkShare spark,
    Places places,
    BufferMode mode,
    boolean watch,
    int readySeconds,
    SlurmRequest slurm,
    Map<String, String> settings,
    List<String> command) {
  private static final String TEMPLATE = "spark-with-buffer.sh";

  /** A default, which a profile may change: sbatch finds it in the script alone. */
  private static final String NAME = "--job-name=eley";

  /** An allocation that a terminal waits for begins once. */
  private static final Pattern ONLY_OF_BATCH = Pattern.compile("--(no-)?requeue|--open-mode=.*");

  /** By name: the modules that read these keys are not on our class path. */
  private static final List<String> LISTENERS =
      List.of("eley.coordinator.listen-host", "eley.node.listen-host");

  private static final Pattern COMMENT =
      Pattern.compile("--comment[= ](?<quote>[\"']?)(?<text>[^\"'\\\\]*)\\k<quote>");

  /**
   * How long all parts of a job may take to come up, where nobody says otherwise. Long, for what
   * has ended is seen at once, and a hundred hosts may begin together to load Java and us from one
   * shared file system, after a job has waited for hours.
   */
  public static final int READY_SECONDS = 180;

  /** Of a node's process beside its blocks and its heap: classes, code, stacks and buffers. */
  private static final long NODE_MEBIBYTES = 256;

  /** Of a node's process whose blocks are in another engine. */
  private static final long HELPER_MEBIBYTES = ProcessHeaps.HELPER_MEBIBYTES + 256;

  /** Of a coordinator's process beside its heap. */
  private static final long COORDINATOR_MEBIBYTES = 128;

  /** Of Spark's master and worker together. */
  private static final long DAEMONS_MEBIBYTES = 384;

  /** Of the process that hands a node's intermediate data out. */
  static final long SERVICE_MEBIBYTES = 384;

  /** By name, too: where nodes take intermediate data. */
  static final String SCRATCH = "eley.node.spark-home";

  static final String OVERFLOW = "eley.node.overflow.directory";

  private static final String ALLUXIO_CLIENT = "eley.alluxio.client";

  private static final String COORDINATOR_HEAP = "eley.coordinator.heap";
  private static final String NODE_HEAP = "eley.node.heap";

  public JobScript {
    settings = Map.copyOf(settings);
    command = List.copyOf(command);
    spark.requireFits(sizes);
    if (slurm.isArray() && sizes.blocks == Blocks.ON_HOSTS_OF_THEIR_OWN) {
      throw new IllegalArgumentException(
          "Slurm has no arrays of jobs with two components: add --colocate");
    }
  }

  /** Where the blocks are. */
  public enum Blocks {
    ON_HOSTS_OF_THEIR_OWN,
    ON_SPARKS_HOSTS,
    /** In an Alluxio that is there; for each of its workers a helper runs on a host of Spark's. */
    IN_ALLUXIO
  }

  /**
   * How large the parts are.
   *
   * @param bufferNodes with blocks in Alluxio its workers
   * @param bufferMemory of each node for blocks
   */
  public record Sizes(
      int bufferNodes,
      DataSize bufferMemory,
      int sparkNodes,
      int sparkCores,
      DataSize sparkMemory,
      Blocks blocks) {
    public Sizes {
      if (bufferNodes < 1 || sparkNodes < 1 || sparkCores < 1) {
        throw new IllegalArgumentException("a job has at least one node and one core of each kind");
      }
      if (blocks == Blocks.ON_SPARKS_HOSTS && bufferNodes > sparkNodes) {
        throw new IllegalArgumentException(
            "--colocate puts " + bufferNodes + " buffer nodes on " + sparkNodes + " Spark nodes");
      }
    }
  }

  /**
   * Where things are, on all hosts.
   *
   * @param origin a directory, or the address of a store behind Hadoop's clients
   * @param jobs shared directory of the jobs' files
   * @param spills directory for what executors and driver spill; empty is the host's own
   * @param network interface or network of all connections; empty is that of the hosts' names
   */
  public record Places(
      Path eley,
      String origin,
      Path jobs,
      Path spark,
      Path ramDisk,
      Optional<Path> spills,
      Optional<String> network) {}

  /** The most that one host must have, in MiB. */
  public long mebibytesOfANode() {
    return Math.max(sparkMebibytes(), bufferMebibytes());
  }

  /**
   * What {@link #mebibytesOfANode} is made of, by the options that give it: which of them to give
   * less is not seen by the sum, and most of it may be the driver's.
   */
  String partsOfANode() {
    boolean ofSpark = sparkMebibytes() >= bufferMebibytes();
    var parts = new LinkedHashMap<String, Long>();
    if (ofSpark) {
      parts.put("--spark-memory", sizes.sparkMemory.bytes() >> 20);
      int drivers = spark.applications();
      parts.put(
          "--driver-memory" + (drivers > 1 ? " of " + drivers + " applications" : ""),
          drivers * (spark.driverMemory().bytes() >> 20));
      parts.put("--spill-memory", spark.spillMemory().bytes() >> 20);
    }
    if (!inAlluxio() && (!ofSpark || onSparksHosts())) {
      parts.put("--buffer-memory", sizes.bufferMemory.bytes() >> 20);
    }
    long named = parts.values().stream().mapToLong(Long::longValue).sum();
    parts.put("what goes beside", mebibytesOfANode() - named);
    return parts.entrySet().stream()
        .filter(part -> part.getValue() > 0)
        .map(part -> part.getKey() + " " + part.getValue())
        .collect(Collectors.joining(", "));
  }

  private long bufferMebibytes() {
    if (inAlluxio()) {
      return HELPER_MEBIBYTES * sizes.bufferNodes;
    }
    return (sizes.bufferMemory.bytes() >> 20)
        + nodeMebibytes(settings)
        + (scratch() ? SERVICE_MEBIBYTES * spark.applications() : 0);
  }

  /** Of a node's process beside its blocks. */
  static long nodeMebibytes(Map<String, String> settings) {
    return nodeHeap(settings) + NODE_MEBIBYTES;
  }

  /** In MiB. */
  private static long nodeHeap(Map<String, String> settings) {
    return DataSize.parse(settings.getOrDefault(NODE_HEAP, ProcessHeaps.NODE)).bytes() >> 20;
  }

  /** Of a coordinator's process. */
  static long coordinatorMebibytes(Map<String, String> settings) {
    return (coordinatorHeap(settings).bytes() >> 20) + COORDINATOR_MEBIBYTES;
  }

  private static DataSize coordinatorHeap(Map<String, String> settings) {
    return DataSize.parse(settings.getOrDefault(COORDINATOR_HEAP, ProcessHeaps.COORDINATOR));
  }

  /**
   * What the script bounds the heaps of our processes to; what Slurm is asked for has room for it.
   */
  static Map<String, String> heaps(Map<String, String> settings) {
    return Map.of(
        "NODE_HEAP", nodeHeap(settings) + "m",
        "COORDINATOR_HEAP", (coordinatorHeap(settings).bytes() >> 20) + "m");
  }

  private boolean inAlluxio() {
    return sizes.blocks == Blocks.IN_ALLUXIO;
  }

  private boolean onSparksHosts() {
    return sizes.blocks != Blocks.ON_HOSTS_OF_THEIR_OWN;
  }

  private boolean scratch() {
    return scratch(settings);
  }

  /** Whether nodes take intermediate data. */
  static boolean scratch(Map<String, String> settings) {
    return !settings.getOrDefault(SCRATCH, "").isBlank();
  }

  private long sparkMebibytes() {
    // Any of Spark's hosts may be the one with driver, master and coordinator, and with helpers.
    long own = spark.mebibytes(sizes) + DAEMONS_MEBIBYTES + coordinatorMebibytes(settings);
    return onSparksHosts() ? own + bufferMebibytes() : own;
  }

  /** The whole script. */
  public String text() {
    return text(false);
  }

  /**
   * The script's options again, for the command line of sbatch: of an option that stands in a
   * script alone, a variable of the user's profile (SBATCH_PARTITION) takes the place.
   */
  List<String> options() {
    return options(option -> true);
  }

  private List<String> options(Predicate<String> wanted) {
    var words = new ArrayList<String>();
    components()
        .forEach(
            component -> {
              if (!words.isEmpty()) {
                words.add(":");
              }
              component.stream().filter(wanted).map(OptionLine::words).forEach(words::addAll);
            });
    return words;
  }

  /**
   * A script that gets an allocation by salloc and runs the job's own script in it, where it is run
   * itself: the command has the terminal, and the allocation ends with it.
   */
  public String inATerminal() {
    String options =
        options(ONLY_OF_BATCH.asMatchPredicate().negate()).stream()
            .map(ShellScript::quoted)
            .collect(Collectors.joining(" "));
    return "#!/bin/bash\nexec salloc "
        + NAME
        + " "
        + options
        + " bash -c "
        + ShellScript.quoted(text(true))
        + " eley-job\n";
  }

  private String text(boolean terminal) {
    String sbatch =
        components()
            .map(c -> c.stream().map(l -> "#SBATCH " + l).collect(Collectors.joining("\n")))
            .collect(Collectors.joining("\n#SBATCH hetjob\n", "#SBATCH " + NAME + "\n", ""));
    return ShellScript.template(TEMPLATE)
        .replace("#@SBATCH@", sbatch)
        .replace("#@SETTINGS@", values(terminal));
  }

  /** The options of each component, without the job's name. */
  private Stream<List<String>> components() {
    List<String> spark =
        component(sizes.sparkNodes, sizes.sparkCores, sparkMebibytes(), slurm.sparks());
    return onSparksHosts()
        ? Stream.of(spark)
        : Stream.of(spark, component(sizes.bufferNodes, 2, bufferMebibytes(), slurm.buffers()));
  }

  private List<String> component(int nodes, int cores, long mebibytes, Stream<String> more) {
    var options = new ArrayList<String>();
    options.add("--nodes=" + nodes);
    options.add("--ntasks-per-node=1");
    options.add("--cpus-per-task=" + cores);
    options.add("--mem=" + mebibytes + "M");
    options.addAll(slurm.whetherAgain());
    options.add("--comment=" + EleyMark.WORD);
    more.map(JobScript::marked).forEach(options::add);
    return options;
  }

  /**
   * A comment of the user's takes the place of ours, so the mark is put beside it: until the
   * coordinator did, others would take this job's start for an HPC application's I/O. A comment
   * with quotes or backslashes in it stays as it is, and the coordinator puts the mark.
   */
  private static String marked(String option) {
    Matcher comment = COMMENT.matcher(option);
    return comment.matches() ? "--comment=\"" + EleyMark.on(comment.group("text")) + "\"" : option;
  }

  private String values(boolean terminal) {
    var values = new TreeMap<String, String>();
    values.put("ELEY", places.eley.toString());
    values.put("ORIGIN", places.origin);
    values.put("JOBS", places.jobs.toString());
    values.put("SPARK_HOME", places.spark.toString());
    values.put("RAM_DISK", places.ramDisk.toString());
    values.put("MODE", mode.label());
    values.put("WATCH_SLURM", Boolean.toString(watch));
    values.put("BUFFER_NODES", inAlluxio() ? "1" : Integer.toString(sizes.bufferNodes));
    values.put("HELPERS", inAlluxio() ? Integer.toString(sizes.bufferNodes) : "0");
    values.put("ALLUXIO_CLIENT", settings.getOrDefault(ALLUXIO_CLIENT, ""));
    values.put("BUFFER_MEMORY", sizes.bufferMemory.toString());
    values.putAll(heaps(settings));
    if (inAlluxio()) {
      values.put("NODE_HEAP", ProcessHeaps.HELPER_MEBIBYTES + "m");
    }
    values.put("SPARK_NODES", Integer.toString(sizes.sparkNodes));
    values.put("SPARK_CORES", Integer.toString(sizes.sparkCores));
    values.put("SPARK_MEMORY", (sizes.sparkMemory.bytes() >> 20) + "m");
    values.put("DRIVER_MEMORY", (spark.driverMemory().bytes() >> 20) + "m");
    values.put("EXECUTOR_CORES", Integer.toString(spark.coresOfAnExecutor(sizes)));
    values.put("EXECUTOR_MEMORY", spark.mebibytesOfAnExecutor(sizes) + "m");
    values.put("CORES_MAX", Integer.toString(spark.coresOfAnApplication(sizes)));
    values.put("SPILLS", places.spills.map(Path::toString).orElse(""));
    values.put("SPILL_MEMORY", (spark.spillMemory().bytes() >> 20) + "m");
    values.put("TERMINAL", terminal ? "yes" : "no");
    values.put("REQUEUE", slurm.requeue() && !terminal ? "yes" : "no");
    values.put("CONNECT", command.isEmpty() ? "yes" : "no");
    values.put("NETWORK", places.network.orElse(""));
    values.put("SCRATCH", scratch() ? "yes" : "no");
    values.put("OVERFLOW", settings.getOrDefault(OVERFLOW, ""));
    values.put("READY", Integer.toString(readySeconds));
    values.put("GRACE", "20");
    values.put("KEEP_LOGS", "yes");
    var all = new HashMap<>(settings);
    for (String key : LISTENERS) {
      places.network.ifPresent(network -> all.putIfAbsent(key, network));
    }
    return String.join(
        "\n",
        ShellScript.assignments(values),
        "export SPARK_HOME",
        words(all),
        ShellScript.array("COMMAND", command));
  }

  /** What the script gives to coordinator and nodes as they are, in the order of the keys. */
  static String words(Map<String, String> settings) {
    var keys = new ArrayList<String>();
    var all = new TreeMap<>(settings);
    all.remove(OVERFLOW); // each node has a directory of its own there
    all.forEach((key, value) -> keys.addAll(List.of("-D", key + "=" + value)));
    return ShellScript.array("ELEY_SETTINGS", keys);
  }
}
