package io.eley.cli.doctor;

import io.eley.bb.api.config.Settings;
import io.eley.cli.render.Plural;
import io.eley.coordinator.config.SignalKeys;
import io.eley.scheduler.hooks.counters.CounterReaders;
import io.eley.scheduler.hooks.signal.SignalException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Whether the file system's counters can be read. */
final class CountersCheck {
  private static final String TOOL = "pvfs2-perf-mon-example";

  private CountersCheck() {}

  static Finding of(Settings settings) {
    String specification = settings.get(SignalKeys.COUNTERS);
    if (specification.isBlank()) {
      return Finding.ok(
          "counters",
          installed()
              ? "none named; OrangeFS's tool is here: -D "
                  + SignalKeys.COUNTERS.name()
                  + "=orangefs:MOUNT"
              : "none named, see " + SignalKeys.COUNTERS.name());
    }
    try (var reader = CounterReaders.of(specification, settings.get(SignalKeys.SIGNAL_DEADLINE))) {
      int servers = reader.look().points().size();
      return Finding.ok(
          "counters", specification + " has those of " + Plural.of(servers, "server"));
    } catch (SignalException e) {
      return Finding.warn("counters", e.getMessage() + "", hint(specification));
    } catch (IllegalArgumentException e) {
      return Finding.fail("counters", e.getMessage() + "", "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Finding.warn("counters", "interrupted", "");
    }
  }

  private static String hint(String specification) {
    return specification.startsWith("orangefs:") && !installed()
        ? TOOL + " is not on the PATH: it comes with OrangeFS, load its module"
        : "ask who runs the file system to let you read them";
  }

  private static boolean installed() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(":", -1))
        .filter(directory -> directory.startsWith("/"))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, TOOL)));
  }
}
