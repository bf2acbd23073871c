package io.eley.engine.alluxio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AlluxioMountsTest {
  private static final List<AlluxioPort.Mount> MOUNTS =
      List.of(
          new AlluxioPort.Mount("/", "/mnt/pfs", 64 << 20),
          new AlluxioPort.Mount("/sim", "file:///mnt/pfs/runs/", 4 << 20),
          new AlluxioPort.Mount("/away", "hdfs://name/mnt/other", 64 << 20));

  @ParameterizedTest
  @CsvSource({
    "/mnt/pfs, /, 64",
    "file:///mnt/pfs/, /, 64",
    "/mnt/pfs/data, /data, 64",
    "/mnt/pfs/runs, /sim, 4",
    "file:///mnt/pfs/runs/7, /sim/7, 4",
    "/mnt/pfs/runsome, /runsome, 64"
  })
  void theNearestMountHasTheOrigin(String origin, String path, int mebibytes) throws Exception {
    assertThat(AlluxioMounts.of(origin, MOUNTS))
        .isEqualTo(new AlluxioMounts.Found(path, mebibytes << 20));
  }

  @ParameterizedTest
  @CsvSource({"/mnt", "/mnt/other", "/elsewhere"})
  void whatIsMountedNowhereIsRefused(String origin) {
    assertThatThrownBy(() -> AlluxioMounts.of(origin, MOUNTS))
        .isInstanceOf(EleyException.class)
        .hasMessage(
            "Alluxio has not mounted "
                + origin
                + "; it has /mnt/pfs, file:///mnt/pfs/runs/, hdfs://name/mnt/other");
  }

  @Test
  void anObjectStoreIsNoMountOfTheWorkers() {
    assertThatThrownBy(() -> AlluxioMounts.of("s3a://mnt/pfs", MOUNTS))
        .hasMessageContaining("mounted on its workers");
  }
}
