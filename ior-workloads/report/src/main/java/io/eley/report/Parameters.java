package io.eley.report;

/**
 * What was run, in numbers.
 *
 * @param input where the input came from, in words
 * @param inputBytes of all input files
 * @param splitBytes what one task reads
 * @param slots tasks that run at once: the size of a wave
 * @param waves of the map phase
 * @param nodes of each deployment
 * @param nodeMemoryBytes RAM budget of one node
 * @param blockBytes size of a block
 * @param chunkBytes size of one origin read by a node
 * @param fetchersPerNode origin reads a node has under way at once, at most
 * @param pfsBytesPerSecond capacity of the emulated PFS, reads and writes together
 * @param pfsStreamBytesPerSecond what one stream of it can move at most
 * @param pfsLatencyMicros added to every request
 * @param capacityFrom how the capacity was chosen, in words
 * @param ior the command line of the HPC load
 * @param iorTasks its writing tasks
 * @param iorPhaseBytes what one phase writes, all tasks together
 * @param iorPauseSeconds before each phase
 * @param sparkVersion of the cluster
 * @param seed of the generated input
 */
public record Parameters(
    String input,
    long inputBytes,
    long splitBytes,
    int slots,
    int waves,
    int nodes,
    long nodeMemoryBytes,
    long blockBytes,
    long chunkBytes,
    int fetchersPerNode,
    long pfsBytesPerSecond,
    long pfsStreamBytesPerSecond,
    long pfsLatencyMicros,
    String capacityFrom,
    String ior,
    int iorTasks,
    long iorPhaseBytes,
    double iorPauseSeconds,
    String sparkVersion,
    long seed) {

  /** What may still be in flight after the permits have closed: one chunk per fetcher. */
  public long inFlightBytes() {
    return chunkBytes * nodes * fetchersPerNode;
  }
}
