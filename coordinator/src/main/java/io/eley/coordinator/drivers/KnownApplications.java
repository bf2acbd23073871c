package io.eley.coordinator.drivers;

import io.eley.bb.api.edge.NameRule;
import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.coordinator.agent.SlowDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The names of the applications whose drivers report, a line each in a file of the deployment
 * directory. A driver that is killed while no coordinator runs reports to none: without the file
 * the next one would never hear of its application, whose intermediate data would keep its room for
 * ever. Nodes cannot tell: they serve applications, too, whose drivers report to nobody.
 */
public final class KnownApplications implements AutoCloseable {
  private final Path file;
  private final SlowDisk disk;

  public KnownApplications(Path file) {
    this.file = file;
    disk =
        new SlowDisk(
            "eley-applications",
            "the list of applications " + file,
            "the deployment directory's disk is slow; " + file + " may be old");
  }

  /** The names that an earlier coordinator has kept; what is no name is left out. Blocks. */
  public List<String> earlier() {
    try {
      return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
          ? OwnPaths.read(file).lines().filter(KnownApplications::isName).toList()
          : List.of();
    } catch (IOException e) {
      disk.complain(e);
      return List.of();
    }
  }

  private static boolean isName(String line) {
    try {
      NameRule.APPLICATION.require(line);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Keeps these names in place of those before. Never blocks; any thread. */
  public void keep(List<String> names) {
    String lines = names.stream().map(name -> name + "\n").collect(Collectors.joining());
    disk.execute(() -> OwnFiles.replace(file, lines));
  }

  /** Writes what is queued; waits for at most two seconds. */
  @Override
  public void close() {
    disk.close();
  }
}
