package io.eley.bb.api.config;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where values of {@link ConfigKey}s come from: a map, Hadoop's configuration, Spark's. This class
 * changes nothing in them, so it is safe for several threads when the source is.
 */
public final class Settings {
  /** Nothing is set: every key has its default. */
  public static final Settings NONE = new Settings(name -> null);

  private final Function<String, @Nullable String> source;

  private Settings(Function<String, @Nullable String> source) {
    this.source = source;
  }

  public static Settings of(Map<String, String> values) {
    var copy = Map.copyOf(values);
    return new Settings(copy::get);
  }

  /**
   * Values from any function that gives null for "not set", for example {@code hadoopConf::get}.
   */
  public static Settings from(Function<String, @Nullable String> source) {
    return new Settings(source);
  }

  /**
   * The value of a key, or its default.
   *
   * @throws IllegalArgumentException naming key, value and form
   */
  public <T> T get(ConfigKey<T> key) {
    String text = source.apply(key.name());
    return key.parse(text == null ? key.defaultText() : text);
  }

  /** Whether the key is set. */
  public boolean has(ConfigKey<?> key) {
    return source.apply(key.name()) != null;
  }
}
