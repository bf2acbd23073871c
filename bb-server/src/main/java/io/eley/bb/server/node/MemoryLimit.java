package io.eley.bb.server.node;

import com.sun.management.OperatingSystemMXBean;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.lang.management.ManagementFactory;

/**
 * How much of the machine's memory this process may take. Pages of a RAM-disk count against the
 * cgroup of whoever wrote them (Linux, cgroup-v2, "memory"), so a node that fills more than its
 * Slurm job was given is killed in the middle of its work; better to refuse at the start.
 *
 * @param bytes of the cgroup, or of the machine where there is no limit
 * @param heapBytes that the JVM may take of it
 */
record MemoryLimit(long bytes, long heapBytes) {
  /** By the JDK's own reading of /sys/fs/cgroup, and what it leaves out there. */
  static MemoryLimit ofThisProcess() {
    var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long bytes = Math.min(system.getTotalMemorySize(), CgroupMemory.ofThisProcess().bytes());
    return new MemoryLimit(bytes, Runtime.getRuntime().maxMemory());
  }

  /**
   * Refuses blocks that cannot fit beside the heap.
   *
   * @throws EleyException {@code NO_SPACE} in one line
   */
  void require(long blockBytes) throws EleyException {
    if (blockBytes > bytes - heapBytes) {
      throw new EleyException(
          ErrorCode.NO_SPACE,
          NodeKeys.MEMORY.name()
              + " of "
              + DataSize.ofMebibytes(blockBytes >> 20)
              + " does not fit: this process may take "
              + DataSize.ofMebibytes(bytes >> 20)
              + " (its job's or cgroup's limit, or the machine's memory), "
              + DataSize.ofMebibytes(heapBytes >> 20)
              + " of them for its heap");
    }
  }
}
