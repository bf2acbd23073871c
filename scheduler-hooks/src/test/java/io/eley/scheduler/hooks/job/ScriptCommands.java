package io.eley.scheduler.hooks.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Commands of Slurm and Eley of our own in one directory, for a job's script that bash runs with
 * that directory first on its path. {@code HERE} in their texts is the directory. Steps are
 * processes, noted in {@code steps}, and their options in {@code asked}; {@code served} is what
 * squeue says of jobs; a {@code prolog} is a site's of tasks.
 *
 * <p>Files make them fail: {@code silent} squeue, {@code hung} the look at the origin on all hosts
 * but the first, {@code homeless} nodes, {@code javaless} the coordinator.
 *
 * @param here a directory of the test's own
 */
record ScriptCommands(Path here) {
  /** Makes srun, squeue, scancel. */
  void slurm() throws IOException {
    Files.createFile(here.resolve("steps"));
    make(
        "srun",
        """
        name=step export=${SLURM_EXPORT_ENV:-ALL} asked=
        while [[ $1 == --* ]]; do
          asked+=" $1"
          case $1 in --job-name=*) name=${1#*=} ;; --export=*) export=${1#*=} ;; esac
          shift
        done
        [ ! -e HERE/prolog ] || . HERE/prolog
        [ $export = ALL ] || set -- env -i SLURM_JOB_ID=$SLURM_JOB_ID SLURM_PROCID=0 "$@"
        echo "$$ $name" >>HERE/steps
        echo "$asked" >>HERE/asked
        [ $name != eley-check ] || [ ! -e HERE/hung ] || { SLURMD_NODENAME=n1 "$@"; exec sleep 1000; }
        SLURMD_NODENAME=n1 SLURM_PROCID=0 exec "$@"
        """);
    make(
        "squeue",
        """
        case "$*" in
          *--steps*) while read -r pid name; do
            kill -0 $pid 2>/dev/null && echo "$pid $name"
          done <HERE/steps ;;
          *) [ ! -e HERE/silent ] || { echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1; }
            cat HERE/served ;;
        esac
        """);
    make("scancel", "kill -TERM ${!#}\n");
  }

  /**
   * Makes a launcher whose coordinator and nodes run, and for which one need not wait: how that was
   * asked is in {@code awaited}, what nodes are told in {@code of-nodes}, and who they are in
   * {@code pids-of-nodes}.
   *
   * @param more what other verbs do, as cases of bash
   */
  void eley(String more) throws IOException {
    make(
        "eley",
        """
        case $1 in
          coordinator)
            [ ! -e HERE/javaless ] || { echo 'eley: there is no java'; exit 1; }
            for word in "$@"; do
              case $word in eley.coordinator.directory=*)
                mkdir -p "${word#*=}"; echo 127.0.0.1:1 >"${word#*=}/coordinator.address" ;;
              esac
            done
            exec sleep 1000 ;;
          node)
            echo "$*" >>HERE/of-nodes
            echo $$ >>HERE/pids-of-nodes
            [ ! -e HERE/homeless ] || { echo 'no place for a node'; exit 1; }
            exec sleep 1000 ;;
          await)
            [ ! -e HERE/homeless ] || exec sleep 1000
            echo "$*" >HERE/awaited
            echo "spark.plugins x"
            echo "spark.driver.extraClassPath /our lib/c.jar"
            echo "spark.hadoop.eley.client.origin /where/it/leads" ;;
          %s
        esac
        """
            .formatted(more));
  }

  /** Makes a command of bash. */
  void make(String name, String text) throws IOException {
    Path file = here.resolve(name);
    Files.writeString(file, "#!/bin/bash\n" + text.replace("HERE", here.toString()));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** A script's process of job 43 on one host, n1, which writes into {@code job.out}. */
  ProcessBuilder job(String... command) {
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(here.resolve("job.out").toFile());
    var environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("SLURM_") || name.startsWith("SPARK_"));
    environment.put("PATH", here + ":" + System.getenv("PATH"));
    environment.put("SLURM_JOB_ID", "43");
    environment.put("SLURM_JOB_NODELIST", "n1");
    return builder;
  }

  /** Ends a script and all that it has started. */
  static void end(Process job) {
    job.descendants().forEach(ProcessHandle::destroyForcibly);
    job.destroyForcibly();
  }
}
