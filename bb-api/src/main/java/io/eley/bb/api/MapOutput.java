package io.eley.bb.api;

import io.eley.bb.api.edge.NameRule;

/**
 * What one task of one shuffle has written for the tasks behind it: intermediate data, which lies
 * in scratch.
 *
 * @param application Spark's application id, see {@link NameRule#APPLICATION}
 * @param shuffle Spark's shuffle id
 * @param map Spark's id of the map task's attempt, alone in its application
 */
public record MapOutput(String application, int shuffle, long map) {
  public MapOutput {
    NameRule.APPLICATION.require(application);
    if (shuffle < 0 || map < 0) {
      throw new IllegalArgumentException("not a map output: " + shuffle + ", " + map);
    }
  }

  /**
   * What it is called among Spark's blocks ({@code ShuffleDataBlockId} without its ending); also
   * what nodes are ranked by.
   */
  public String blockName() {
    return "shuffle_" + shuffle + "_" + map + "_0";
  }

  @Override
  public String toString() {
    return application + "/" + blockName();
  }
}
