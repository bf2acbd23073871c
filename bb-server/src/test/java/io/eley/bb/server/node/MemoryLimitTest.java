package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import org.junit.jupiter.api.Test;

class MemoryLimitTest {
  private static final MemoryLimit LIMIT = new MemoryLimit(4L << 30, 512L << 20);

  @Test
  void whatFitsBesideTheHeapIsAllowed() {
    assertThatCode(() -> LIMIT.require((4L << 30) - (512L << 20))).doesNotThrowAnyException();
  }

  @Test
  void aByteMoreIsRefusedInOneLineThatNamesAllSizes() {
    assertThatThrownBy(() -> LIMIT.require((4L << 30) - (512L << 20) + 1))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("eley.node.memory of 3584m does not fit")
        .hasMessageContaining("4g")
        .hasMessageContaining("512m");
  }

  @Test
  void thisProcessHasALimit() {
    assertThat(MemoryLimit.ofThisProcess().bytes()).isGreaterThan(64L << 20);
    assertThat(MemoryLimit.ofThisProcess().heapBytes()).isPositive();
  }
}
