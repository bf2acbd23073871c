package io.eley.spark.connector.fs;

import static org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding.iostatisticsStore;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;
import org.jspecify.annotations.Nullable;

/**
 * What a file system has done, for Hadoop's {@code IOStatistics}: files opened, created and
 * appended to, bytes that applications have read from its streams and written to them.
 *
 * <p>Safe for several threads.
 */
final class IoCounts implements IOStatisticsSource {
  static final String OPENS = StoreStatisticNames.OP_OPEN;
  static final String CREATES = StoreStatisticNames.OP_CREATE;
  static final String APPENDS = StoreStatisticNames.OP_APPEND;
  static final String BYTES_READ = StreamStatisticNames.STREAM_READ_BYTES;
  static final String BYTES_WRITTEN = StreamStatisticNames.STREAM_WRITE_BYTES;

  private final FileSystem.@Nullable Statistics byTask;
  private final IOStatisticsStore counters =
      iostatisticsStore().withCounters(OPENS, CREATES, APPENDS, BYTES_READ, BYTES_WRITTEN).build();

  /**
   * Counters at zero.
   *
   * @param byTask Hadoop's older statistics, where bytes read are counted for the calling thread
   */
  IoCounts(FileSystem.@Nullable Statistics byTask) {
    this.byTask = byTask;
  }

  @Override
  public IOStatistics getIOStatistics() {
    return counters;
  }

  void count(String operation) {
    counters.incrementCounter(operation);
  }

  /** Bytes of a stream that is being opened, which are also counted here. */
  OfStream reader() {
    return new OfStream(BYTES_READ, byTask);
  }

  /** The same of one that is being written; its older statistics are Hadoop's own affair. */
  OfStream writer() {
    return new OfStream(BYTES_WRITTEN, null);
  }

  /** Bytes of one stream. */
  final class OfStream implements IOStatisticsSource {
    private final String name;
    private final FileSystem.@Nullable Statistics older;
    private final IOStatisticsStore own;

    private OfStream(String name, FileSystem.@Nullable Statistics older) {
      this.name = name;
      this.older = older;
      own = iostatisticsStore().withCounters(name).build();
    }

    /** On the thread that asked for the bytes, once for each. */
    void add(long bytes) {
      own.incrementCounter(name, bytes);
      counters.incrementCounter(name, bytes);
      if (older != null) {
        older.incrementBytesRead(bytes);
      }
    }

    @Override
    public IOStatistics getIOStatistics() {
      return own;
    }
  }
}
