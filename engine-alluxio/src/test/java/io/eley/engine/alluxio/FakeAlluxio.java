package io.eley.engine.alluxio;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A cluster in memory over a directory, whose calls fail when the test says so. */
final class FakeAlluxio implements AlluxioPort {
  static final int BLOCK = 1 << 20;
  static final String WORKER = "w:1";

  private final Path root;
  final Map<Long, Set<String>> blocks = new HashMap<>();
  final List<String> calls = new ArrayList<>();

  /** Of files of which somebody has said something. */
  final Map<String, Rule> rules = new HashMap<>();

  String version = "2.9.6";
  List<Worker> workers = List.of(new Worker(WORKER, 8 * BLOCK, 0, Duration.ZERO));
  Runnable whileLoading = () -> {};
  @Nullable ErrorCode failure;

  FakeAlluxio(Path root) {
    this.root = root;
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public List<Mount> mounts() {
    return List.of(new Mount("/", root.toString(), BLOCK));
  }

  @Override
  public List<Worker> workers() throws EleyException {
    if (failure != null) {
      throw new EleyException(failure, "workers");
    }
    return workers;
  }

  @Override
  public File look(String path) throws EleyException {
    try {
      long length = Files.size(root.resolve(path.substring(1)));
      var found = new ArrayList<Block>();
      for (long i = 0; i * BLOCK < length; i++) {
        found.add(new Block(i, List.copyOf(blocks.getOrDefault(i, Set.of()))));
      }
      return new File(
          path, length, BLOCK, root + path, 1, rules.getOrDefault(path, Rule.NONE), found);
    } catch (java.io.IOException e) {
      throw new EleyException(ErrorCode.NOT_FOUND, path, e);
    }
  }

  @Override
  public void load(String worker, File file, int index, Duration deadline) throws EleyException {
    calls.add("load " + index);
    whileLoading.run();
    if (failure != null) {
      throw new EleyException(failure, "load " + index);
    }
    blocks.computeIfAbsent((long) index, unused -> new TreeSet<>()).add(worker);
  }

  @Override
  public void remove(String worker, long blockId) {
    calls.add("remove " + blockId);
    blocks.remove(blockId);
  }

  @Override
  public void keep(String path, Duration life) {
    rules.put(path, Rule.kept(life));
  }

  @Override
  public void letGo(String path) {
    rules.remove(path);
  }

  @Override
  public void close() {}
}
