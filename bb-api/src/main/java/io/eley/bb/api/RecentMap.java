package io.eley.bb.api;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map whose entries are bounded in number: one more, and the entry that was put or looked up
 * longest ago is gone. Iterating looks nothing up.
 *
 * <p>Not safe for several threads, not even for those that only look up.
 */
public final class RecentMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1;

  private final int most;

  /** An empty one of so many entries at most. */
  public RecentMap(int most) {
    super(16, 0.75f, true);
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
