package io.eley.system.engine;

import io.eley.bb.api.config.DataSize;
import io.eley.laboratory.AlluxioCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A real Alluxio over a directory of this machine. Its jars are there after a build with {@code
 * -Deley.test.alluxio=true}.
 */
public final class RealAlluxio implements AutoCloseable {
  public static final String WANTED = "eley.test.alluxio";

  private static final Path BUILT =
      Path.of(System.getProperty("eley.root"), "ior-workloads", "alluxio-2.9", "target");

  private final AlluxioCluster cluster;

  /** Blocks until its master and workers take calls. */
  public RealAlluxio(Path home, Path origin, int workers, String ramdisk, String blockSize)
      throws IOException {
    cluster =
        AlluxioCluster.start(
            new AlluxioCluster.Options(
                Files.readString(BUILT.resolve("servers.classpath")),
                home,
                origin,
                workers,
                DataSize.parse(ramdisk),
                DataSize.parse(blockSize),
                process -> List.of()));
  }

  /** The directory of the client's jar, as a site has it. */
  public static Path client() {
    return BUILT.resolve("client");
  }

  public String master() {
    return cluster.master();
  }

  /** Kills the master (0) or a worker (1 …), and waits until it is gone. */
  public void kill(int process) throws InterruptedException {
    cluster.kill(process);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
