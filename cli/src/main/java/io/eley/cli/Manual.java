package io.eley.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes what an installation has in {@code share}: the completion for bash and zsh, by picocli's
 * generator, and a manual page for each verb, from the same descriptions as its help. The build
 * runs it; the same tree gives the same bytes.
 */
public final class Manual {
  private static final Path COMPLETION = Path.of("bash-completion", "completions", "eley");
  private static final Path PAGES = Path.of("man", "man1");

  private Manual() {}

  /** Writes into the directory that the one argument names. */
  public static void main(String[] arguments) throws IOException {
    write(Path.of(arguments[0]));
  }

  static void write(Path share) throws IOException {
    CommandLine root = Main.commandLine();
    Path completion = share.resolve(COMPLETION);
    Files.createDirectories(share.resolve("bash-completion/completions"));
    Files.writeString(completion, completion(root));
    Path pages = Files.createDirectories(share.resolve(PAGES));
    for (CommandLine command : all(root)) {
      String name = command.getCommandSpec().qualifiedName("-");
      Files.writeString(pages.resolve(name + ".1"), page(command));
    }
  }

  /** Without the day on which it was made. */
  static String completion(CommandLine root) {
    return AutoComplete.bash("eley", root)
        .lines()
        .filter(line -> !line.startsWith("# Date:") && !line.startsWith("# Generated"))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static List<CommandLine> all(CommandLine command) {
    var found = new ArrayList<>(List.of(command));
    command.getSubcommands().values().forEach(sub -> found.addAll(all(sub)));
    return found;
  }

  /** A page in man(7)'s macros. */
  static String page(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    String name = spec.qualifiedName("-");
    String[] description = spec.usageMessage().description();
    var text = new StringBuilder();
    text.append(".TH ").append(name.toUpperCase(Locale.ROOT)).append(" 1\n");
    text.append(".SH NAME\n").append(name).append(" \\- ").append(plain(description[0]));
    text.append("\n.SH SYNOPSIS\n").append(plain(synopsis(command)));
    text.append("\n.SH DESCRIPTION\n");
    for (String line : description) {
      text.append(plain(line)).append("\n.br\n");
    }
    options(command, text);
    verbs(command, text);
    String[] footer = spec.usageMessage().footer();
    if (footer.length > 0) {
      text.append(".SH EXAMPLES\n.nf\n").append(plain(String.join("\n", footer))).append("\n.fi\n");
    }
    return text.append(".SH EXIT STATUS\n0 done; 1 it could not be done; 2 what was typed makes no")
        .append(" sense. A command that is run for you has its own.\n")
        .toString();
  }

  private static String synopsis(CommandLine command) {
    List<String> lines = command.getUsageMessage().lines().toList();
    var usage = new StringBuilder(lines.get(0).replaceFirst("^Usage: ", ""));
    lines.stream()
        .skip(1)
        .takeWhile(line -> line.startsWith("  "))
        .forEach(line -> usage.append(' ').append(line.strip()));
    return usage.toString();
  }

  private static void options(CommandLine command, StringBuilder text) {
    text.append(".SH OPTIONS\n");
    for (OptionSpec option : command.getCommandSpec().options()) {
      boolean value = option.arity().max() > 0;
      String label = String.join(", ", option.names()) + (value ? " " + option.paramLabel() : "");
      item(label, List.of(described(option)), text);
    }
    for (PositionalParamSpec word : command.getCommandSpec().positionalParameters()) {
      item(word.paramLabel(), List.of(word.description()), text);
    }
  }

  /** With the default in its place. */
  private static String[] described(OptionSpec option) {
    String standard = String.valueOf(option.defaultValueString());
    return Arrays.stream(option.description())
        .map(
            line ->
                line.replace("${DEFAULT-VALUE}", standard)
                    .replace("${FALLBACK-VALUE}", option.fallbackValue() + "")
                    .replace("%%", "%"))
        .toArray(String[]::new);
  }

  private static void verbs(CommandLine command, StringBuilder text) {
    if (!command.getSubcommands().isEmpty()) {
      text.append(".SH VERBS\n");
      command
          .getSubcommands()
          .forEach(
              (name, sub) ->
                  item(name, List.of(sub.getCommandSpec().usageMessage().description()[0]), text));
    }
  }

  private static void item(String label, List<String> lines, StringBuilder text) {
    text.append(".TP\n.B ").append(plain(label)).append('\n');
    lines.forEach(line -> text.append(plain(line)).append('\n'));
  }

  /** No line begins as a macro does, and no character is one of roff's own. */
  private static String plain(String text) {
    return text.replace("\\", "\\e")
        .replace("-", "\\-")
        .lines()
        .map(line -> line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line)
        .collect(Collectors.joining("\n"));
  }
}
