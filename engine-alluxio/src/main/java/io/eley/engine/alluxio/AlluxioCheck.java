package io.eley.engine.alluxio;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedOrigin;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** What would fail later, refused in one line before anything is started. */
public final class AlluxioCheck {
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration REACH = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofSeconds(20);
  private static final String LINE = "2.9.";

  private AlluxioCheck() {}

  /**
   * What a cluster has for us.
   *
   * @param workers one node of ours each, in the order of their addresses
   * @param blockSize into which it cuts files
   */
  public record Found(List<AlluxioPort.Worker> workers, long blockSize) {
    public Found {
      workers = List.copyOf(workers);
    }
  }

  /**
   * Looks at a cluster. Blocks for seconds when nobody answers.
   *
   * @param classPath see {@link AlluxioKeys#CLIENT}
   * @param master {@code host:port}
   * @throws EleyException in one line
   */
  public static Found look(String classPath, String master, String origin) throws EleyException {
    requireListening(master);
    // Its own deadlines do not end a connection to a server that speaks another language.
    try (var guard = new GuardedOrigin("eley-alluxio-check", 1, LOOK)) {
      return guard.call(
          "ask Alluxio's master " + master,
          () -> {
            try (AlluxioPort alluxio = ApartLoader.connect(classPath, master)) {
              return look(alluxio, worker -> HostPort.listens(worker, REACH), master, origin);
            }
          });
    }
  }

  /** The same over a port; a worker that does not listen has died, and the master knows it soon. */
  static Found look(AlluxioPort alluxio, Predicate<String> listens, String master, String origin)
      throws EleyException {
    String version = alluxio.version();
    if (!version.startsWith(LINE)) {
      throw new EleyException(
          ErrorCode.INCOMPATIBLE,
          "Alluxio's master " + master + " is " + version + "; Eley drives " + LINE + "x");
    }
    long blockSize = AlluxioMounts.of(origin, alluxio.mounts()).blockSize();
    List<AlluxioPort.Worker> workers =
        alluxio.workers().stream()
            .filter(worker -> listens.test(worker.address()))
            .sorted(Comparator.comparing(AlluxioPort.Worker::address))
            .toList();
    if (workers.isEmpty()) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "Alluxio's master " + master + " has no workers");
    }
    for (var worker : workers) {
      if (worker.freeBytes() < 2 * blockSize) {
        throw new EleyException(
            ErrorCode.NO_SPACE,
            "Alluxio's worker "
                + worker.address()
                + " has "
                + worker.freeBytes()
                + " bytes free, less than two blocks of "
                + blockSize);
      }
    }
    return new Found(workers, blockSize);
  }

  private static void requireListening(String master) throws EleyException {
    HostPort address = HostPort.parse(master);
    try {
      address.requireListening(CONNECT);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "no Alluxio master answers at " + master + ": " + e.getMessage(),
          e);
    }
  }
}
