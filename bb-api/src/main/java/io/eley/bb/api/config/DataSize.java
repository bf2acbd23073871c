package io.eley.bb.api.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes. Written as a number with an optional unit {@code k m g t} of 1024 (also {@code
 * kb}, {@code kib}), as IOR and the JVM write sizes.
 *
 * @param bytes zero or more
 */
public record DataSize(long bytes) implements Comparable<DataSize> {
  private static final Pattern FORM =
      Pattern.compile("(\\d+)\\s*([kmgt]?)(?:i?b)?", Pattern.CASE_INSENSITIVE);
  private static final String UNITS = "kmgt";

  public DataSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("negative size");
    }
  }

  /**
   * Parses for example {@code 64m}, {@code 1 GiB} or {@code 4096}.
   *
   * @throws IllegalArgumentException saying what forms there are
   */
  public static DataSize parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "not a size: '" + text + "' (write for example 4096, 64k, 16m or 2g)");
    }
    int power =
        form.group(2).isEmpty() ? 0 : UNITS.indexOf(form.group(2).toLowerCase(Locale.ROOT)) + 1;
    try {
      return new DataSize(Math.multiplyExact(Long.parseLong(form.group(1)), 1L << (10 * power)));
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("size too large: '" + text + "'", e);
    }
  }

  public static DataSize ofMebibytes(long mebibytes) {
    return new DataSize(Math.multiplyExact(mebibytes, 1L << 20));
  }

  /** The size as an {@code int}. */
  public int intBytes() {
    return Math.toIntExact(bytes);
  }

  @Override
  public int compareTo(DataSize other) {
    return Long.compare(bytes, other.bytes);
  }

  /** The shortest exact form, which {@link #parse} reads back. */
  @Override
  public String toString() {
    for (int power = UNITS.length(); power > 0; power--) {
      long unit = 1L << (10 * power);
      if (bytes > 0 && bytes % unit == 0) {
        return bytes / unit + UNITS.substring(power - 1, power);
      }
    }
    return Long.toString(bytes);
  }
}
