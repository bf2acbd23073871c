package io.eley.bb.server.engine;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;
import java.time.Duration;
import java.util.Optional;

/**
 * Where one node's blocks are, when they are not in our own store: one worker of an engine. A port;
 * every call blocks and is made on threads that may wait. Safe for several threads.
 *
 * <p>An engine reads the origin in {@link #load} and nowhere else: whoever calls it has the permit.
 */
public interface BlockEngine extends AutoCloseable {
  /**
   * Says how files are cut and where the origin is; comes once, before everything below.
   *
   * @throws EleyException {@code INCOMPATIBLE} when the engine cuts files otherwise or does not
   *     know this origin
   */
  void open(BlockGeometry geometry, String originAddress) throws EleyException;

  /** The bytes that our blocks may take there. Does not block. */
  long capacityBytes();

  /**
   * Where clients find a block with the engine's own client, in the words of its adapter on their
   * side; empty when it was not loaded. Does not block.
   */
  Optional<String> place(BlockId block);

  /** Whether the engine can be reached; blocks for a second or two at most. */
  boolean reachable();

  /**
   * Has the block read from the origin, whole and in one piece, unless it is there.
   *
   * @param deadline the call gives up after; the engine's own read may still go on then
   * @return bytes read from the origin; 0 when it was there
   * @throws EleyException {@code STALE_VERSION} when the file is another one now, {@code
   *     ORIGIN_HUNG} after the deadline, {@code UNAVAILABLE} when the engine does not answer,
   *     {@code NO_SPACE}, {@code NOT_FOUND}; a {@link ReadInVainException} when the origin was read
   *     before
   */
  long load(BlockId block, Duration deadline) throws EleyException;

  /**
   * Gives the block's room back; one that is not there is fine.
   *
   * @throws EleyException {@code UNAVAILABLE}
   */
  void remove(BlockId block) throws EleyException;

  /**
   * Puts off the moment at which the engine frees everything of ours by itself, because we may have
   * died. Called several times in {@link #leaseTime}.
   */
  void renew();

  /** How long the engine keeps our blocks when nobody renews. Does not block. */
  Duration leaseTime();

  @Override
  void close();
}
