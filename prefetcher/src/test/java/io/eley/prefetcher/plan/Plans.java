package io.eley.prefetcher.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Small worlds for planner tests: blocks of 4 KiB, so that numbers stay readable. */
final class Plans {
  static final int BLOCK = 4096;
  static final BlockGeometry GEOMETRY = new BlockGeometry(BLOCK, BLOCK);

  /** What a block takes of a node's RAM: its page, and one for the footer. */
  static final int ROOM = 2 * BLOCK;

  /** Four pages a block, of 4 KiB each. */
  static final BlockGeometry PAGED = new BlockGeometry(4 * BLOCK, BLOCK);

  private Plans() {}

  static PlanOptions options(int waves, long overrun) {
    return new PlanOptions(GEOMETRY, waves, overrun);
  }

  static FileVersion file(String path, int blocks) {
    return new FileVersion(path, (long) blocks * BLOCK, 1);
  }

  static Map<String, FileVersion> versions(FileVersion... files) {
    var versions = new java.util.HashMap<String, FileVersion>();
    for (FileVersion file : files) {
      versions.put(file.path(), file);
    }
    return versions;
  }

  /** One split for each {@code perSplit} blocks of the file. */
  static List<Split> splits(FileVersion file, int perSplit) {
    var splits = new ArrayList<Split>();
    long step = (long) perSplit * BLOCK;
    for (long offset = 0; offset < file.length(); offset += step) {
      long length = Math.min(step, file.length() - offset);
      splits.add(
          new Split(
              splits.size(), List.of(new FileSlice(file.path(), new ByteRange(offset, length)))));
    }
    return splits;
  }

  static List<BlockId> blocks(FileVersion file, int... indexes) {
    return IntStream.of(indexes).mapToObj(i -> new BlockId(file, i)).toList();
  }

  /** A split whose task reads exactly these slices of one file, each an offset and a length. */
  static Split exact(int partition, FileVersion file, long... slices) {
    var list = new ArrayList<FileSlice>();
    for (int i = 0; i < slices.length; i += 2) {
      list.add(new FileSlice(file.path(), new ByteRange(slices[i], slices[i + 1])));
    }
    return new Split(partition, list, true);
  }

  /** Pages of a block. */
  static BlockPart part(FileVersion file, int block, int... pages) {
    var bits = new BitSet();
    IntStream.of(pages).forEach(bits::set);
    return new BlockPart(new BlockId(file, block), PageSet.of(bits));
  }

  /** Orders of whole blocks. */
  static NodeOrders orders(NodeId node, List<BlockId> fetch, List<BlockId> free) {
    return new NodeOrders(node, BlockPart.whole(fetch), free);
  }

  static NodeId node(int number) {
    return new NodeId("n" + number);
  }

  static ClusterView view(int... nodes) {
    return viewOf("here", nodes);
  }

  /** The same of nodes whose blocks are in another engine. */
  static ClusterView viewOfEngine(int... nodes) {
    return viewOf(NodeAddress.ENGINE, nodes);
  }

  private static ClusterView viewOf(String machine, int... nodes) {
    return new ClusterView(
        1,
        GEOMETRY,
        BufferMode.FULL_DELAY,
        IntStream.of(nodes)
            .mapToObj(n -> new NodeAddress(node(n), "127.0.0.1", 1000 + n, machine))
            .toList());
  }

  static StageId stage(String application, int stage) {
    return new StageId(application, stage, 0);
  }

  /** A planner with one node of so many blocks and one application "a" of that wave. */
  static WavePlanner single(PlanOptions options, int capacityBlocks, int wave) {
    var planner = new WavePlanner(options, view(1));
    planner.addNode(node(1), (long) capacityBlocks * ROOM);
    planner.startApplication("a");
    planner.setWaveSize("a", wave);
    return planner;
  }

  /** The parts ordered now, of the single node. */
  static List<BlockPart> parts(WavePlanner planner, long now) {
    return planner.plan(now).stream().flatMap(o -> o.fetch().stream()).toList();
  }

  /** The blocks ordered now, of the single node; all of them whole. */
  static List<BlockId> fetches(WavePlanner planner, long now) {
    var parts = parts(planner, now);
    assertThat(parts).allMatch(part -> part.pages().isAll());
    return parts.stream().map(BlockPart::block).toList();
  }
}
