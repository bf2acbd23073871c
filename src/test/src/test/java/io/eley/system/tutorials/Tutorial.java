package io.eley.system.tutorials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a page of docs/tutorials has its reader type, and what it says that the reader will see: the
 * blocks marked {@code console}, whose commands stand behind a prompt that names the user.
 *
 * <p>What is printed must have the page's lines in their order; others may stand between them. In
 * these, numbers stand for any number but a whole one for zero, blanks for any blanks, and {@code
 * …} for anything. Numbers from 4711 to 4719 are jobs: the first time one is printed it gets its
 * meaning, for the rest of the page.
 */
public final class Tutorial {
  private static final Pattern PROMPT = Pattern.compile("(\\w+)([$#]) (.*)");
  private static final Pattern TOKEN =
      Pattern.compile("(?<job>\\b471[1-9]\\b)|(?<number>\\d+(\\.\\d+)?)|(?<any>…)|(?<blanks> +)");
  private static final Pattern JOB = Pattern.compile("\\b471[1-9]\\b");

  /**
   * One command and its answer.
   *
   * @param user by the name on the page
   * @param command one line or several
   * @param answer lines that it must print
   */
  public record Step(String user, String command, List<String> answer) {}

  private final List<Step> steps;
  private final Map<String, String> jobs = new TreeMap<>();

  public Tutorial(Path page) throws IOException {
    steps = stepsOf(Files.readAllLines(page));
  }

  public List<Step> steps() {
    return steps;
  }

  private static List<Step> stepsOf(List<String> lines) {
    var steps = new ArrayList<Step>();
    boolean console = false;
    for (String line : lines) {
      if (line.startsWith("```")) {
        console = line.equals("```console");
      } else if (console) {
        add(steps, line);
      }
    }
    return List.copyOf(steps);
  }

  private static void add(List<Step> steps, String line) {
    Matcher prompt = PROMPT.matcher(line);
    if (prompt.matches()) {
      steps.add(new Step(prompt.group(1), prompt.group(3), new ArrayList<>()));
      return;
    }
    Step last = steps.get(steps.size() - 1);
    if (line.startsWith("> ")) {
      String longer = last.command + "\n" + line.substring(2);
      steps.set(steps.size() - 1, new Step(last.user, longer, last.answer));
    } else {
      last.answer.add(line);
    }
  }

  /** The command with the numbers of the jobs that were really submitted. */
  public String command(Step step) {
    return JOB.matcher(step.command)
        .replaceAll(found -> jobs.getOrDefault(found.group(), found.group()));
  }

  /** Whether all lines of the answer were printed, in order. */
  public boolean matches(Step step, List<String> printed) {
    int next = 0;
    for (String line : printed) {
      if (next < step.answer.size() && matches(step.answer.get(next), line.stripTrailing())) {
        next++;
      }
    }
    return next == step.answer.size();
  }

  private boolean matches(String expected, String line) {
    var names = new ArrayList<String>();
    Matcher found = Pattern.compile(regex(expected, names)).matcher(line);
    if (!found.matches()) {
      return false;
    }
    for (int i = 0; i < names.size(); i++) {
      jobs.put(names.get(i), found.group(i + 1));
    }
    return true;
  }

  /**
   * @param names gets the jobs that have no number yet, one for each group of the expression
   */
  private String regex(String expected, List<String> names) {
    var regex = new StringBuilder();
    Matcher token = TOKEN.matcher(expected);
    int end = 0;
    while (token.find()) {
      regex.append(Pattern.quote(expected.substring(end, token.start())));
      end = token.end();
      if (token.group("job") != null) {
        regex.append(job(token.group(), names));
      } else if (token.group("number") != null) {
        regex.append(number(token.group()));
      } else {
        regex.append(token.group("any") != null ? ".*" : " +");
      }
    }
    return regex.append(Pattern.quote(expected.substring(end))).toString();
  }

  /** A count of something is not matched by none. */
  private static String number(String shown) {
    return shown.matches("[1-9]\\d*") ? "[1-9]\\d*(?:\\.\\d+)?" : "\\d+(?:\\.\\d+)?";
  }

  private String job(String name, List<String> names) {
    String known = jobs.get(name);
    if (known != null) {
      return known;
    }
    if (names.contains(name)) {
      return "\\" + (names.indexOf(name) + 1);
    }
    names.add(name);
    return "(\\d+)";
  }
}
