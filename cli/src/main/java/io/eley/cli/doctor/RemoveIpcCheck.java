package io.eley.cli.doctor;

import io.eley.bb.api.edge.OwnPaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whether systemd-logind removes what a user has below {@code /dev/shm} when the last session of
 * that user on this host ends, also under a running node. Does a little file I/O.
 *
 * @param root of the file system
 */
record RemoveIpcCheck(Path root) {
  private static final long FIRST_PERSON = 1000;
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final String MAIN = "systemd/logind.conf";

  /** A line that is commented out says what is built in. */
  private static final Pattern BUILT_IN = Pattern.compile("#\\s*RemoveIPC\\s*=\\s*(\\w+)\\s*");

  private static final Pattern SET = Pattern.compile("\\s*RemoveIPC\\s*=\\s*(\\w+)\\s*");
  private static final Pattern NO = Pattern.compile("(?i)no|n|false|f|off|0");

  /** The same for this process's user. */
  static Optional<Finding> ofThisMachine(Path ramDisk, String user) {
    try {
      return new RemoveIpcCheck(Path.of("/")).of(ramDisk, OwnPaths.user(), user);
    } catch (IOException e) {
      return Optional.empty(); // whose process this is, is not told
    }
  }

  /** Empty where it does not: root, system users, users that linger, other RAM-disks. */
  Optional<Finding> of(Path ramDisk, long uid, String user) {
    boolean struck =
        uid >= FIRST_PERSON
            && ramDisk.toAbsolutePath().normalize().startsWith(SHARED_MEMORY)
            && Files.isDirectory(root.resolve("run/systemd/sessions"))
            && Files.notExists(root.resolve("var/lib/systemd/linger").resolve(user))
            && removes();
    return struck
        ? Optional.of(
            Finding.warn(
                "remove-ipc",
                "systemd-logind removes all of "
                    + user
                    + " below /dev/shm when the last session here ends (RemoveIPC=yes)",
                "`loginctl enable-linger`, RemoveIPC=no, or another --ram-disk"))
        : Optional.empty();
  }

  private boolean removes() {
    String value = "yes";
    for (Pattern pattern : List.of(BUILT_IN, SET)) {
      for (Path file : files()) {
        value = last(file, pattern).orElse(value);
      }
    }
    return !NO.matcher(value).matches();
  }

  /** In the order in which the later one wins. */
  private List<Path> files() {
    var files = new ArrayList<Path>();
    var more = new ArrayList<Path>();
    for (String place : List.of("usr/lib", "run", "etc")) {
      files.add(root.resolve(place).resolve(MAIN));
      try (var entries = Files.newDirectoryStream(root.resolve(place).resolve(MAIN + ".d"))) {
        entries.forEach(more::add);
      } catch (IOException e) {
        // None there.
      }
    }
    more.sort(Comparator.comparing(file -> String.valueOf(file.getFileName())));
    files.addAll(more);
    return files;
  }

  private static Optional<String> last(Path file, Pattern pattern) {
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
          .map(pattern::matcher)
          .filter(matcher -> matcher.matches())
          .map(matcher -> matcher.group(1))
          .reduce((earlier, later) -> later);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
