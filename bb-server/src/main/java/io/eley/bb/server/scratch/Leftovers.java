package io.eley.bb.server.scratch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes files, and gives their room back once they are deleted. What cannot be deleted, say for
 * want of descriptors, takes room still: it keeps it until it has gone.
 *
 * <p>Safe for several threads; blocks for file calls.
 */
final class Leftovers {
  private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

  private final Predicate<Path> used;

  // Guarded by this.
  private final List<Leftover> all = new ArrayList<>();

  /** Deletes a path; nothing when it is not there. */
  @FunctionalInterface
  interface Deletion {
    void delete(Path path) throws IOException;
  }

  private record Leftover(List<Path> paths, Deletion deletion, Runnable release) {}

  /**
   * @param used whether something new lies under that name since: it is not deleted later
   */
  Leftovers(Predicate<Path> used) {
    this.used = used;
  }

  /** Deletes now, or later: then nothing is released yet. */
  void delete(List<Path> paths, Deletion deletion, Runnable release) {
    var left = new ArrayList<Path>();
    for (Path path : paths) {
      try {
        deletion.delete(path);
      } catch (IOException e) {
        LOG.warn("cannot delete {}, which keeps its room: {}", path, e.toString());
        left.add(path);
      }
    }
    end(left, deletion, release);
  }

  /** Once more what could not be deleted before. */
  void tryAgain() {
    List<Leftover> now;
    synchronized (this) {
      now = List.copyOf(all);
      all.clear();
    }
    for (Leftover leftover : now) {
      var left = leftover.paths.stream().filter(path -> stays(path, leftover.deletion)).toList();
      end(left, leftover.deletion, leftover.release);
    }
  }

  private boolean stays(Path path, Deletion deletion) {
    try {
      if (!used.test(path)) {
        deletion.delete(path);
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private void end(List<Path> left, Deletion deletion, Runnable release) {
    if (left.isEmpty()) {
      release.run();
    } else {
      synchronized (this) {
        all.add(new Leftover(left, deletion, release));
      }
    }
  }
}
