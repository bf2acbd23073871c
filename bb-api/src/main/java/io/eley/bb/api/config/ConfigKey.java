package io.eley.bb.api.config;

import io.eley.bb.api.BufferMode;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One configuration key: its name, default, meaning and bounds, in one place. The table in {@code
 * docs/configuration.md} is generated from these.
 *
 * <p>Names have one grammar, {@link #GRAMMAR}, which a test holds them to:
 *
 * <ul>
 *   <li>A dot opens a level, a hyphen joins the words of one name: {@code
 *       eley.signal.slurm.queue-interval}.
 *   <li>A level has several keys. It is a key itself only where its value switches something on,
 *       chooses it or says where it is; the keys below then configure that: {@code
 *       eley.signal.slurm} and {@code eley.signal.slurm.interval}.
 *   <li>{@code client}, {@code fs}, {@code coordinator} and {@code node} are the levels of what
 *       only that part of Eley reads.
 * </ul>
 *
 * @param name for example {@code eley.fetch.concurrency}
 * @param defaultText the default as a user would write it; empty means "none, see the meaning"
 * @param form what values look like, for the table and for error messages, for example "size" or "1
 *     to 64"
 * @param meaning one sentence
 * @param parser text to value; throws IllegalArgumentException
 * @param bounds holds for every legal value
 * @param aliases names that the key had before; {@link Settings} still takes them, with a warning
 */
public record ConfigKey<T>(
    String name,
    String defaultText,
    String form,
    String meaning,
    Function<String, T> parser,
    Predicate<T> bounds,
    List<String> aliases) {
  /** What every key's name looks like. */
  public static final String GRAMMAR = "eley(\\.[a-z]+(-[a-z]+)*)+";

  public ConfigKey {
    aliases = List.copyOf(aliases);
  }

  /** A key that never had another name. */
  public ConfigKey(
      String name,
      String defaultText,
      String form,
      String meaning,
      Function<String, T> parser,
      Predicate<T> bounds) {
    this(name, defaultText, form, meaning, parser, bounds, List.of());
  }

  /** The same key, which also has the names that it had before. */
  public ConfigKey<T> formerly(String... oldNames) {
    return new ConfigKey<>(name, defaultText, form, meaning, parser, bounds, List.of(oldNames));
  }

  /** The default, as a value. */
  public T defaultValue() {
    return parse(defaultText);
  }

  /** Parses and checks a value; the error names the key, the value and the form. */
  public T parse(String text) {
    T value;
    try {
      value = parser.apply(text.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name + "=" + text + ": not a value of the form: " + form, e);
    }
    if (!bounds.test(value)) {
      throw new IllegalArgumentException(name + "=" + text + ": out of bounds, must be " + form);
    }
    return value;
  }

  public static ConfigKey<String> text(String name, String defaultText, String meaning) {
    return new ConfigKey<>(name, defaultText, "text", meaning, Function.identity(), v -> true);
  }

  public static ConfigKey<Integer> integer(
      String name, int defaultValue, int min, int max, String meaning) {
    return new ConfigKey<>(
        name,
        Integer.toString(defaultValue),
        min + " to " + max,
        meaning,
        Integer::valueOf,
        v -> v >= min && v <= max);
  }

  /** A fraction or another number with a decimal point. */
  public static ConfigKey<Double> decimal(
      String name, String defaultText, double min, double max, String meaning) {
    return new ConfigKey<>(
        name, defaultText, min + " to " + max, meaning, Double::valueOf, v -> v >= min && v <= max);
  }

  public static ConfigKey<DataSize> size(
      String name, String defaultText, String min, String max, String meaning) {
    DataSize low = DataSize.parse(min);
    DataSize high = DataSize.parse(max);
    return new ConfigKey<>(
        name,
        defaultText,
        "size, " + min + " to " + max,
        meaning,
        DataSize::parse,
        v -> v.compareTo(low) >= 0 && v.compareTo(high) <= 0);
  }

  public static ConfigKey<Duration> duration(
      String name, String defaultText, String min, String max, String meaning) {
    Duration low = Durations.parse(min);
    Duration high = Durations.parse(max);
    return new ConfigKey<>(
        name,
        defaultText,
        "duration, " + min + " to " + max,
        meaning,
        Durations::parse,
        v -> v.compareTo(low) >= 0 && v.compareTo(high) <= 0);
  }

  public static ConfigKey<Boolean> flag(String name, boolean defaultValue, String meaning) {
    return new ConfigKey<>(
        name,
        Boolean.toString(defaultValue),
        "true or false",
        meaning,
        ConfigKey::strictBoolean,
        v -> true);
  }

  public static ConfigKey<BufferMode> mode(String name, BufferMode defaultValue, String meaning) {
    return new ConfigKey<>(
        name,
        defaultValue.label(),
        "NaiveBB, NoAction, FullDelay or Adaptive",
        meaning,
        BufferMode::of,
        v -> true);
  }

  /**
   * A key whose value is one of a few words.
   *
   * @param form the words, for people
   * @param parser throws IllegalArgumentException for any other
   */
  public static <E extends Enum<E>> ConfigKey<E> choice(
      String name, String defaultText, String form, String meaning, Function<String, E> parser) {
    return new ConfigKey<>(name, defaultText, form, meaning, parser, v -> true);
  }

  private static Boolean strictBoolean(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("not a boolean: " + text);
    };
  }
}
