package io.eley.cli;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.server.node.NodeKeys;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where intermediate data goes that finds no room in RAM. */
final class OverflowOption {
  @Option(
      names = "--overflow",
      paramLabel = "DIR[:SIZE]",
      converter = Converter.class,
      description = {
        "a local disk (NVMe) for intermediate data that finds no room in RAM; each node takes up to",
        "SIZE (16g) in a private directory there (default: none)"
      })
  private @Nullable Overflow overflow;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb = CommandSpec.create();

  /** What it says. */
  record Overflow(String directory, Optional<DataSize> size) {}

  /** Reads it. A directory may have colons in its name, if a size follows. */
  static final class Converter implements ITypeConverter<Overflow> {
    private static final Pattern SIZED = Pattern.compile("(.+):(\\d+[a-zA-Z]*)");

    @Override
    public Overflow convert(String text) {
      Matcher sized = SIZED.matcher(text);
      return sized.matches()
          ? new Overflow(directory(sized.group(1)), Optional.of(DataSize.parse(sized.group(2))))
          : new Overflow(directory(text), Optional.empty());
    }

    private static String directory(String typed) {
      return Home.path(typed).toString();
    }
  }

  /**
   * Puts it among the configuration keys, where a key that was typed wins; takes both keys out when
   * nodes take no intermediate data.
   */
  void putInto(Map<String, String> settings) {
    if (overflow != null) {
      settings.putIfAbsent(NodeKeys.OVERFLOW_DIRECTORY.name(), overflow.directory);
      overflow.size.ifPresent(
          size -> settings.putIfAbsent(NodeKeys.OVERFLOW_SIZE.name(), size.toString()));
    }
    if (!settings.containsKey(NodeKeys.SPARK_HOME.name())) {
      settings.remove(NodeKeys.OVERFLOW_DIRECTORY.name());
      settings.remove(NodeKeys.OVERFLOW_SIZE.name());
    }
  }

  /** Whether it was typed; one of eley.conf is there for whoever can have it. */
  boolean typed() {
    return overflow != null && Typed.was("--overflow", verb);
  }
}
