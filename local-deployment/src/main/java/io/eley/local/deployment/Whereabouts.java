package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.ProcessLock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a process was started: hosts that share a home, and containers of one host that share it,
 * find each other's files there and see none of each other's processes.
 *
 * @param host the kernel's name for it, without white space
 * @param boot random name of its boot; "-" when that is not known
 * @param processes the namespace of its processes' numbers
 */
record Whereabouts(String host, String boot, String processes) {
  private static final Path HOST = Path.of("/proc/sys/kernel/hostname");
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path PROCESSES = Path.of("/proc/self/ns/pid");
  private static final String UNKNOWN = "-";

  /** Of this process; what cannot be read is unknown. */
  static Whereabouts here() {
    return new Whereabouts(read(HOST), read(BOOT), namespace());
  }

  private static String read(Path file) {
    try {
      return word(Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static String namespace() {
    try {
      return word(Files.readSymbolicLink(PROCESSES).toString());
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static String word(String text) {
    String word = text.strip().replaceAll("\\s", "_");
    return word.isEmpty() ? UNKNOWN : word;
  }

  /**
   * Whether what was noted there may run, unseen from here. On a host of another name it may; on
   * one that was booted again since it does not. In another container of this machine it does when
   * the coordinator's lock is held, which is the one kernel's word.
   *
   * @param files of the deployment
   */
  boolean mayRunUnseenFrom(Whereabouts here, DeploymentFiles files) {
    if (boot.equals(UNKNOWN) || here.boot.equals(UNKNOWN)) {
      return false;
    }
    return boot.equals(here.boot)
        ? !processes.equals(here.processes) && isHeld(files.coordinatorLock())
        : !host.equals(here.host);
  }

  private static boolean isHeld(Path lock) {
    if (!Files.exists(lock)) {
      return false;
    }
    try (var taken = ProcessLock.take(lock).orElse(null)) {
      return taken == null;
    } catch (IOException e) {
      return true; // Nobody can say so: what may run is left alone.
    }
  }

  /** The boot in a process's {@link Footprint#start}. */
  static String bootOf(String start) {
    int at = start.indexOf('@');
    return at < 0 ? UNKNOWN : start.substring(at + 1);
  }
}
