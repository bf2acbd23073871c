package io.eley.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class RandomTextWriterTest {
  private static final int SEGMENT = RandomTextWriter.SEGMENT_BYTES;

  @TempDir private Path temp;

  @Test
  void theVocabularyHasAboutAThousandDifferentWords() {
    var words = RandomText.vocabulary();
    assertThat(words).hasSize(RandomText.INITIALS * RandomText.STEMS).doesNotHaveDuplicates();
    assertThat(words).allSatisfy(word -> assertThat(word).matches("[a-z]{3,9}"));
  }

  @Test
  void theSameSeedGivesTheSameBytesWithAnyNumberOfThreads() throws Exception {
    var one = new RandomTextWriter.Plan(temp.resolve("one"), 3, SEGMENT + 1000, 42);
    var four = new RandomTextWriter.Plan(temp.resolve("four"), 3, SEGMENT + 1000, 42);
    var other = new RandomTextWriter.Plan(temp.resolve("other"), 3, SEGMENT + 1000, 43);
    RandomTextWriter.write(one, 1, bytes -> {});
    RandomTextWriter.write(four, 4, bytes -> {});
    RandomTextWriter.write(other, 2, bytes -> {});
    for (int file = 0; file < 3; file++) {
      assertThat(one.file(file)).hasSameBinaryContentAs(four.file(file));
      assertThat(Files.mismatch(one.file(file), other.file(file))).isLessThan(200);
    }
    assertThat(Files.mismatch(one.file(0), one.file(1))).isBetween(0L, 200L);
  }

  @Test
  void filesHaveExactlyTheirSizeAndEndALine() throws Exception {
    for (long size : new long[] {1, 7, 1000, SEGMENT, SEGMENT + 1}) {
      var plan = new RandomTextWriter.Plan(temp.resolve("s" + size), 1, size, 1);
      var told = new AtomicLong();
      RandomTextWriter.write(plan, 2, told::addAndGet);
      byte[] text = Files.readAllBytes(plan.file(0));
      assertThat(text).hasSize((int) size);
      assertThat(text[text.length - 1]).isEqualTo((byte) '\n');
      assertThat(told).hasValue(size);
    }
  }

  @Test
  void linesAreWordsOfTheVocabularyEvenlySpread() throws Exception {
    var plan = new RandomTextWriter.Plan(temp, 1, SEGMENT, 5);
    RandomTextWriter.write(plan, 1, bytes -> {});
    var lines = Files.readAllLines(plan.file(0));
    Set<String> vocabulary = new HashSet<>(RandomText.vocabulary());
    int[] initials = new int[26];
    // Without the last line, which may be cut.
    for (String line : lines.subList(0, lines.size() - 1)) {
      String[] words = line.split(" ", -1);
      assertThat(words.length).isBetween(RandomText.MIN_WORDS, RandomText.MAX_WORDS);
      assertThat(vocabulary).containsAll(Arrays.asList(words));
      for (String word : words) {
        initials[word.charAt(0) - 'a']++;
      }
    }
    double mean = Arrays.stream(initials).average().orElseThrow();
    assertThat(initials)
        .satisfies(
            counts -> {
              for (int count : counts) {
                assertThat((double) count).isCloseTo(mean, within(0.05 * mean));
              }
            });
  }

  @Test
  void aDirectoryThatCannotBeMadeIsAnError() throws Exception {
    Path file = Files.createFile(temp.resolve("file"));
    var plan = new RandomTextWriter.Plan(file, 1, 10, 1);
    assertThatThrownBy(() -> RandomTextWriter.write(plan, 1, bytes -> {}))
        .isInstanceOf(IOException.class);
  }
}
