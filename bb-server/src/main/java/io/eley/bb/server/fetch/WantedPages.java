package io.eley.bb.server.fetch;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Which pages of one block are wanted, and in which order they are read: those that somebody waits
 * for first, and from there on, around the end. One read is a run of wanted pages within a chunk;
 * what nobody wants is left out. Where the origin reads several runs at once, some go together, a
 * chunk's bytes at most; what somebody waits for goes without what nobody does.
 *
 * <p>A prefetch begins at a chunk that depends on the block's index. Neighbouring blocks are
 * fetched at the same time, and blocks of 16 chunks all begin on the same server when the file is
 * striped over a power of two of servers by chunks: without the rotation all fetchers would ask
 * that one server at the same moment. With a step of 7 the fetchers of neighbouring blocks are 16 +
 * 7 = 23 chunks apart, a prime, so up to 22 servers are hit in turn.
 *
 * <p>Safe for several threads.
 */
final class WantedPages {
  private static final int STEP = 7;

  private final int pagesOfChunk;
  private final int chunkSize;
  private final int chunks;
  private final int pages;
  private final int pageSize;
  private final int length;
  // Guarded by this.
  private final BitSet wanted;
  private final ArrayDeque<Run> urgent = new ArrayDeque<>();
  private boolean ordered;
  private int next;

  /** Pages {@code first} up to {@code end}, which is none of them. */
  private record Run(int first, int end) {}

  /**
   * What to read in one go.
   *
   * @param offset of the first page within the block
   * @param length bytes, at least 1
   */
  record Piece(int offset, int length) {}

  /** The pages of a block of which nobody wants anything yet. */
  WantedPages(BlockGeometry geometry, BlockId block) {
    pageSize = geometry.pageSize();
    chunkSize = geometry.chunkSize();
    pagesOfChunk = chunkSize / pageSize;
    length = geometry.length(block);
    pages = geometry.pageCount(length);
    chunks = geometry.chunkCount(length);
    wanted = new BitSet(pages);
    next = (int) ((long) block.index() * STEP % chunks);
  }

  /** Adds what a request wants. */
  synchronized void add(Want want) {
    if (want instanceof Want.Bytes bytes) {
      int first = bytes.offset() / pageSize;
      int end = pageCount((long) bytes.offset() + bytes.length());
      wanted.set(first, pageCount((long) bytes.offset() + bytes.length() + bytes.ahead()));
      var run = new Run(first, end);
      if (!urgent.contains(run)) {
        urgent.addLast(run);
      }
    } else if (want instanceof Want.Part part) {
      ordered = true;
      wanted.or(part.pages());
    } else {
      ordered = true;
      wanted.set(0, pages);
    }
  }

  private int pageCount(long end) {
    return (int) ((Math.min(length, end) + pageSize - 1) / pageSize);
  }

  /** Whether somebody wants them who does not wait, and is told when they are there. */
  synchronized boolean ordered() {
    return ordered;
  }

  /** Notes that the order is taken back; its pages stay wanted. */
  synchronized void disown() {
    ordered = false;
  }

  /**
   * Whether all that is wanted is there.
   *
   * @param there the pages that are, here and below
   */
  synchronized boolean satisfied(BitSet there) {
    return missing(there).isEmpty();
  }

  /**
   * Whether after these pieces all will be there that is wanted, or that somebody waits for, who is
   * given it then and asks no more.
   */
  synchronized boolean complete(List<Piece> pieces, BitSet there) {
    BitSet missing = missing(there);
    pieces.forEach(piece -> clear(piece, missing));
    return missing.isEmpty()
        || urgent.stream().anyMatch(run -> !within(run, missing.nextSetBit(run.first)));
  }

  private void clear(Piece piece, BitSet missing) {
    missing.clear(piece.offset / pageSize, pageCount((long) piece.offset + piece.length));
  }

  /** Whether all of the block is wanted, and it is no more than one chunk. */
  synchronized boolean oneChunk() {
    return chunks == 1 && wanted.cardinality() == pages;
  }

  /**
   * What to read now; empty when all that is wanted is there.
   *
   * @param most pieces, at least 1; of several the bytes are a chunk's at most
   */
  synchronized List<Piece> next(BitSet there, int most) {
    List<Piece> pieces = peek(missing(there), most);
    if (!pieces.isEmpty()) {
      next = chunkAfter(pieces.get(pieces.size() - 1));
    }
    return pieces;
  }

  /** Bytes that {@link #next} would give. */
  synchronized int nextBytes(BitSet there, int most) {
    return peek(missing(there), most).stream().mapToInt(Piece::length).sum();
  }

  private BitSet missing(BitSet there) {
    var missing = (BitSet) wanted.clone();
    missing.andNot(there);
    return missing;
  }

  private List<Piece> peek(BitSet missing, int most) {
    urgent.removeIf(run -> !within(run, missing.nextSetBit(run.first)));
    boolean waitedFor = !urgent.isEmpty();
    var pieces = new ArrayList<Piece>();
    int bytes = 0;
    int from = next;
    while (pieces.size() < most) {
      int page = waitedFor ? waitedFor(missing) : from(from, missing);
      if (page < 0) {
        break;
      }
      Piece piece = around(page, missing);
      bytes += piece.length;
      if (bytes > chunkSize) {
        break;
      }
      pieces.add(piece);
      clear(piece, missing);
      from = chunkAfter(piece);
    }
    return pieces;
  }

  private static boolean within(Run run, int page) {
    return page >= 0 && page < run.end;
  }

  /** The next missing page that somebody waits for, or -1. */
  private int waitedFor(BitSet missing) {
    for (Run run : urgent) {
      int page = missing.nextSetBit(run.first);
      if (within(run, page)) {
        return page;
      }
    }
    return -1;
  }

  /** The next missing page from this chunk on, around the end, or -1. */
  private int from(int chunk, BitSet missing) {
    int page = missing.nextSetBit(chunk * pagesOfChunk);
    return page < 0 ? missing.nextSetBit(0) : page;
  }

  private int chunkAfter(Piece piece) {
    return (piece.offset / pageSize / pagesOfChunk + 1) % chunks;
  }

  /** The run of missing pages within the chunk of this one. */
  private Piece around(int page, BitSet missing) {
    int floor = page / pagesOfChunk * pagesOfChunk;
    int first = Math.max(floor, missing.previousClearBit(page) + 1);
    int end = Math.min(floor + pagesOfChunk, missing.nextClearBit(page));
    int offset = first * pageSize;
    return new Piece(offset, Math.min(length, end * pageSize) - offset);
  }
}
