package io.eley.cli.render;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How the lines of a screen are shared: below 30 lines the chart gives way to the tables, and
 * tables that have no room for all their rows get as many each. A pure function.
 *
 * @param chart lines of traffic; no chart when there are none
 * @param applications lines for rows of this table, at least one
 * @param hpc of this one
 * @param nodes and of this one
 */
record LiveRows(int chart, int applications, int hpc, int nodes) {
  private static final int MOST_OF_CHART = 7;
  private static final int LEAST_OF_CHART = 3;
  private static final int CHART_IS_WHOLE = 30;
  private static final int CHART_IS_THERE = 20;

  /** A free line and the heading. */
  private static final int ABOVE_TABLE = 2;

  /**
   * The rows of one screen.
   *
   * @param height of the screen; 0 when it has no end
   * @param above lines that are taken already
   * @param applications how many there are, as of the others
   */
  static LiveRows of(int height, int above, int applications, int hpc, int nodes) {
    int[] wanted =
        IntStream.of(applications, hpc, nodes)
            .map(rows -> Math.max(1, rows)) // of none it is said that there is none
            .toArray();
    if (height == 0) {
      return new LiveRows(MOST_OF_CHART, wanted[0], wanted[1], wanted[2]);
    }
    int room = height - above - wanted.length * ABOVE_TABLE;
    int chart = 0;
    if (height >= CHART_IS_THERE) {
      int least = height < CHART_IS_WHOLE ? LEAST_OF_CHART : MOST_OF_CHART;
      int left = room - LiveChart.BENEATH - IntStream.of(wanted).sum();
      chart = Math.max(least, Math.min(MOST_OF_CHART, left));
      room -= chart + LiveChart.BENEATH;
    }
    int[] shares = shares(room, wanted);
    return new LiveRows(chart, shares[0], shares[1], shares[2]);
  }

  /** A line each in turn, so that who wants few has them; a first one, whatever the room. */
  private static int[] shares(int room, int[] wanted) {
    int[] shares = new int[wanted.length];
    Arrays.fill(shares, 1);
    int left = room - wanted.length;
    for (boolean more = true; more; ) {
      more = false;
      for (int i = 0; i < wanted.length; i++) {
        if (left > 0 && shares[i] < wanted[i]) {
          shares[i]++;
          left--;
          more = true;
        }
      }
    }
    return shares;
  }
}
