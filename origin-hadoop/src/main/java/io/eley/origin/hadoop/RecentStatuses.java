package io.eley.origin.hadoop;

import io.eley.bb.api.RecentMap;
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
    seen = new RecentMap<>(most);
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
