package io.eley.workloads;

import java.io.Serializable;
import java.util.Locale;

/**
 * Digests of results, to tell whether two runs computed the same. 64 bits, for telling mistakes
 * apart, not for security.
 *
 * <p>The digest of a sequence is a polynomial over the elements' hashes, so digests of consecutive
 * parts combine to the digest of the whole, wherever it was cut: {@code of(ab) =
 * of(a).then(of(b))}.
 *
 * @param hash of the sequence
 * @param count of its elements
 */
public record LineDigest(long hash, long count) implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final long BASE = 0x9E3779B97F4A7C15L;

  /** The digest of the empty sequence. */
  public static final LineDigest EMPTY = new LineDigest(0, 0);

  /** The sequence with one more line. */
  public LineDigest add(String line) {
    return new LineDigest(hash * BASE + hash(line), count + 1);
  }

  /** The sequence followed by another. */
  public LineDigest then(LineDigest next) {
    return new LineDigest(hash * power(next.count) + next.hash, count + next.count);
  }

  /** What one word and its count add to a digest in which order does not matter: a plain sum. */
  public static long ofCount(String word, long count) {
    return mix(hash(word) + count * BASE);
  }

  /** A bijection that spreads every bit over all others (SplitMix64's finaliser). */
  static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** As printed in results: sixteen hexadecimal digits, a dash, the count. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%016x-%d", hash, count);
  }

  private static long hash(String text) {
    long hash = text.length();
    for (int i = 0; i < text.length(); i++) {
      hash = hash * 31 + text.charAt(i);
    }
    return mix(hash);
  }

  private static long power(long exponent) {
    long result = 1;
    long square = BASE;
    for (long left = exponent; left > 0; left >>= 1) {
      if ((left & 1) == 1) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }
}
