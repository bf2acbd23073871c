package io.eley.system.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The commands in the blocks of a page, fenced or indented, as the words that a shell would give to
 * a program. Pure: lines go in, commands come out.
 *
 * <p>A block also holds what a command prints, keys of a file and drawings. A command is therefore
 * what stands behind a prompt, or a line whose first word is a program that pages name. Cells of
 * Python count as one command a block.
 */
final class ShellCommands {
  private static final Set<String> PROGRAMS =
      Set.of(
          "apptainer",
          "cat",
          "eley",
          "export",
          "git",
          "java",
          "mkdir",
          "mvn",
          "pip",
          "podman",
          "python",
          "run",
          "spark-submit",
          "ssh",
          "tar",
          "testbed");

  private static final Pattern PROMPT = Pattern.compile("(?:\\w+[$#]|\\$) (?=\\S)");
  private static final Pattern ASSIGNMENT = Pattern.compile("^\\w+=(\\$\\(.*\\)|\\S*)( |$)");

  /** Words of a shell: quoted, an operator that ends the command, or plain. */
  private static final Pattern WORD =
      Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"|;&<>])+|[|;&<>]+");

  private ShellCommands() {}

  /** The commands of a page in their order; their words are without quotes and comments. */
  static List<List<String>> of(List<String> page) {
    var commands = new ArrayList<List<String>>();
    for (String line : continued(codeOf(page, commands))) {
      String prompted = PROMPT.matcher(line.strip()).replaceFirst("");
      boolean prompt = prompted.length() < line.strip().length();
      List<String> words = words(ASSIGNMENT.matcher(prompted).replaceFirst(""));
      if (!words.isEmpty() && (prompt || PROGRAMS.contains(program(words)))) {
        commands.add(words);
      }
    }
    return commands;
  }

  /** The name of a command's program, without its directory. */
  static String program(List<String> command) {
    return command.get(0).replaceFirst("^[~./]\\S*/", "");
  }

  private static List<String> words(String line) {
    var words = new ArrayList<String>();
    var found = WORD.matcher(line);
    while (found.find() && !found.group().startsWith("#") && !found.group().matches("[|;&<>]+")) {
      words.add(found.group().replaceAll("['\"]", ""));
    }
    return words;
  }

  /** Lines of blocks. Of a block of Python its first word alone, into the commands. */
  private static List<String> codeOf(List<String> page, List<List<String>> commands) {
    var code = new ArrayList<String>();
    String fence = "";
    String before = "";
    for (String line : page) {
      boolean indented = line.startsWith("    ") && (before.isBlank() || before.startsWith("    "));
      if (line.startsWith("```")) {
        fence = fence.isEmpty() ? line : "";
        if (fence.equals("```python")) {
          commands.add(List.of("python"));
        }
      } else if (fence.isEmpty() ? indented : !fence.equals("```python")) {
        code.add(line);
      }
      before = line;
    }
    return code;
  }

  private static List<String> continued(List<String> lines) {
    var joined = new ArrayList<String>();
    String open = "";
    for (String line : lines) {
      String all = open + line.strip();
      open = all.endsWith("\\") ? all.substring(0, all.length() - 1) : "";
      if (open.isEmpty()) {
        joined.add(all);
      }
    }
    return joined;
  }
}
