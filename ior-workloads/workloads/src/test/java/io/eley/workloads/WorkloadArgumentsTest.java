package io.eley.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class WorkloadArgumentsTest {
  @Test
  void takesInputOutputPartitionsAndTheSizeOfASplit() {
    assertThat(WorkloadArguments.parse("bb:///in", "file:///out", "8", "--partition-bytes=4096"))
        .isEqualTo(new WorkloadArguments("bb:///in", "file:///out", 8, 4096, null));
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WorkloadArguments.parse("a", "b"))
        .withMessageContaining("usage");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WorkloadArguments.parse("a", "b", "1", "--fast"))
        .withMessageContaining("--fast");
    assertThatIllegalArgumentException().isThrownBy(() -> WorkloadArguments.parse("a", "b", "0"));
  }

  @Test
  void warmingUpMayReadAnInputOfItsOwn() {
    assertThat(WorkloadArguments.parse("i", "o", "1", "--warm-up-input=bb:///w").warmUpInput())
        .isEqualTo("bb:///w");
    assertThat(WorkloadArguments.parse("i", "o", "1").warmUpInput()).isNull();
  }
}
