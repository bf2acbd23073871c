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
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.TaskContext;

/** Local files, as they are, with a record of what Spark's tasks read of them in this JVM. */
public final class RecordingFileSystem extends RawLocalFileSystem {
  private static final Map<String, List<ByteRange>> READ = new TreeMap<>();

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
