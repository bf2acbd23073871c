package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * Local files, as they are, with a record of what Spark's tasks read of them in this JVM. Tasks can
 * be kept from opening any before their stages are told to listeners.
 */
public final class RecordingFileSystem extends LocalFileSystem {
  private static final Map<String, List<ByteRange>> READ = new TreeMap<>();

  /** Whose tasks may open files; null is all. */
  private static volatile @Nullable ToldStages told;

  /** One whose files have no checksums beside them, though Hadoop wants this superclass. */
  public RecordingFileSystem() {
    setWriteChecksum(false);
  }

  /** From now on a task waits until its stage is one of these. */
  static void openOnlyFor(ToldStages stages) {
    told = stages;
  }

  /** From now on no task waits. */
  static void openForAll() {
    told = null;
  }

  /** What tasks have read since the last time, by file; forgets it. */
  static Map<String, List<ByteRange>> take() {
    synchronized (READ) {
      var read = Map.copyOf(READ);
      READ.clear();
      return read;
    }
  }

  /** How many different bytes tasks have read since the last time; forgets them. */
  public static long distinctBytes() {
    return ColumnScan.count(take());
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    TaskContext task = TaskContext.get();
    ToldStages awaited = told;
    if (task != null && awaited != null) {
      awaited.await(task);
    }
    return new FSDataInputStream(new Recorded(pathToFile(file)));
  }

  private static final class Recorded extends FSInputStream {
    private final String path;
    private final RandomAccessFile file;

    Recorded(java.io.File local) throws IOException {
      path = local.getPath();
      file = new RandomAccessFile(local, "r");
    }

    @Override
    public void seek(long position) throws IOException {
      if (position > file.length()) {
        throw new EOFException("behind the end of " + path);
      }
      file.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return file.getFilePointer();
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    @Override
    public int read() throws IOException {
      return note(getPos(), 1, file.read());
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      long position = getPos();
      int count = file.read(buffer, offset, length);
      return note(position, count, count);
    }

    private int note(long position, int count, int result) {
      if (count > 0 && result >= 0 && TaskContext.get() != null) {
        synchronized (READ) {
          READ.computeIfAbsent(path, p -> new ArrayList<>()).add(new ByteRange(position, count));
        }
      }
      return result;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
