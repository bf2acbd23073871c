package io.eley.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AlphabetPartitionerTest {
  @Test
  void aSmallerLineIsNeverInALaterPartition() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed " + seed);
    var random = new Random(seed);
    var lines = new ArrayList<String>();
    String letters = "\0 AZ_abmyz{\u00e9\uffff";
    for (int i = 0; i < 5000; i++) {
      var line = new StringBuilder();
      for (int length = random.nextInt(6); length > 0; length--) {
        line.append(letters.charAt(random.nextInt(letters.length())));
      }
      lines.add(line.toString());
    }
    lines.sort(null);
    for (int partitions : new int[] {1, 2, 7, 26, 1000, 100_000}) {
      var partitioner = new AlphabetPartitioner(partitions);
      int last = 0;
      for (String line : lines) {
        int partition = partitioner.getPartition(line);
        assertThat(partition).isBetween(last, partitions - 1);
        last = partition;
      }
    }
  }

  @Test
  void randomTextSpreadsEvenly() {
    int partitions = 8;
    var partitioner = new AlphabetPartitioner(partitions);
    int[] counts = new int[partitions];
    var words = RandomText.vocabulary();
    words.forEach(word -> counts[partitioner.getPartition(word)]++);
    for (int count : counts) {
      assertThat((double) count / words.size()).isCloseTo(1.0 / partitions, within(0.03));
    }
  }

  @Test
  void equalPartitionersAreEqualToSpark() {
    assertThat(new AlphabetPartitioner(3)).isEqualTo(new AlphabetPartitioner(3));
    assertThat(new AlphabetPartitioner(3)).isNotEqualTo(new AlphabetPartitioner(4));
    assertThatIllegalArgumentException().isThrownBy(() -> new AlphabetPartitioner(0));
  }
}
