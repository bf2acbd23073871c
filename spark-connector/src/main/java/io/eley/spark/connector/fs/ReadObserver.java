package io.eley.spark.connector.fs;

import java.util.function.Function;

/**
 * Is told which bytes of one file a stream asks Eley for. Called on the thread that reads, before
 * it does, perhaps by several threads at once; must not block.
 */
@FunctionalInterface
public interface ReadObserver {
  ReadObserver NONE = (offset, length) -> {};

  /** Bytes of the file are asked for; fewer are read at its end. */
  void reads(long offset, long length);

  /**
   * A thread has waited for bytes of the file for so long; of reads that go on by themselves, the
   * time until they were there. On the thread that reads or another one; must not block.
   */
  default void waited(long nanos) {}

  /**
   * Who observes streams in this JVM: Hadoop makes file systems by itself, so there is no other way
   * to hand it on. Safe for several threads.
   */
  final class Registry {
    private static volatile Function<String, ReadObserver> observers = path -> NONE;

    private Registry() {}

    /**
     * Sets who observes streams that are opened from now on.
     *
     * @param perFile by origin path, called on the thread that opens
     */
    public static void set(Function<String, ReadObserver> perFile) {
      observers = perFile;
    }

    static ReadObserver of(String path) {
      return observers.apply(path);
    }
  }
}
