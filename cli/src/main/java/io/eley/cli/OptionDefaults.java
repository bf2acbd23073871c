package io.eley.cli;

import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.coordinator.board.BoardOptions;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Defaults of options from {@code eley.conf}, the site's and then the user's, which wins. A line is
 * {@code OPTION=VALUE} for each verb that has the option, {@code VERB.OPTION=VALUE} for one of
 * them, or a configuration key for each verb that takes {@code -D}. What is typed wins; options
 * that may be given several times have the words of the value before what is typed.
 */
final class OptionDefaults implements IDefaultValueProvider {
  private static final String KEYS = "eley.";
  private static final String SETTINGS = "--set";
  private static final int MOST_CHARACTERS = 1 << 16;

  private final Map<String, String> values;

  OptionDefaults(Map<String, String> values) {
    this.values = new TreeMap<>(values);
  }

  /**
   * Those of two files; one that is not there says nothing. Blocks.
   *
   * @param site trusted as the code of the installation that it is in
   * @param code the directory of that code
   * @param user nobody else may be able to write it
   * @throws EleyException {@code MALFORMED} or {@code ACCESS_DENIED}, in one line
   */
  static OptionDefaults read(Path site, Path code, Path user) throws EleyException {
    var values = new TreeMap<String, String>();
    try {
      if (Files.exists(site)) {
        values.putAll(parse(OwnPaths.readOfInstallation(site, code, MOST_CHARACTERS)));
      }
      if (Files.exists(user)) {
        values.putAll(parse(OwnPaths.read(user)));
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new EleyException(
          ErrorCode.MALFORMED, "cannot read " + site + " or " + user + ": " + e.getMessage(), e);
    }
    return new OptionDefaults(values);
  }

  private static Map<String, String> parse(String text) throws IOException {
    var properties = new Properties();
    properties.load(new StringReader(text));
    var values = new TreeMap<String, String>();
    properties.stringPropertyNames().forEach(n -> values.put(n, properties.getProperty(n).strip()));
    return values;
  }

  /** Whether nobody has said anything. */
  boolean isEmpty() {
    return values.isEmpty();
  }

  /** The default of an option that is given once; null when nothing is said of it. */
  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option && !option.isMultiValue() ? value(option) : null;
  }

  /** Whether this is what is said of an option, or a word of it. */
  boolean says(OptionSpec option, String text) {
    String said = value(option);
    return option.isMultiValue() ? words(said).anyMatch(text::equals) : text.equals(said);
  }

  /** Whether this is what is said of a configuration key. */
  boolean saysOfKey(String name, String value) {
    return name.startsWith(KEYS) && value.equals(values.get(name));
  }

  /** What is said of an option; null for nothing, and for an empty value, which takes it back. */
  private @Nullable String value(OptionSpec option) {
    String name = name(option);
    String own = values.get(option.command().name() + "." + name);
    String said = own == null ? values.get(name) : own;
    boolean forThis = said != null && !said.isEmpty() && (own != null || !isOfOthers(option, said));
    return forThis ? said : null;
  }

  /**
   * Whether words are for other verbs: {@code slurm = --account=a1} is for jobs, and must not stop
   * those whose {@code --slurm} is a switch; {@code slurm = true} is for those, and no word for
   * jobs. What no verb takes is refused by the one that has it.
   */
  private static boolean isOfOthers(OptionSpec option, String words) {
    boolean ofSwitches = words.matches("true|false");
    return isSwitch(option) != ofSwitches
        && verbs(option.command().root().commandLine())
            .flatMap(verb -> verb.getCommandSpec().options().stream())
            .anyMatch(other -> name(other).equals(name(option)) && isSwitch(other) == ofSwitches);
  }

  private static boolean isSwitch(OptionSpec option) {
    return option.typeInfo().isBoolean();
  }

  private static String name(OptionSpec option) {
    return option.longestName().replaceFirst("^-+", "");
  }

  /**
   * What is typed, behind each verb, also a verb's own, preceded by what is said of its options
   * that may be repeated.
   */
  String[] arguments(CommandLine root, String... typed) {
    var all = new ArrayList<String>();
    CommandLine verb = root;
    for (String word : typed) {
      verb = verb == null ? null : verb.getSubcommands().get(word);
      all.add(word);
      if (verb != null) {
        addRepeatable(verb, all);
      }
    }
    return all.toArray(String[]::new);
  }

  private void addRepeatable(CommandLine verb, List<String> to) {
    for (OptionSpec option : verb.getCommandSpec().options()) {
      if (option.isMultiValue()) {
        Stream<String> words =
            option.longestName().equals(SETTINGS)
                ? settings(verb.getCommandName())
                : words(value(option));
        words.forEach(word -> to.addAll(List.of(option.longestName(), word)));
      }
    }
  }

  /**
   * A site names its board for all deployments; the board itself must not refuse to start by it.
   */
  private Stream<String> settings(String verb) {
    return values.entrySet().stream()
        .filter(e -> e.getKey().startsWith(KEYS))
        .filter(
            e ->
                !verb.equals(BoardCommand.NAME)
                    || BoardOptions.OF_DEPLOYMENTS.stream()
                        .noneMatch(key -> key.name().equals(e.getKey())))
        .map(e -> e.getKey() + "=" + e.getValue());
  }

  private static Stream<String> words(@Nullable String value) {
    return value == null ? Stream.empty() : Stream.of(value.split("\\s+", -1));
  }

  /** What a verb does not understand with these defaults; empty when it understands all. */
  Optional<String> refusal(CommandLine root, String... typed) {
    try {
      root.setDefaultValueProvider(this).parseArgs(arguments(root, typed));
      return Optional.empty();
    } catch (ParameterException e) {
      return Optional.of(BadUsage.sentence(e));
    }
  }

  /** All verbs, also those of verbs. */
  private static Stream<CommandLine> verbs(CommandLine of) {
    return of.getSubcommands().values().stream()
        .flatMap(verb -> Stream.concat(Stream.of(verb), verbs(verb)));
  }

  /** Names that no verb has; a typo would otherwise be a default that is ignored. */
  List<String> unknown(CommandLine root) {
    return values.keySet().stream()
        .filter(name -> !name.startsWith(KEYS)) // the verb itself refuses those
        .filter(
            name ->
                verbs(root)
                    .flatMap(verb -> verb.getCommandSpec().options().stream())
                    .noneMatch(
                        o ->
                            name.equals(name(o))
                                || name.equals(o.command().name() + "." + name(o))))
        .toList();
  }
}
