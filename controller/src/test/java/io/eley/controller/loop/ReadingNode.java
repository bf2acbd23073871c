package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.engine.EngineBlocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * A node that prefetches whatever it may, behind the gate of a real one. One of our own reads
 * chunks of 1 MiB; one whose blocks are in another engine has the state of a real one, and loads
 * blocks of 4 MiB whole, each by one call that cannot be stopped.
 */
final class ReadingNode {
  /** Fetches that the permit allows at once. */
  static final int FETCHES = 4;

  private static final BlockGeometry GEOMETRY = new BlockGeometry(4 << 20, 1 << 20);
  private static final FileVersion FILE = new FileVersion("/in", 1L << 40, 1);
  private static final int FILE_BLOCKS = 1 << 18;

  private final boolean ofEngine;
  private final PermitGate gate;
  private final EngineBlocks<String> blocks =
      new EngineBlocks<>(2L * FETCHES * GEOMETRY.blockSize(), GEOMETRY::length);
  private final List<BlockId> underWay = new ArrayList<>();
  private int next;
  private boolean closed = true;
  private int begun;
  private long atClose;
  private long tail;

  ReadingNode(boolean ofEngine, Duration delayMax, long cappedRate, LongSupplier clock) {
    this.ofEngine = ofEngine;
    gate = new PermitGate(delayMax, cappedRate, FETCHES, clock);
  }

  /** Bytes of one call to the origin. */
  long unit() {
    return ofEngine ? GEOMETRY.blockSize() : GEOMETRY.chunkSize();
  }

  void apply(Permit permit) {
    boolean wasClosed = closed;
    assertThat(gate.apply(permit)).as("newer").isTrue();
    closed = permit.prefetch().closed();
    if (closed && !wasClosed) {
      begun = 0;
      tail = 0;
      atClose = underWay.size() * unit();
    }
  }

  /** Some calls end, in any order. */
  void endSome(Random random) {
    for (int i = random.nextInt(3); i > 0 && !underWay.isEmpty(); i--) {
      BlockId block = underWay.remove(random.nextInt(underWay.size()));
      gate.leave(ReadCause.PREFETCH, Math.toIntExact(unit()));
      tail += unit();
      if (ofEngine) {
        assertThat(blocks.loaded(block)).isEmpty();
        blocks.free(List.of(block));
        assertThat(blocks.takeLeaving()).isEqualTo(block);
        assertThat(blocks.left(block)).isTrue();
      }
    }
  }

  /** As many calls begin as may. */
  void beginAll() {
    while (begin()) {
      begun++;
    }
  }

  private boolean begin() {
    var block = new BlockId(FILE, next % FILE_BLOCKS);
    if (ofEngine) {
      assertThat(blocks.order(block)).isFalse();
      block = blocks.first(ReadCause.PREFETCH).orElseThrow();
      if (!blocks.makeRoom(GEOMETRY.blockSize(), ReadCause.PREFETCH)) {
        return false;
      }
    }
    if (!gate.tryEnter(ReadCause.PREFETCH, (int) unit())) {
      return false;
    }
    if (ofEngine) {
      blocks.begin(ReadCause.PREFETCH);
    }
    underWay.add(block);
    next++;
    return true;
  }

  /**
   * What a hold promises: nothing begins in it, it is complete when what was under way has ended,
   * and that is one call for each fetch that the permit allows, at most.
   */
  void check(boolean held) {
    assertThat(underWay).hasSizeLessThanOrEqualTo(FETCHES);
    if (!held) {
      assertThat(underWay).as("it reads as fast as it may").hasSize(FETCHES);
      return;
    }
    assertThat(begun).as("calls that began in the hold").isZero();
    assertThat(tail + underWay.size() * unit()).as("what was under way").isEqualTo(atClose);
    assertThat(tail).as("bytes in the hold").isLessThanOrEqualTo(FETCHES * unit());
  }
}
