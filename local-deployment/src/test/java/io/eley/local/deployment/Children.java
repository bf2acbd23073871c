package io.eley.local.deployment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Programs for a shell in the place of coordinator and node, so that each can go wrong in its own
 * way within milliseconds.
 */
final class Children implements Program {
  /** Prints where it begins, and goes on for a long time. */
  static final String RUNS = "echo begins; while :; do sleep 0.2; done";

  static final String DIES_AT_START =
      "echo 'a stack trace'; echo 'eley: the port is in use'; exit 1";

  static final String DIES_WITHOUT_A_WORD = "exit 1";

  static final String DIES_OF_AN_ACCIDENT =
      "printf 'OutOfMemoryError\\n\\tat io.eley\\n\\t... 7 more\\n'; exit 1";

  /** Writes the pid when it is deaf, so that a test knows that TERM would not end it. */
  static String survivesTerm(Path said) {
    return "trap '' TERM; echo $$ >"
        + said
        + ".new; mv "
        + said
        + ".new "
        + said
        + "; while :; do sleep 0.05; done";
  }

  private final String coordinator;
  private final String node;
  final List<List<String>> started = new ArrayList<>();

  Children(String coordinator, String node) {
    this.coordinator = coordinator;
    this.node = node;
  }

  @Override
  public List<String> command(String verb, int heapMebibytes, List<String> arguments) {
    var all = new ArrayList<>(List.of(verb, Integer.toString(heapMebibytes)));
    all.addAll(arguments);
    started.add(all);
    return List.of("/bin/sh", "-c", verb.equals("node") ? node : coordinator, verb);
  }
}
