package io.eley.workloads;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An endless text of random words. Not safe for several threads.
 *
 * <p>The vocabulary is made by rule: {@value #INITIALS} first letters times {@value #STEMS} stems
 * of a vowel and a consonant, which tells all words apart, followed by none to three more syllables
 * to vary the length (3 to 9 letters, about 6 on average). So first letters are evenly spread over
 * the alphabet, which is what the {@link Sort} workload's partitions rely on.
 */
final class RandomText {
  static final int MIN_WORDS = 10;
  static final int MAX_WORDS = 100;
  static final int INITIALS = 26;
  static final int STEMS = 39;

  private static final String VOWELS = "aeiou";
  private static final String CONSONANTS = "lmnrstdk";
  private static final byte[][] WORDS =
      vocabulary().stream()
          .map(word -> (word + " ").getBytes(StandardCharsets.US_ASCII))
          .toArray(byte[][]::new);

  private long state;

  RandomText(long seed) {
    state = seed;
  }

  /** The words, all different. */
  static List<String> vocabulary() {
    var words = new ArrayList<String>();
    for (int initial = 0; initial < INITIALS; initial++) {
      for (int stem = 0; stem < STEMS; stem++) {
        var word = new StringBuilder();
        word.append((char) ('a' + initial));
        appendSyllable(word, stem);
        for (int more = 0; more < (initial + stem) % 4; more++) {
          appendSyllable(word, initial * 7 + stem * 3 + more * 11);
        }
        words.add(word.toString());
      }
    }
    return words;
  }

  /** Fills an array with lines; its last byte is the end of a line. */
  void fill(byte[] text) {
    int at = 0;
    while (at < text.length) {
      int words = MIN_WORDS + next(MAX_WORDS - MIN_WORDS + 1);
      for (int i = 0; i < words && at < text.length; i++) {
        byte[] word = WORDS[next(WORDS.length)];
        int length = Math.min(word.length, text.length - at);
        System.arraycopy(word, 0, text, at, length);
        at += length;
      }
      // In place of the last word's space, or of whatever the end has cut.
      text[at - 1] = '\n';
    }
  }

  private static void appendSyllable(StringBuilder word, int number) {
    word.append(VOWELS.charAt(number % VOWELS.length()));
    word.append(CONSONANTS.charAt(number / VOWELS.length() % CONSONANTS.length()));
  }

  /** Evenly below a small bound: the high bits of a Weyl sequence, mixed (SplitMix64). */
  private int next(int bound) {
    state += 0x9E3779B97F4A7C15L;
    return (int) (((LineDigest.mix(state) >>> 32) * bound) >>> 32);
  }
}
