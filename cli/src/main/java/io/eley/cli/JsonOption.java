package io.eley.cli;

import picocli.CommandLine.Option;

/** The option by which verbs that show something do so for programs. */
final class JsonOption {
  @Option(names = "--json", description = "for programs: one JSON document (docs/json.md)")
  boolean json;
}
