package io.eley.experiments;

import io.eley.workloads.HostCommands;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who is on which host.
 *
 * @param mounts of the hosts
 * @param iorTasks hosts of IOR's tasks, which come first
 */
record Hosts(HostMounts mounts, int iorTasks) {
  static final int WORKERS = 2;
  static final int NODES = 2;

  /** How many hosts there are, and mounts for each to have one of its own. */
  int count() {
    return control() + 1;
  }

  HostCommands spark() {
    return new HostCommands(
        mounts.entry(control()),
        IntStream.range(0, WORKERS).mapToObj(i -> mounts.entry(iorTasks + i)).toList());
  }

  /**
   * What a process of a deployment enters.
   *
   * @param process {@code coordinator}, {@code node-1} …
   */
  List<String> deployment(String process) {
    int dash = process.indexOf('-');
    int host =
        dash < 0
            ? control()
            : iorTasks + WORKERS + Integer.parseInt(process.substring(dash + 1)) - 1;
    return mounts.entry(host);
  }

  private int control() {
    return iorTasks + WORKERS + NODES;
  }
}
