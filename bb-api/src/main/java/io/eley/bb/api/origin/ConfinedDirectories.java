package io.eley.bb.api.origin;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Remembers for a moment which directories lie inside a root, links resolved. To resolve a path the
 * system looks at each of its parts, so a hundred files of a directory would cost several hundred
 * looks; here they cost those of one. A directory that is replaced by a link out of the root is
 * noticed after {@link #LIFETIME}: whoever can do so runs with the rights of the same user, or
 * could do it between a check and its use as well.
 *
 * <p>Safe for several threads; the lock is held for map operations only.
 */
final class ConfinedDirectories {
  static final int MOST = 1024;
  static final Duration LIFETIME = Duration.ofSeconds(1);

  /** Finds where a directory really is. */
  interface Resolver {
    /** As {@link Path#toRealPath}; blocks. */
    Path resolve(Path directory) throws IOException;
  }

  private final Path root;
  private final Resolver resolver;
  private final LongSupplier nanoClock;

  /** When they were found inside, in that order. Guarded by this. */
  private final Map<Path, Long> inside = new LinkedHashMap<>();

  /**
   * Knows none yet.
   *
   * @param root without links
   * @param nanoClock as {@link System#nanoTime}
   */
  ConfinedDirectories(Path root, Resolver resolver, LongSupplier nanoClock) {
    this.root = root;
    this.resolver = resolver;
    this.nanoClock = nanoClock;
  }

  /** Whether a directory is there and inside the root. Blocks when that is not known. */
  boolean contain(Path directory) throws IOException {
    if (directory.equals(root) || isKnown(directory)) {
      return true;
    }
    long began = nanoClock.getAsLong();
    try {
      if (!resolver.resolve(directory).startsWith(root)) {
        return false;
      }
    } catch (NoSuchFileException e) {
      return false;
    }
    note(directory, began);
    return true;
  }

  private synchronized boolean isKnown(Path directory) {
    Long since = inside.get(directory);
    return since != null && nanoClock.getAsLong() - since < LIFETIME.toNanos();
  }

  private synchronized void note(Path directory, long since) {
    inside.remove(directory);
    inside.put(directory, since);
    if (inside.size() > MOST) {
      inside.remove(inside.keySet().iterator().next());
    }
  }
}
