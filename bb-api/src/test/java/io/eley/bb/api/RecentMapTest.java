package io.eley.bb.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RecentMapTest {
  private final Map<String, Integer> map = new RecentMap<>(3);

  @Test
  void whatWasNotUsedForLongestMakesRoom() {
    map.putAll(Map.of("a", 1, "b", 2));
    map.put("c", 3);
    map.put("b", 4);
    assertThat(map.get("a")).isEqualTo(1);
    map.put("d", 5);
    assertThat(map).isEqualTo(Map.of("a", 1, "b", 4, "d", 5));
    assertThat(map.getOrDefault("b", 0)).isEqualTo(4);
    assertThat(map.computeIfAbsent("e", name -> 6)).isEqualTo(6);
    assertThat(map).isEqualTo(Map.of("d", 5, "b", 4, "e", 6));
  }

  @Test
  void allOfManyPutTogetherAreBoundedToo() {
    map.putAll(Map.of("a", 1, "b", 2, "c", 3, "d", 4, "e", 5));
    assertThat(map).hasSize(3);
  }

  @Test
  void whatIsIteratedOverOrAskedForByContainsKeyKeepsItsPlace() {
    map.put("a", 1);
    map.put("b", 2);
    map.put("c", 3);
    assertThat(map.containsKey("a")).isTrue();
    map.forEach((name, number) -> assertThat(number).isPositive());
    map.put("d", 4);
    assertThat(map.keySet()).containsExactly("b", "c", "d");
  }
}
