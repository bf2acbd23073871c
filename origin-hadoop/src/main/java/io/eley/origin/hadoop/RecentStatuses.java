package io.eley.origin.hadoop;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;

/**
 * The statuses that were seen last. They save a HEAD where every read makes sure of the version,
 * and are believed nowhere else. Safe for several threads.
 */
final class RecentStatuses {
  private final Map<String, FileStatus> seen;

  RecentStatuses(int most) {
    seen =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, FileStatus> eldest) {
            return size() > most;
          }
        };
  }

  synchronized void note(String path, FileStatus status) {
    seen.put(path, status);
  }

  synchronized Optional<FileStatus> of(String path) {
    return Optional.ofNullable(seen.get(path));
  }

  synchronized void forget(String path) {
    seen.remove(path);
  }
}
