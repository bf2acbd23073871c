package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.MetadataMessage.View;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnownViewTest {
  private final KnownView known = new KnownView();

  private static View view(long epoch, BlockGeometry geometry, String origin) {
    return new View(new ClusterView(epoch, geometry, BufferMode.FULL_DELAY, List.of()), origin);
  }

  private static View view(long epoch) {
    return view(epoch, BlockGeometry.DEFAULT, "/origin");
  }

  @Test
  void theFirstViewAndNewerOnesCountAndOlderOnesDoNot() throws Exception {
    assertThat(known.take(view(7))).isTrue();
    assertThat(known.take(view(6))).as("overtaken").isFalse();
    assertThat(known.take(view(7))).as("told again").isTrue();
    assertThat(known.take(view(9))).isTrue();
    assertThat(known.take(view(8))).isFalse();
  }

  @Test
  void aNewCoordinatorCountsItsOwnEpochs() throws Exception {
    known.take(view(7));
    known.acceptNewCoordinator();
    assertThat(known.take(view(2))).isTrue();
    assertThat(known.take(view(1))).as("it is new once").isFalse();
  }

  @Test
  void anotherDeploymentIsRefusedAndChangesNothing() throws Exception {
    known.take(view(7));
    known.acceptNewCoordinator();
    var smaller = new BlockGeometry(1 << 20, 1 << 20);
    for (View other : List.of(view(8, BlockGeometry.DEFAULT, "/b"), view(8, smaller, "/origin"))) {
      assertThatThrownBy(() -> known.take(other))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE));
    }
    assertThat(known.take(view(2))).as("the coordinator is new still").isTrue();
  }
}
