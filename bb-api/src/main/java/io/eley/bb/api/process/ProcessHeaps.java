package io.eley.bb.api.process;

/**
 * How large the heaps of a deployment's processes may become, whoever starts them: {@code eley
 * start}, or a job's script, which asks Slurm for as much. A JVM that is told nothing takes a
 * quarter of what it believes the machine has, which in a job may be more than the whole job.
 */
public final class ProcessHeaps {
  /**
   * Of a node, whose blocks are files on the RAM-disk, as {@code eley.node.heap} is written: its
   * value by default.
   */
  public static final String NODE = "512m";

  /** Of a node whose blocks are in another engine, in a job: no bytes pass through it. */
  public static final int HELPER_MEBIBYTES = 128;

  /** Of a coordinator, as {@code eley.coordinator.heap} is written: its value by default. */
  public static final String COORDINATOR = "256m";

  private ProcessHeaps() {}
}
