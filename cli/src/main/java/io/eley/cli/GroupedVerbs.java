package io.eley.cli;

import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/** The list of verbs in the help, under what they are for. */
final class GroupedVerbs implements IHelpSectionRenderer {
  private static final int INDENT = 2;

  @Override
  public String render(Help help) {
    int longest = help.subcommands().keySet().stream().mapToInt(String::length).max().orElse(0);
    int width = help.commandSpec().usageMessage().width();
    int first = INDENT + longest + INDENT;
    var text = new StringBuilder();
    for (Verb.Group group : Verb.Group.values()) {
      text.append(System.lineSeparator()).append(group.title()).append(System.lineSeparator());
      var table =
          Help.TextTable.forColumns(
              help.colorScheme(),
              new Help.Column(first, INDENT, Help.Column.Overflow.SPAN),
              new Help.Column(width - first, INDENT, Help.Column.Overflow.WRAP));
      for (Verb verb : Verb.of(group)) {
        CommandLine command =
            Objects.requireNonNull(
                help.commandSpec().subcommands().get(verb.label()), verb.label());
        table.addRowValues(verb.label(), command.getCommandSpec().usageMessage().description()[0]);
      }
      text.append(table);
    }
    return text.toString();
  }
}
