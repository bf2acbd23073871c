package io.eley.scheduler.hooks.job;

/**
 * How far a buffer's job is, as its script writes in the job's comment ({@code
 * deploy/slurm/buffer-for-job.sh}). A comment needs no file that Slurm's user and the job's both
 * may read.
 */
enum BufferProgress {
  /** Submitted; its script has not begun. */
  WAITING("", false),
  STARTING("starting", false),
  READY("ready", true),
  STAGING("staging", true),
  STAGED("staged ", true),
  PUBLISHED("out: ", true),
  FAILED("failed: ", false);

  private final String prefix;
  private final boolean usable;

  BufferProgress(String prefix, boolean usable) {
    this.prefix = prefix;
    this.usable = usable;
  }

  /** Whether all nodes are there. */
  boolean usable() {
    return usable;
  }

  /** What the comment says beside the progress itself, such as the reason of a failure. */
  String detail(String comment) {
    return comment.substring(prefix.length()).strip();
  }

  /** The progress that a comment tells; {@link #WAITING} when it tells none. */
  static BufferProgress of(String comment) {
    for (BufferProgress each : values()) {
      if (each != WAITING && comment.startsWith(each.prefix)) {
        return each;
      }
    }
    return WAITING;
  }
}
