package io.eley.cli.render;

/**
 * By which options a verb takes a buffer's size, so that advice names what can be typed.
 *
 * @param memory of each node, or of all
 * @param nodes their number
 * @param ofAllNodes whether the memory is that of all, whose number follows from it
 */
public record SizeOptions(String memory, String nodes, boolean ofAllNodes) {
  /** Of {@code eley start} and {@code eley run}. */
  public static final SizeOptions OF_THIS_MACHINE = new SizeOptions("--memory", "--nodes", false);

  /** Of {@code eley sbatch} and {@code eley salloc}. */
  public static final SizeOptions OF_A_JOB =
      new SizeOptions("--buffer-memory", "--buffer-nodes", false);

  /** Of a {@code #BB_LUA} directive. */
  public static final SizeOptions OF_A_DIRECTIVE =
      new SizeOptions("capacity in #BB_LUA", "capacity in #BB_LUA, for more hosts", true);

  /** The most that a directive takes in these units: six digits. */
  private static final long MOST_MEBIBYTES = 999_999;

  /** What to write, so that each of so many nodes has so much. */
  String of(long mebibytes, int nodeCount) {
    return ofAllNodes
        ? "capacity=" + capacity(mebibytes * nodeCount) + " in #BB_LUA"
        : memory + "=" + mebibytes + "m";
  }

  private static String capacity(long mebibytes) {
    return mebibytes <= MOST_MEBIBYTES ? mebibytes + "M" : (mebibytes + 1023) / 1024 + "G";
  }
}
