package io.eley.bb.server.store;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds entries by block and by path, and knows in which order they are evicted: consumed ones
 * first, then the least recently used; a pinned one is in neither queue. Not safe for several
 * threads: {@link BlockStore} holds its lock around each call.
 */
final class BlockIndex {
  private final Map<BlockId, Entry> byId = new HashMap<>();

  /**
   * By version, too: each new block asks for those of other versions, and a large file's own are
   * many.
   */
  private final Map<String, Map<FileVersion, Set<Entry>>> byPath = new HashMap<>();

  private final LinkedHashSet<Entry> consumed = new LinkedHashSet<>();
  private final LinkedHashSet<Entry> recent = new LinkedHashSet<>();
  private final long mostHeap;
  private long heap;

  /**
   * Nothing is here.
   *
   * @param mostHeap bytes that entries may take, as {@link Entry#heap} counts
   */
  BlockIndex(long mostHeap) {
    this.mostHeap = mostHeap;
  }

  @Nullable Entry get(BlockId id) {
    return byId.get(id);
  }

  void add(Entry entry) {
    byId.put(entry.id, entry);
    heap += entry.heap();
    FileVersion version = entry.id.file();
    byPath
        .computeIfAbsent(version.path(), p -> new LinkedHashMap<>())
        .computeIfAbsent(version, v -> new LinkedHashSet<>())
        .add(entry);
  }

  void remove(Entry entry) {
    if (byId.remove(entry.id, entry)) {
      heap -= entry.heap();
    }
    byPath.computeIfPresent(
        entry.id.file().path(),
        (path, versions) -> {
          versions.computeIfPresent(
              entry.id.file(),
              (version, entries) -> entries.remove(entry) && entries.isEmpty() ? null : entries);
          return versions.isEmpty() ? null : versions;
        });
    notePinned(entry);
  }

  /** Notes that the entry may not be evicted from now on. */
  void notePinned(Entry entry) {
    consumed.remove(entry);
    recent.remove(entry);
  }

  /** Notes that the entry may be evicted from now on, and was used just now. */
  void noteUnpinned(Entry entry) {
    (entry.freed ? consumed : recent).add(entry);
  }

  /** Entries of other versions of this file, whatever their state. */
  List<Entry> otherVersions(FileVersion version) {
    return byPath.getOrDefault(version.path(), Map.of()).entrySet().stream()
        .filter(other -> !other.getKey().equals(version))
        .flatMap(other -> other.getValue().stream())
        .toList();
  }

  /** Bytes of heap that have to become free before an entry that takes so many comes. */
  long heapMissing(long more) {
    return Math.max(0, heap + more - mostHeap);
  }

  /**
   * The next entries to evict that together give at least so many bytes of RAM-disk and of heap;
   * all there are when they do not.
   *
   * @param except entries that leave anyway
   * @param sparing what is planned
   */
  List<Entry> victims(long bytes, long heapBytes, Set<Entry> except, boolean sparing) {
    var chosen = new ArrayList<Entry>();
    long left = bytes;
    long leftOfHeap = heapBytes;
    for (Collection<Entry> queue : List.of(consumed, recent)) {
      for (Entry entry : queue) {
        if (left <= 0 && leftOfHeap <= 0) {
          return chosen;
        }
        if (!except.contains(entry) && !(sparing && entry.planned)) {
          chosen.add(entry);
          left -= entry.footprint;
          leftOfHeap -= entry.heap();
        }
      }
    }
    return chosen;
  }

  /** All entries, in no order. */
  Collection<Entry> entries() {
    return byId.values();
  }
}
