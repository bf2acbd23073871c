package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Placement;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.BlockLocation;
import org.junit.jupiter.api.Test;

class BlockHostsTest {
  private static final int BLOCK = 1 << 20;
  private static final String FILE = "/data/in";

  private final BlockHosts hosts = new BlockHosts();

  private static ClusterView view(BufferMode mode, String... hosts) {
    List<NodeAddress> nodes =
        Arrays.stream(hosts)
            .map(host -> new NodeAddress(new NodeId("on-" + host), host, 4711, "machine"))
            .toList();
    return new ClusterView(1, new BlockGeometry(BLOCK, BLOCK), mode, nodes);
  }

  private List<BlockLocation> of(ClusterView view, Set<String> executors, long from, long length) {
    return hosts.of(view, executors, FILE, new BlockHosts.Range(from, length));
  }

  @Test
  void eachBlockIsWherePlacementPutsIt() throws Exception {
    var view = view(BufferMode.FULL_DELAY, "127.0.0.2", "127.0.0.3");
    var locations = of(view, Set.of("127.0.0.2", "127.0.0.3"), 0, 5 * BLOCK + 7);
    assertThat(locations).hasSize(6);
    var file = new FileVersion(FILE, 5 * BLOCK + 7, 1);
    for (int i = 0; i < 6; i++) {
      String expected = Placement.nodeOf(view, new BlockId(file, i)).orElseThrow().host();
      assertThat(locations.get(i).getHosts()).containsExactly(expected);
      assertThat(locations.get(i).getOffset()).isEqualTo((long) i * BLOCK);
    }
    assertThat(locations.get(5).getLength()).isEqualTo(7);
  }

  @Test
  void aRangeBeginsAndEndsWithinBlocksAndARunOnOneHostIsOne() throws Exception {
    var one = view(BufferMode.FULL_DELAY, "127.0.0.2");
    var locations = of(one, Set.of("127.0.0.2"), BLOCK / 2, 3 * BLOCK);
    assertThat(locations).hasSize(1);
    assertThat(locations.get(0).getOffset()).isEqualTo(BLOCK / 2);
    assertThat(locations.get(0).getLength()).isEqualTo(3 * BLOCK);
    assertThat(locations.get(0).getNames()).containsExactly("127.0.0.2:4711");
  }

  @Test
  void hostsAreNamedAsSparkNamesThem() throws Exception {
    var view = view(BufferMode.FULL_DELAY, "127.0.0.1");
    assertThat(of(view, Set.of("localhost.localdomain.invalid"), 0, 1)).isEmpty();
    var locations = of(view(BufferMode.FULL_DELAY, "localhost"), Set.of("127.0.0.1"), 0, 1);
    assertThat(locations.get(0).getHosts()).containsExactly("127.0.0.1");
  }

  @Test
  void nothingIsNamedWhenAnExecutorHasNoNodeBesideIt() {
    var view = view(BufferMode.FULL_DELAY, "127.0.0.2", "127.0.0.3");
    assertThat(of(view, Set.of("127.0.0.2", "127.0.0.4"), 0, BLOCK)).isEmpty();
    assertThat(of(view, Set.of("127.0.0.2", "127.0.0.3", "127.0.0.4"), 0, BLOCK)).isEmpty();
    assertThat(of(view, Set.of(), 0, BLOCK)).isEmpty();
    assertThat(of(view(BufferMode.NAIVE_BB, "127.0.0.2"), Set.of("127.0.0.2"), 0, 1)).isEmpty();
  }

  @Test
  void aNodeWithoutAnExecutorBesideItIsNoPreference() throws Exception {
    var view = view(BufferMode.FULL_DELAY, "127.0.0.2", "127.0.0.3");
    assertThat(of(view, Set.of("127.0.0.2"), 0, 2 * BLOCK))
        .extracting(location -> location.getHosts()[0])
        .containsExactlyInAnyOrder("127.0.0.2", "localhost");
  }
}
