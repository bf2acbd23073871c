package io.eley.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class WorkloadArgumentsTest {
  @Test
  void takesInputOutputPartitionsAndTheSizeOfASplit() {
    assertThat(WorkloadArguments.parse("bb:///in", "file:///out", "8", "--partition-bytes=4096"))
        .isEqualTo(new WorkloadArguments("bb:///in", "file:///out", 8, 4096, null, 0));
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

  @Test
  void computingBeyondItsOwnIsWaitedForWhenAsked() throws InterruptedException {
    int millis = WorkloadArguments.parse("i", "o", "1", "--compute=160").computeMillis();
    var computing = new Computing(millis);
    String line = "x".repeat((64 << 10) - 1);

    long before = System.nanoTime();
    assertThat(computing.call(line)).isSameAs(line);

    // A sixteenth of a MiB.
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(10_000_000);
  }
}
