package io.eley.bb.server.store;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the blocks that a former process left. Reads footers only; the bytes are verified on first
 * use. Files that are no blocks of this geometry, older versions, doubles, and what does not fit
 * the capacity are deleted, with one line in the log for all of them. Runs before the store has any
 * other thread.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final StoreDirectory directory;
  private final BlockGeometry geometry;
  private final CapacityLedger ledger;
  private final long mostHeap;
  private final Map<String, FileVersion> newest = new HashMap<>();
  private int dropped;
  private String example = "";

  /** A block file as it was found. */
  record Found(Path file, BlockFooter footer, long footprint, long writtenMillis) {
    BlockId id() {
      return footer.block();
    }
  }

  Recovery(StoreDirectory directory, BlockGeometry geometry, CapacityLedger ledger, long mostHeap) {
    this.directory = directory;
    this.geometry = geometry;
    this.ledger = ledger;
    this.mostHeap = mostHeap;
  }

  /** The blocks to keep, oldest first, their footprints reserved. */
  List<Found> run() throws IOException {
    List<Found> kept = chooseThoseThatFit(readFooters());
    kept.sort(Comparator.comparingLong(Found::writtenMillis));
    if (dropped > 0) {
      LOG.info("dropped {} files of {}, among them {}", dropped, directory.blocks(), example);
    }
    return kept;
  }

  private List<Found> readFooters() throws IOException {
    var found = new ArrayList<Found>();
    for (Path file : StoreDirectory.files(directory.blocks())) {
      try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
        BlockFooter footer = BlockFooter.readFrom(channel);
        if (!footer.geometry().equals(geometry)) {
          throw new IOException("of another geometry");
        }
        long written = Files.getLastModifiedTime(file).toMillis();
        found.add(new Found(file, footer, BlockStore.footprint(channel.size()), written));
        FileVersion version = footer.block().file();
        newest.merge(version.path(), version, (a, b) -> a.olderThan(b) ? b : a);
      } catch (IOException e) {
        drop(file, String.valueOf(e.getMessage()));
      }
    }
    return found;
  }

  private List<Found> chooseThoseThatFit(List<Found> found) throws IOException {
    found.sort(Comparator.comparingLong(Found::writtenMillis).reversed());
    var kept = new ArrayList<Found>();
    var seen = new HashSet<BlockId>();
    long heap = 0;
    for (Found block : found) {
      long more = Entry.heapOf(block.id(), block.footer().checksums().size());
      var version = block.id().file();
      if (version.olderThan(newest.getOrDefault(version.path(), version))) {
        drop(block.file(), "an older version");
      } else if (seen.contains(block.id())) {
        drop(block.file(), "a double");
      } else if (heap + more > mostHeap) {
        drop(block.file(), "more than the heap has room for");
      } else if (!ledger.reserve(block.footprint())) {
        drop(block.file(), "more than the capacity");
      } else {
        heap += more;
        seen.add(block.id());
        kept.add(block);
      }
    }
    return kept;
  }

  private void drop(Path file, String reason) throws IOException {
    dropped++;
    example = file.getFileName() + ": " + reason;
    Files.deleteIfExists(file);
  }
}
