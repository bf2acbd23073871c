package io.eley.cli.render;

import io.eley.bb.api.config.DataSize;
import io.eley.scheduler.hooks.job.StageIn;

/**
 * What was staged, and how far it is until then, in the lines that {@code
 * deploy/slurm/buffer-for-job.sh} looks for and shows as the comment of the buffer's job.
 */
public final class StagedLine {
  private StagedLine() {}

  /** {@code staged 5m of 6m in 2 files}; begun mebibytes count as whole ones. */
  public static String render(StageIn.Staged staged) {
    return "staged " + share(staged.bytesInRam(), staged.bytes(), staged.files());
  }

  /** {@code staging 2m of 6m in 2 files}, and why it does not go on where it must not. */
  public static String render(StageIn.Progress progress) {
    return "staging "
        + share(progress.bytesInRam(), progress.bytes(), progress.files())
        + (progress.held() ? ", held for the I/O of others" : "");
  }

  private static String share(long inRam, long bytes, int files) {
    return mebibytes(inRam) + " of " + mebibytes(bytes) + " in " + Plural.of(files, "file");
  }

  private static DataSize mebibytes(long bytes) {
    return DataSize.ofMebibytes((bytes + (1 << 20) - 1) >> 20);
  }
}
