package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartKeysTest {
  @TempDir private Path directory;

  /** The heap of each kind of process, in MiB. */
  private Map<String, Integer> heaps(Map<String, String> settings) throws Exception {
    var heaps = new HashMap<String, Integer>();
    var plan =
        new DeploymentPlan(
            "/pfs",
            1,
            DataSize.parse("1g"),
            BufferMode.FULL_DELAY,
            BlockGeometry.DEFAULT,
            directory,
            "127.0.0.1",
            0,
            settings);
    Program program =
        (verb, heap, arguments) -> {
          heaps.put(verb, heap);
          return List.of(verb);
        };
    assertThat(new Parts(new DeploymentFiles(directory), plan, program).make()).hasSize(2);
    return heaps;
  }

  @Test
  void everyKeyReachesTheProcessThatItIsFor() throws Exception {
    assertThat(StartKeys.all().stream().map(ConfigKey::name))
        .containsExactly("eley.coordinator.heap", "eley.node.heap");
    assertThat(heaps(Map.of())).containsEntry("coordinator", 256);
    assertThat(heaps(Map.of("eley.coordinator.heap", "1g")))
        .containsExactlyInAnyOrderEntriesOf(Map.of("coordinator", 1024, "node", 512));
    assertThat(heaps(Map.of("eley.node.heap", "3g")))
        .containsExactlyInAnyOrderEntriesOf(Map.of("coordinator", 256, "node", 3072));
  }
}
