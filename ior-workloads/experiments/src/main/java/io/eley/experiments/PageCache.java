package io.eley.experiments;

import static java.lang.ProcessBuilder.Redirect.DISCARD;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What the kernel keeps of files. Dropping leaves pages that are to be written (proc_sys_vm(5)), so
 * that they would be written beside the next run, the one alone among them.
 *
 * @param sync writes them, see sync(1)
 * @param control takes the order to drop the others
 */
record PageCache(List<String> sync, Path control) {
  static final PageCache OF_THE_SYSTEM =
      new PageCache(List.of("sync"), Path.of("/proc/sys/vm/drop_caches"));

  private static final long MINUTES = 10;

  /**
   * Writes and drops all. Needs root; blocks for as long as the file systems take to write.
   *
   * @throws EleyException {@code ACCESS_DENIED} without the right to, {@code DEADLINE} behind a
   *     file system that does not write for minutes
   */
  void drop() throws EleyException {
    try {
      Process writing =
          new ProcessBuilder(sync).redirectErrorStream(true).redirectOutput(DISCARD).start();
      if (!writing.waitFor(MINUTES, TimeUnit.MINUTES)) {
        writing.destroy();
        throw new EleyException(ErrorCode.DEADLINE, "sync has not ended for " + MINUTES + " min");
      }
      Files.writeString(control, "3");
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot drop caches: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted: drop caches", e);
    }
  }
}
