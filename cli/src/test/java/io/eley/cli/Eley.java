package io.eley.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * One run of the command line in this JVM.
 *
 * @param code exit code
 * @param out what it printed to standard output
 * @param err what it complained of
 */
record Eley(int code, String out, String err) {
  static Eley run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Eley(code, out.toString(), err.toString());
  }

  List<String> lines() {
    return out.lines().toList();
  }
}
