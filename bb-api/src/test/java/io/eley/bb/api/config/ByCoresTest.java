package io.eley.bb.api.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByCoresTest {
  private final ByCores numbers = new ByCores(4, 16);

  @Test
  void thereIsOneForSoManyCoresWithinBounds() {
    assertThat(numbers.number(0, 1)).isEqualTo(2);
    assertThat(numbers.number(0, 11)).isEqualTo(2);
    assertThat(numbers.number(0, 48)).isEqualTo(12);
    assertThat(numbers.number(0, 256)).isEqualTo(16);
  }

  @Test
  void whatIsConfiguredIsTakenAsItIs() {
    assertThat(numbers.number(1, 48)).isEqualTo(1);
    assertThat(numbers.number(64, 1)).isEqualTo(64);
    assertThat(numbers.number(7)).isEqualTo(7);
  }

  @Test
  void withoutThisMachinesOwnNumberThereAreTwoAtLeast() {
    assertThat(numbers.number(0)).isBetween(2, 16);
  }
}
