package io.eley.bb.api.config;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where values of {@link ConfigKey}s come from: a map, Hadoop's configuration, Spark's. This class
 * changes nothing in them, so it is safe for several threads when the source is.
 *
 * <p>A key is looked up by its name, then by the names that it had before. Whoever still uses an
 * old name is warned, once for each key and process: a Spark executor makes settings for each file
 * system it opens.
 */
public final class Settings {
  /** Nothing is set: every key has its default. */
  public static final Settings NONE = new Settings(name -> null, Settings::log);

  /** Old names that this process was warned of. */
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private final Function<String, @Nullable String> source;
  private final Consumer<String> warnings;

  private Settings(Function<String, @Nullable String> source, Consumer<String> warnings) {
    this.source = source;
    this.warnings = warnings;
  }

  /** Values from a map; warnings go to the JDK's logger. */
  public static Settings of(Map<String, String> values) {
    return of(values, Settings::log);
  }

  /**
   * Values from a map.
   *
   * @param warnings gets one line for each old name that is used
   */
  public static Settings of(Map<String, String> values, Consumer<String> warnings) {
    return from(Map.copyOf(values)::get, warnings);
  }

  /**
   * Values from any function that gives null for "not set", for example {@code hadoopConf::get}.
   *
   * @param warnings gets one line for each old name that is used; for example {@code LOG::warn}
   */
  public static Settings from(
      Function<String, @Nullable String> source, Consumer<String> warnings) {
    return new Settings(source, warnings);
  }

  /**
   * The value of a key, or its default.
   *
   * @throws IllegalArgumentException naming key, value and form
   */
  public <T> T get(ConfigKey<T> key) {
    String text = text(key);
    return key.parse(text == null ? key.defaultText() : text);
  }

  /** Whether the key is set, by its name or by one that it had before. */
  public boolean has(ConfigKey<?> key) {
    return text(key) != null;
  }

  private @Nullable String text(ConfigKey<?> key) {
    String text = source.apply(key.name());
    for (String old : key.aliases()) {
      if (text == null) {
        text = source.apply(old);
        warnIf(text != null, old, key);
      }
    }
    return text;
  }

  private void warnIf(boolean used, String old, ConfigKey<?> key) {
    if (used && WARNED.add(old)) {
      warnings.accept(
          old + " is now called " + key.name() + "; the old name goes in a later version");
    }
  }

  private static void log(String warning) {
    System.getLogger(Settings.class.getName()).log(System.Logger.Level.WARNING, warning);
  }
}
