package io.eley.cli;

import io.eley.bb.api.BufferMode;
import io.eley.coordinator.config.CoordinatorKeys;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every buffer has, whether it is of this machine or of a job. */
final class BufferOptions {
  @Option(
      names = "--mode",
      paramLabel = "MODE",
      converter = ModeConverter.class,
      description = "NaiveBB, NoAction, FullDelay or Adaptive (default: ${DEFAULT-VALUE})")
  BufferMode mode = CoordinatorKeys.MODE.defaultValue();

  @Option(
      names = "--no-scratch",
      description = "Spark keeps its intermediate data itself (default: in the buffer)")
  boolean noScratch;

  @Mixin OverflowOption overflow = new OverflowOption();

  @Option(
      names = {"-D", "--set"},
      paramLabel = "KEY=VALUE",
      description = "any configuration key, see docs/configuration.md or `eley config`")
  private Map<String, String> settings = new LinkedHashMap<>();

  /**
   * The settings under the names that keys have today, to be added to.
   *
   * @param warnings takes a line for each old name of a key
   */
  Map<String, String> today(Consumer<String> warnings) {
    return new LinkedHashMap<>(AllKeys.today(settings, warnings));
  }
}
