package io.eley.prefetcher.plan;

/**
 * How far ahead of the tasks that run an application's window reaches, in waves.
 *
 * <p>One wave ahead is enough as long as its blocks keep the nodes reading. Where few tasks run at
 * once they do not: two tasks of a block each leave a node that reads four blocks side by side half
 * idle, and far away from its origin that is half the rate. So a window may grow: it reaches on,
 * split by split, until it has two blocks for each read that the nodes make at once, one to read
 * and one to follow it. The second is for blocks that are not spread evenly, and for the moment
 * until the next order. It grows over the tasks of stages of which others have read what was
 * planned for them: what a stage that stops early does not read stays two waves.
 *
 * <p>And it reaches on to the tasks that will end while prefetching is held back, see {@link
 * HoldCover}, since nothing comes for those behind it until the hold is over.
 *
 * <p>With one node of four reads that is eight blocks: four waves of two tasks that read a block
 * each, one wave of ten such tasks, and one of two tasks that read 64 MiB in blocks of 16.
 *
 * @param leastWaves it reaches so far in any case, zero or more
 * @param mostWaves it reaches no further to keep nodes reading, at least {@code leastWaves}
 * @param readsOfNode that a node makes at once
 */
public record WindowReach(int leastWaves, int mostWaves, int readsOfNode) {
  /** Of a window that grows; what is further ahead is too likely to be planned anew. */
  private static final int MOST_WAVES = 8;

  private static final int BLOCKS_OF_READ = 2;

  /** For a hold it reaches further: a number of waves may be as large. */
  private static final int MOST_WAVES_OF_HOLD = 64;

  /** Of the nodes' room a window grows into one half: the other is for who comes next. */
  private static final int PART_OF_ROOM = 2;

  public WindowReach {
    if (leastWaves < 0 || mostWaves < leastWaves || readsOfNode < 0) {
      throw new IllegalArgumentException("zero or more waves, and no fewer at most than at least");
    }
  }

  /** So many waves, whatever nodes could read. */
  public static WindowReach fixed(int waves) {
    return new WindowReach(waves, waves, 0);
  }

  /** One wave, and up to eight where it takes these to keep the nodes reading. */
  public static WindowReach growing(int readsOfNode) {
    return new WindowReach(1, MOST_WAVES, readsOfNode);
  }

  /** Whether it may be more than the least. */
  boolean grows() {
    return mostWaves > leastWaves;
  }

  /**
   * Splits in a window that has not grown.
   *
   * @param waveSize tasks that can run at once; zero is "not known yet"
   */
  public int leastSplits(int waveSize) {
    return splits(leastWaves, waveSize);
  }

  /** Splits in a window that has grown as far as it may. */
  int mostSplits(int waveSize) {
    return splits(mostWaves, waveSize);
  }

  /**
   * Splits in a window that lasts for a hold; none where windows do not grow.
   *
   * @param tasks that end meanwhile
   */
  int splitsOfHold(int waveSize, int tasks) {
    return tasks == 0 || !grows()
        ? 0
        : (int) Math.min((long) waveSize + tasks, splits(MOST_WAVES_OF_HOLD, waveSize));
  }

  private static int splits(int waves, int waveSize) {
    long splits = waveSize == 0 ? PlanOptions.FIRST_WINDOW : (1L + waves) * waveSize;
    return (int) Math.min(Integer.MAX_VALUE, splits);
  }

  /** Blocks ahead of the tasks that run with which it has grown enough. */
  public int blocksAhead(int nodes) {
    return (int) Math.min(Integer.MAX_VALUE, (long) BLOCKS_OF_READ * readsOfNode * nodes);
  }

  /** Bytes that a window may have if it is to grow, of what all nodes have room for. */
  static long room(long capacityBytes) {
    return capacityBytes / PART_OF_ROOM;
  }
}
