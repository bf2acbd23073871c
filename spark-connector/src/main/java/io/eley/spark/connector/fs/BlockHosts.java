package io.eley.spark.connector.fs;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Placement;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.BlockLocation;
import org.jspecify.annotations.Nullable;

/**
 * Names the hosts of a file's blocks so that Spark can put tasks beside them: where the nodes share
 * hosts with executors, under the names by which Spark knows these.
 *
 * <p>A host is named only while every executor has a node on its host. Otherwise Spark would give
 * the tasks to the executors that have one, and let the others idle for {@code spark.locality.wait}
 * at a time. Nothing is named where reads go past the nodes (NaiveBB).
 *
 * <p>Safe for several threads. May block to resolve a host's name, once for each.
 */
final class BlockHosts {
  private final Map<String, String> addresses = new ConcurrentHashMap<>();

  /**
   * The locations of a range of a file.
   *
   * @param executors hosts, as Spark names them
   * @param range bytes of the file, within it
   * @return one for each run of blocks on the same host, in their order; empty when no host is
   *     named
   */
  List<BlockLocation> of(ClusterView view, Set<String> executors, String path, Range range) {
    Map<NodeId, String> shared = shared(view, executors);
    if (shared.isEmpty()) {
      return List.of();
    }
    List<NodeAddress> ranking = Placement.rank(view, path);
    var locations = new ArrayList<BlockLocation>();
    int size = view.geometry().blockSize();
    long at = range.offset;
    while (at < range.end()) {
      NodeAddress node = ranking.get((int) (at / size % ranking.size()));
      long begin = at;
      do {
        at = Math.min(range.end(), (at / size + 1) * size);
      } while (at < range.end() && node.equals(ranking.get((int) (at / size % ranking.size()))));
      locations.add(location(node, shared.get(node.id()), begin, at - begin));
    }
    return locations;
  }

  /** Bytes of a file. */
  record Range(long offset, long length) {
    private long end() {
      return offset + length;
    }
  }

  private static BlockLocation location(
      NodeAddress node, @Nullable String host, long offset, long length) {
    // Spark takes localhost for no preference.
    String name = host == null ? "localhost" : host;
    String[] names = {name + ":" + node.port()};
    return new BlockLocation(names, new String[] {name}, offset, length);
  }

  /** Spark's name for the host of each node; empty unless each executor has a node beside it. */
  private Map<NodeId, String> shared(ClusterView view, Set<String> executors) {
    if (view.mode() == BufferMode.NAIVE_BB) {
      return Map.of();
    }
    var names = new HashMap<String, String>();
    executors.forEach(host -> names.put(address(host), host));
    var shared = new HashMap<NodeId, String>();
    for (NodeAddress node : view.nodes()) {
      String name = names.get(address(node.host()));
      if (name != null) {
        shared.put(node.id(), name);
      }
    }
    return shared.values().containsAll(names.values()) ? shared : Map.of();
  }

  private String address(String host) {
    return addresses.computeIfAbsent(host, BlockHosts::resolved);
  }

  private static String resolved(String host) {
    try {
      return InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException e) {
      return host;
    }
  }
}
