package io.eley.demo;

import io.eley.bb.api.config.DataSize;
import io.eley.emulated.pfs.PfsAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The HPC application of a demo as an IOR command line: the paper's load ({@code -w -F -b 4g -t 1m
 * -d 20}), scaled down.
 *
 * @param hpc tasks, pause and transfer size
 * @param taskBytes what one task writes in a phase
 * @param origin the emulated PFS it writes to
 */
record IorLoad(DemoOptions.Hpc hpc, long taskBytes, PfsAddress origin) {
  /** More phases than are ever reached: IOR is ended when the map phase is over. */
  private static final int PHASES = 1000;

  private static final Duration ALONE_PAUSE = Duration.ofSeconds(1);

  /**
   * Bytes to warm up: enough for IOR's classes to be loaded, a fraction of a second of the origin.
   */
  private static final DataSize WARM_UP = DataSize.ofMebibytes(4);

  /** Name under which phases are announced. */
  static final String APPLICATION = "ior";

  /** IOR's own letters, for reports. */
  String commandLine() {
    return "ior " + String.join(" ", load(hpc.pause()));
  }

  /** The test file; its directory must exist. */
  Path file() {
    return origin.directory().resolve("ior").resolve("testfile");
  }

  /** The arguments of the process. */
  List<String> arguments(Path phaseLog, @Nullable Path deployment) {
    // Without Spark nothing happens in the pauses, so they are left out.
    var arguments = new ArrayList<>(load(deployment == null ? ALONE_PAUSE : hpc.pause()));
    arguments.addAll(
        List.of("-N", Integer.toString(hpc.tasks()), "-o", file().toString(), "--quiet"));
    arguments.addAll(List.of("--warm-up", WARM_UP.toString()));
    arguments.addAll(List.of("--pfs", origin.toString(), "--phase-log", phaseLog.toString()));
    if (deployment != null) {
      arguments.addAll(List.of("--announce", deployment.toString(), "--app", APPLICATION));
    }
    return arguments;
  }

  private List<String> load(Duration pause) {
    return List.of(
        "-a",
        "POSIX",
        "-w",
        "-F",
        "-b",
        new DataSize(taskBytes).toString(),
        "-t",
        hpc.transfer().toString(),
        "-i",
        Integer.toString(PHASES),
        "-d",
        Long.toString(pause.toSeconds()));
  }
}
