package io.eley.engine.alluxio;

import io.eley.bb.api.error.EleyException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What we want of an Alluxio cluster: a port, in words of the JDK and ours, since its other side is
 * loaded apart. Every call blocks, and fails with {@code UNAVAILABLE} when the master or the worker
 * does not answer. Safe for several threads.
 */
public interface AlluxioPort extends AutoCloseable {
  /** The master's version, such as {@code 2.9.6}. */
  String version() throws EleyException;

  /** The mount table. */
  List<Mount> mounts() throws EleyException;

  /**
   * A mount.
   *
   * @param path in Alluxio
   * @param under address of the under-store
   * @param blockSize into which its files are cut when Alluxio meets them
   */
  record Mount(String path, String under, long blockSize) {}

  /** The workers that live. */
  List<Worker> workers() throws EleyException;

  /**
   * A worker.
   *
   * @param address {@code host:port} of its calls
   * @param capacityBytes of its first tier's storage
   * @param usedBytes of that
   * @param silent since it has spoken to its master, which it does each second
   */
  record Worker(String address, long capacityBytes, long usedBytes, Duration silent) {
    /** Bytes that nobody has taken. */
    public long freeBytes() {
      return Math.max(0, capacityBytes - usedBytes);
    }
  }

  /**
   * A file, as it is in the under-store at this moment.
   *
   * @throws EleyException {@code NOT_FOUND}, {@code ACCESS_DENIED}
   */
  File look(String path) throws EleyException;

  /**
   * A file.
   *
   * @param path in Alluxio
   * @param rule for its blocks
   * @param blocks in their order
   */
  record File(
      String path,
      long length,
      long blockSize,
      String underPath,
      long mountId,
      Rule rule,
      List<Block> blocks) {
    public File {
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * How long a file's blocks stay.
   *
   * @param pinned whether they are not evicted
   * @param life after which they are freed, or the file is deleted; empty is for ever
   */
  record Rule(boolean pinned, Optional<Duration> life) {
    /** Alluxio's own, of a file of which nobody has said anything. */
    static final Rule NONE = new Rule(false, Optional.empty());

    /** What {@link AlluxioPort#keep} makes of it. */
    static Rule kept(Duration life) {
      return new Rule(true, Optional.of(life));
    }
  }

  /**
   * A block of a file.
   *
   * @param workers addresses of those that have it
   */
  record Block(long id, List<String> workers) {
    public Block {
      workers = List.copyOf(workers);
    }
  }

  /**
   * Has a worker read a block from the under-store, whole.
   *
   * @param worker its address
   * @param index of the block in its file
   * @throws EleyException {@code ORIGIN_HUNG} after the deadline, {@code NO_SPACE}
   */
  void load(String worker, File file, int index, Duration deadline) throws EleyException;

  /** Has a worker give a block back; one that it has not is fine. */
  void remove(String worker, long blockId) throws EleyException;

  /**
   * Keeps a file's blocks from being evicted, and frees them when nobody has said this again.
   *
   * @throws EleyException {@code ACCESS_DENIED} when the user may not
   */
  void keep(String path, Duration life) throws EleyException;

  /** Leaves a file to Alluxio's own rules. */
  void letGo(String path) throws EleyException;

  @Override
  void close();
}
