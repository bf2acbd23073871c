package io.eley.system.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.process.ProcessHeaps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What deploy/systemd promises, as far as its files tell. */
@Timeout(60)
class SystemdUnitsTest {
  @TempDir private Path temp;

  private static List<String> lines(String unit) throws IOException {
    Path units = Path.of(System.getProperty("eley.root"), "deploy/systemd");
    return Files.readAllLines(units.resolve(unit));
  }

  @Test
  void processesHaveTheHeapsOfAnyDeployment() throws IOException {
    assertThat(lines("eley-node.service"))
        .contains("Environment=ELEY_JAVA_OPTS=-Xmx" + ProcessHeaps.NODE);
    assertThat(lines("eley-coordinator.service"))
        .contains("Environment=ELEY_JAVA_OPTS=-Xmx" + ProcessHeaps.COORDINATOR);
  }

  /** systemd starts nothing whose ReadWritePaths are not there (226/NAMESPACE). */
  @Test
  void whatMayBeWrittenIsThereOrMadeFirst() throws Exception {
    assertThat(setting("eley-node.service", "ReadWritePaths=")).contains("/dev/shm");
    Path shared = Files.createDirectory(temp.resolve("shared"));
    for (int start = 1; start <= 2; start++) {
      make("eley-board.service", "/shared", shared);
      assertThat(shared.resolve("eley-board")).as("at start " + start).isDirectory();
    }
  }

  /** The node would refuse a directory that somebody else has made, at each of its starts. */
  @Test
  void theNodesDirectoryIsItsOwnWhoeverHasMadeOne() throws Exception {
    Path ram = Files.createDirectories(temp.resolve("ram/eley/of/somebody"));
    String directory = "/dev/shm/eley";
    assertThat(setting("eley-node.service", "ExecStart="))
        .hasValueSatisfying(
            start -> assertThat(start).contains("eley.node.directory=" + directory + " "));
    make("eley-node.service", "/dev/shm", temp.resolve("ram"));
    assertThat(temp.resolve("ram/eley")).isDirectory();
    assertThat(Files.getPosixFilePermissions(temp.resolve("ram/eley")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(ram).doesNotExist();
  }

  /** Who makes one in the moment between would have chosen what is in it. */
  @Test
  void aDirectoryThatSomebodyMakesMeanwhileIsNotTakenOver() throws Exception {
    Path ram = Files.createDirectories(temp.resolve("ram"));
    Path programs = Files.createDirectory(temp.resolve("programs"));
    Path removes = programs.resolve("rm");
    Files.writeString(
        removes, "#!/bin/sh\n/bin/rm \"$@\" && mkdir -p -m 0755 '" + ram + "/eley/blocks'\n");
    Files.setPosixFilePermissions(removes, PosixFilePermissions.fromString("rwx------"));
    var builder = new ProcessBuilder("sh", "-c", script("eley-node.service", "/dev/shm", ram));
    builder.environment().merge("PATH", programs.toString(), (usual, ours) -> ours + ":" + usual);
    builder.redirectErrorStream(true).redirectOutput(temp.resolve("said").toFile());
    assertThat(builder.start().waitFor()).isNotZero();
    assertThat(ram.resolve("eley/blocks")).isDirectory();
    assertThat(Files.getPosixFilePermissions(ram.resolve("eley/blocks")))
        .isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** What a unit does as root before its program starts, at another place and for this user. */
  private static void make(String unit, String place, Path here) throws Exception {
    String script = script(unit, place, here);
    assertThat(new ProcessBuilder("sh", "-c", script).inheritIO().start().waitFor()).isZero();
  }

  private static String script(String unit, String place, Path here) throws Exception {
    String made = setting(unit, "ExecStartPre=+/bin/sh -c ").orElseThrow();
    return made.substring(1, made.length() - 1)
        .replace(place, here.toString())
        .replace("install -d -o eley ", "install -d ")
        .replace("chown -h eley ", "chown -h \"$(id -u)\" ");
  }

  /** It gives a unit's directory, with all that is in it, to the unit's user, and closes it. */
  @Test
  void noUnitsDirectoryHoldsAnothers() throws IOException {
    String coordinator = setting("eley-coordinator.service", "StateDirectory=").orElseThrow();
    String pools = setting("eley-slurm-pools.service", "StateDirectory=").orElseThrow();
    assertThat(Path.of(pools).startsWith(coordinator)).isFalse();
    assertThat(Path.of(coordinator).startsWith(pools)).isFalse();
    assertThat(setting("eley-coordinator.service", "ExecStart=").orElseThrow())
        .contains("eley.coordinator.directory=/var/lib/" + coordinator + " ");
  }

  /** {@code After=remote-fs.target} starts a unit where a mount has failed, too. */
  @ParameterizedTest
  @ValueSource(strings = {"eley-board.service", "eley-coordinator.service", "eley-node.service"})
  void whatIsOnAMountIsWaitedFor(String unit) throws IOException {
    List<Path> required =
        Stream.of(setting(unit, "RequiresMountsFor=").orElse("").split(" ", -1))
            .map(Path::of)
            .toList();
    // A node's origin is told by its coordinator.
    assertThat(required).contains(Path.of("/mnt/pfs"));
    var named =
        Pattern.compile("/(mnt|shared)/[^ ,:]+")
            .matcher(setting(unit, "ExecStart=").orElseThrow())
            .results()
            .map(found -> Path.of(found.group()));
    assertThat(named).allMatch(path -> required.stream().anyMatch(path::startsWith));
  }

  private static Optional<String> setting(String unit, String name) throws IOException {
    return lines(unit).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .findFirst();
  }
}
