package io.eley.scheduler.hooks.job;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The hosts that buffers are made on, and how much they hold. Blocks for one sinfo a question. */
final class BufferHosts {
  private final SlurmCommands slurm;
  private final String partition;

  BufferHosts(SlurmCommands slurm, String partition) {
    this.slurm = slurm;
    this.partition = partition;
  }

  String partition() {
    return partition;
  }

  /**
   * The fewest hosts that can hold a buffer, because each costs a process.
   *
   * @throws EleyException {@code NO_SPACE} when all of them together cannot
   */
  int fewestFor(DataSize capacity, BufferChoices choices) throws EleyException {
    List<Long> hosts = mebibytes().stream().sorted(Comparator.reverseOrder()).toList();
    for (int count = 1; count <= hosts.size(); count++) {
      if (BufferScript.mebibytesOfAHost(capacity, count, choices) <= hosts.get(count - 1)) {
        return count;
      }
    }
    throw new EleyException(
        ErrorCode.NO_SPACE,
        "a buffer of "
            + capacity
            + " does not fit on the "
            + hosts.size()
            + " hosts of partition "
            + partition);
  }

  /** What blocks can have of all hosts together, in MiB. */
  long capacityMebibytes() throws EleyException {
    return mebibytes().stream().mapToLong(BufferScript::mebibytesOfBlocks).sum();
  }

  /**
   * How long jobs may run there, where one that asks for no time gets less than it may. Else
   * nothing is asked for: Slurm gives as much as partition and account allow.
   */
  Optional<BufferTimes> times() throws EleyException {
    return slurm
        .lines(List.of("sinfo", "--noheader", "--partition=" + partition, "--format=%L|%l"))
        .stream()
        .flatMap(line -> BufferTimes.parse(line).stream())
        .findFirst();
  }

  /** The memory of each host that is up. */
  private List<Long> mebibytes() throws EleyException {
    return slurm
        .lines(
            List.of(
                "sinfo",
                "--noheader",
                "--partition=" + partition,
                "--Node",
                "--states=idle,mixed,allocated,completing",
                "--format=%m"))
        .stream()
        .map(String::strip)
        .filter(l -> l.matches("\\d{1,15}"))
        .map(Long::parseLong)
        .toList();
  }
}
