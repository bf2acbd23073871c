package io.eley.bb.server.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a node says about the machine it runs on. */
final class HostIdentity {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private HostIdentity() {}

  /**
   * The host others reach us by: what the operator says, or the one address we listen on, or the
   * one our connection to the coordinator leaves from. Never the name the machine has for itself,
   * which on many distributions resolves to a loopback address.
   *
   * @param advertised empty for automatic
   */
  static String advertisedHost(String advertised, String listen, String localHost) {
    if (!advertised.isBlank()) {
      return advertised;
    }
    return isWildcard(listen) ? localHost : listen;
  }

  private static boolean isWildcard(String host) {
    try {
      return InetAddress.getByName(host).isAnyLocalAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * Identity of the running operating system (Linux, random(4)), the same for all processes on it;
   * blank where there is none, which equals no client's.
   */
  static String machine() {
    try {
      return Files.readString(BOOT_ID).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
