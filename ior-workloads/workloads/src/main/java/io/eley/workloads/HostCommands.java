package io.eley.workloads;

import java.util.List;

/**
 * Commands that go before a process's own and become it, such as one that enters a mount namespace:
 * on a machine that stands for several hosts, each may have a mount of its own.
 *
 * @param driver before the driver's
 * @param workers before each worker's, and so its executors'; a worker beyond the list has none
 */
public record HostCommands(List<String> driver, List<List<String>> workers) {
  /** All processes see the machine as it is. */
  public static final HostCommands NONE = new HostCommands(List.of(), List.of());

  public HostCommands {
    driver = List.copyOf(driver);
    workers = workers.stream().map(List::copyOf).toList();
  }

  List<String> worker(int index) {
    return index < workers.size() ? workers.get(index) : List.of();
  }
}
