package io.eley.cli.render;

import io.eley.bb.api.config.DataSize;
import io.eley.scheduler.hooks.job.StageIn;

/**
 * What was staged, in the line that {@code deploy/slurm/buffer-for-job.sh} waits for and shows as
 * the comment of the buffer's job.
 */
public final class StagedLine {
  private StagedLine() {}

  /** {@code staged 5m of 6m in 2 files}; begun mebibytes count as whole ones. */
  public static String render(StageIn.Staged staged) {
    return "staged "
        + mebibytes(staged.bytesInRam())
        + " of "
        + mebibytes(staged.bytes())
        + " in "
        + Plural.of(staged.files(), "file");
  }

  private static DataSize mebibytes(long bytes) {
    return DataSize.ofMebibytes((bytes + (1 << 20) - 1) >> 20);
  }
}
