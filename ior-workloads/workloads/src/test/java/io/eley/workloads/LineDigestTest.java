package io.eley.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineDigestTest {
  private static LineDigest of(List<String> lines) {
    var digest = LineDigest.EMPTY;
    for (String line : lines) {
      digest = digest.add(line);
    }
    return digest;
  }

  @Test
  void partsCombineToTheWholeWhereverItIsCut() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed " + seed);
    var random = new Random(seed);
    var lines = new ArrayList<String>();
    for (int i = 0; i < 200; i++) {
      lines.add(Long.toString(random.nextLong(), 36));
    }
    var whole = of(lines);
    for (int cut = 0; cut <= lines.size(); cut++) {
      var first = of(lines.subList(0, cut));
      assertThat(first.then(of(lines.subList(cut, lines.size())))).isEqualTo(whole);
    }
  }

  @Test
  void orderMattersInASequence() {
    var lines = new ArrayList<>(List.of("a", "b", "c", ""));
    var digest = of(lines);
    Collections.swap(lines, 1, 3);
    assertThat(of(lines)).isNotEqualTo(digest);
    assertThat(of(List.of("a", "b", "c"))).isNotEqualTo(digest);
  }

  @Test
  void countsBelongToTheirWords() {
    assertThat(LineDigest.ofCount("a", 1) + LineDigest.ofCount("b", 2))
        .isNotEqualTo(LineDigest.ofCount("a", 2) + LineDigest.ofCount("b", 1));
  }
}
