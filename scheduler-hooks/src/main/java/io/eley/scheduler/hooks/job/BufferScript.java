package io.eley.scheduler.hooks.job;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The script of a buffer's own job: {@code deploy/slurm/buffer-for-job.sh} filled in.
 *
 * @param job that is served
 * @param directive what it asks for
 * @param nodes of the buffer
 * @param eley the launcher, on all hosts
 * @param jobs directory of the user's jobs' files
 * @param choices the site's
 */
record BufferScript(
    long job, Directive directive, int nodes, Path eley, Path jobs, BufferChoices choices) {
  private static final String RAM_DISK = "/dev/shm";

  /** Linux lets {@value #RAM_DISK} have one half of the memory. */
  private static final long MEMORY_OF_A_RAM_DISK = 2;

  /** Of our processes on a host beside its blocks: a node, and the coordinator on one of them. */
  private static long overheadMebibytes(Map<String, String> settings) {
    return JobScript.nodeMebibytes(settings)
        + JobScript.coordinatorMebibytes(settings)
        + (JobScript.scratch(settings) ? JobScript.SERVICE_MEBIBYTES : 0);
  }

  /** What the blocks of one node may take. */
  DataSize memoryOfANode() {
    return DataSize.ofMebibytes(mebibytesOfBlocks(directive.capacity(), nodes));
  }

  private static long mebibytesOfBlocks(DataSize capacity, int nodes) {
    long mebibytes = (capacity.bytes() + (1 << 20) - 1) >> 20; // whole granules of the pool
    return (mebibytes + nodes - 1) / nodes;
  }

  /** What one host must give, in MiB. */
  long mebibytesOfAHost() {
    return mebibytesOfAHost(directive.capacity(), nodes, choices);
  }

  /**
   * At least the memory of a host whose RAM-disk holds the blocks: so Slurm, which knows memory
   * alone, puts no more buffers on a host than its RAM-disk has room for.
   */
  static long mebibytesOfAHost(DataSize capacity, int nodes, BufferChoices choices) {
    long blocks = mebibytesOfBlocks(capacity, nodes);
    return Math.max(blocks + overheadMebibytes(choices.settings()), blocks * MEMORY_OF_A_RAM_DISK);
  }

  /**
   * What blocks can have of a host with so much memory, in MiB, unless a site chooses larger
   * processes.
   */
  static long mebibytesOfBlocks(long host) {
    return Math.max(0, Math.min(host - overheadMebibytes(Map.of()), host / MEMORY_OF_A_RAM_DISK));
  }

  /** Where the job finds the buffer, and where Spark finds its settings. */
  Map<String, String> environment() {
    Path directory = jobs.resolve(Long.toString(job));
    var environment = new LinkedHashMap<String, String>();
    environment.put(DeploymentFiles.ENVIRONMENT, directory.resolve("deployment").toString());
    environment.put("ELEY_SPARK_CONF", directory.resolve("conf/spark-defaults.conf").toString());
    directive.stageOut().ifPresent(out -> environment.put("ELEY_STAGE_OUT", out + "/.eley-" + job));
    return environment;
  }

  String text() {
    var values = new LinkedHashMap<String, String>();
    values.put("MAIN_JOB", Long.toString(job));
    values.put("ELEY", eley.toString());
    values.put("ORIGIN", directive.origin());
    values.put("JOBS", jobs.toString());
    values.put("RAM_DISK", RAM_DISK);
    values.put("MODE", choices.mode().label());
    values.put("WATCH_SLURM", Boolean.toString(choices.watch()));
    values.put("BUFFER_NODES", Integer.toString(nodes));
    values.put("BUFFER_MEMORY", memoryOfANode().toString());
    values.putAll(JobScript.heaps(choices.settings()));
    values.put("OVERFLOW", choices.settings().getOrDefault(JobScript.OVERFLOW, ""));
    values.put("READY", Integer.toString(JobScript.READY_SECONDS));
    values.put("GRACE", "20");
    values.put("STAGE_IN", directive.stageIn().orElse(""));
    values.put("STAGE_OUT", directive.stageOut().orElse(""));
    return ShellScript.template("buffer-for-job.sh")
        .replace(
            "#@SETTINGS@",
            ShellScript.assignments(values) + "\n" + JobScript.words(choices.settings()));
  }
}
