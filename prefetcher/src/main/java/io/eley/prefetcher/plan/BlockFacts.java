package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockId;
import java.util.List;
import java.util.Optional;

/**
 * What is known of one planned block.
 *
 * @param block the block
 * @param node that owns it; empty when there is none
 * @param state where it stands
 * @param bytes of it that these tasks read, as far as the plan knows
 * @param inWindow whether any window has it now
 * @param failures how often it failed or was lost
 * @param tasks that read it
 */
public record BlockFacts(
    BlockId block,
    Optional<String> node,
    State state,
    int bytes,
    boolean inWindow,
    int failures,
    List<Task> tasks) {
  public BlockFacts {
    tasks = List.copyOf(tasks);
  }

  /** Where a block stands. */
  public enum State {
    /** The block is in the node's RAM. */
    PRESENT,
    /** Ordered; the node has not reported it yet. */
    ORDERED,
    /** It failed too often: the task that wants it reads it on demand. */
    GIVEN_UP,
    /** Not ordered, or not any more. */
    ABSENT
  }

  /**
   * One task that reads it.
   *
   * @param application that the task belongs to
   * @param stage of it, with its attempt, such as {@code 3.0}
   * @param partition its index
   * @param ended whether it is over
   * @param ahead unfinished tasks of its stage before it
   * @param unread why nothing is prefetched for it; empty when its stage's plan is believed
   */
  public record Task(
      String application,
      String stage,
      int partition,
      boolean ended,
      int ahead,
      Optional<Unread> unread) {}

  /**
   * What tasks of a stage have left unread of what was planned for them.
   *
   * @param tasks the last ones that told; zero when the stage may stop early, and none has told yet
   * @param readPercent how much they read, in percent of what was planned
   */
  public record Unread(int tasks, int readPercent) {}
}
