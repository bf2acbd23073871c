package io.eley.local.deployment;

import java.util.List;

/**
 * One process of a deployment that is to run.
 *
 * @param name of its log and its pid file
 * @param entry goes before the command and becomes it
 * @param command as {@link ProcessBuilder} takes it
 */
record Part(String name, List<String> entry, List<String> command) {
  Part {
    entry = List.copyOf(entry);
    command = List.copyOf(command);
  }

  /** A process that enters nothing before it starts. */
  Part(String name, List<String> command) {
    this(name, List.of(), command);
  }
}
