package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** That they are scarce is shown where a process can be starved of them. */
class DescriptorsTest {
  @Test
  void aProcessThatHasThemIsNotCalledShortOfThem() {
    assertThat(Descriptors.scarce()).isFalse();
  }

  @Test
  void aProcessMayHaveAsManyAsItsLimitSays() {
    assertThat(Descriptors.most()).isGreaterThan(16);
  }
}
