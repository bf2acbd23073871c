package io.eley.local.deployment;

import java.util.List;

/**
 * One process of a deployment that is to run.
 *
 * @param name of its log and its pid file
 * @param command as {@link ProcessBuilder} takes it
 */
record Part(String name, List<String> command) {
  Part {
    command = List.copyOf(command);
  }
}
