package io.eley.coordinator.drivers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndedApplicationsTest {
  private static final long LIFE = EndedApplications.REMEMBERED.toNanos();

  private final EndedApplications ended = new EndedApplications();

  @Test
  void theyAreRememberedForAWhile() {
    ended.add("app-1", 0);
    ended.add("app-2", LIFE / 2);
    assertThat(ended.all(LIFE - 1)).containsExactly("app-1", "app-2");
    assertThat(ended.all(LIFE)).containsExactly("app-2");
    assertThat(ended.all(LIFE + LIFE / 2)).isEmpty();
  }

  @Test
  void theLatestOfMoreThanTheMostAre() {
    for (int i = 0; i <= EndedApplications.MOST; i++) {
      ended.add("app-" + i, i);
    }
    assertThat(ended.all(EndedApplications.MOST))
        .hasSize(EndedApplications.MOST)
        .startsWith("app-1")
        .endsWith("app-" + EndedApplications.MOST);
  }

  @Test
  void oneThatEndsTwiceIsOneAndOneThatBeginsAgainIsNone() {
    ended.add("app-1", 0);
    ended.add("app-2", 1);
    ended.add("app-1", 2);
    assertThat(ended.all(2)).containsExactly("app-2", "app-1");
    ended.remove("app-2");
    assertThat(ended.all(2)).containsExactly("app-1");
  }
}
