package io.eley.coordinator.metadata;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Values by path, as many as fit into a size: what is asked for least leaves first, one by one. The
 * paths are kept in their order beside the values, so that all below a directory are found.
 *
 * <p>Guarded by its owner's lock. Nothing runs on other threads.
 */
final class KeptByPath<V> {
  private final Cache<String, V> values;
  private final NavigableSet<String> paths = new ConcurrentSkipListSet<>();

  /**
   * Without values yet.
   *
   * @param bytes what all values may weigh together
   * @param weight of a value; one that weighs more than all may is not kept
   */
  KeptByPath(long bytes, ToLongBiFunction<String, V> weight) {
    values =
        Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(bytes)
            .weigher(
                (String path, V value) ->
                    (int) Math.min(Integer.MAX_VALUE, weight.applyAsLong(path, value)))
            .evictionListener((path, value, cause) -> forget(path))
            .build();
  }

  private void forget(@Nullable String path) {
    if (path != null) {
      paths.remove(path);
    }
  }

  @Nullable V get(String path) {
    return values.getIfPresent(path);
  }

  void put(String path, V value) {
    paths.add(path);
    values.put(path, value);
  }

  void remove(String path) {
    paths.remove(path);
    values.invalidate(path);
  }

  /**
   * Removes what begins so.
   *
   * @param prefix a directory's path with a slash at its end
   */
  void removeBelow(String prefix) {
    // '0' is the character after '/', so this is the range of all names that begin with "path/".
    String past = prefix.substring(0, prefix.length() - 1) + '0';
    NavigableSet<String> below = paths.subSet(prefix, true, past, false);
    List.copyOf(below).forEach(this::remove);
  }
}
