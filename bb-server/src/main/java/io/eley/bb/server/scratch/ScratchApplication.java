package io.eley.bb.server.scratch;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.ScratchMessage.ScratchOpened;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One application's outputs on a node, and the service that hands them out. The store's lock guards
 * it.
 */
final class ScratchApplication {
  private final ScratchDirectories directories;
  private final String executor;
  private final ScratchStore.Service service;
  private final Map<MapOutput, Output> outputs = new HashMap<>();

  /** Of the outputs that are here. */
  private final Map<Tier, Long> bytes = new EnumMap<>(Tier.class);

  private int overflowed;
  private long refused;

  /**
   * An output that readers see.
   *
   * @param number no other's, also of none that takes its place under the same names
   */
  record Output(List<Path> files, Tier tier, long bytes, long number) {}

  /**
   * @param directories its own
   * @param executor what its outputs' place is called among Spark's executors
   * @param service owned
   */
  ScratchApplication(
      ScratchDirectories directories, String executor, ScratchStore.Service service) {
    this.directories = directories;
    this.executor = executor;
    this.service = service;
  }

  ScratchDirectories directories() {
    return directories;
  }

  ScratchStore.Service service() {
    return service;
  }

  ScratchOpened opened() {
    return new ScratchOpened(executor, service.port(), directories.blocks().toString());
  }

  /** Whether this is what a writer has been told, and it is up. */
  boolean serves(String writersExecutor) {
    return executor.equals(writersExecutor) && service.alive();
  }

  /** Adds an output and returns the one that it takes the place of. */
  @Nullable Output put(MapOutput output, Output what) {
    Output before = outputs.put(output, what);
    count(what, 1);
    if (before != null) {
      count(before, -1);
    }
    return before;
  }

  /** Takes an output out; returns whether it was there, and not another one in its place. */
  boolean remove(MapOutput output, Output what) {
    boolean removed = outputs.remove(output, what);
    if (removed) {
      count(what, -1);
    }
    return removed;
  }

  private void count(Output output, int sign) {
    bytes.merge(output.tier(), sign * output.bytes(), Long::sum);
    overflowed += output.tier() == Tier.OVERFLOW ? sign : 0;
  }

  /** Takes a shuffle's outputs out. */
  List<Output> drop(int shuffle) {
    var leaving = new ArrayList<Output>();
    outputs
        .entrySet()
        .removeIf(
            entry -> {
              boolean drop = entry.getKey().shuffle() == shuffle;
              if (drop) {
                leaving.add(entry.getValue());
              }
              return drop;
            });
    leaving.forEach(output -> count(output, -1));
    return leaving;
  }

  /** Whether one of its outputs has this file. */
  boolean has(Path file) {
    return outputs.values().stream().anyMatch(output -> output.files().contains(file));
  }

  /** All outputs, of an application that leaves. */
  List<Output> all() {
    return List.copyOf(outputs.values());
  }

  /** There was no room for one of its outputs. */
  void noteRefused() {
    refused++;
  }

  /** What it has. */
  NodeCounters.Held held(String name) {
    return new NodeCounters.Held(
        name,
        bytes.getOrDefault(Tier.RAM, 0L),
        bytes.getOrDefault(Tier.OVERFLOW, 0L),
        outputs.size(),
        overflowed,
        refused);
  }
}
