package io.eley.cli.render;

/**
 * By which options a verb takes a buffer's size, so that advice names what can be typed.
 *
 * @param memory of each node
 * @param nodes their number
 */
public record SizeOptions(String memory, String nodes) {
  /** Of {@code eley start} and {@code eley run}. */
  public static final SizeOptions OF_THIS_MACHINE = new SizeOptions("--memory", "--nodes");

  /** Of {@code eley sbatch} and {@code eley salloc}. */
  public static final SizeOptions OF_A_JOB = new SizeOptions("--buffer-memory", "--buffer-nodes");
}
