package io.eley.origin.hadoop;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.AbortableOutput;
import io.eley.bb.api.origin.DurableOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;

/** A stream to a file of Hadoop's. An object is there, whole, when its stream has been closed. */
class HadoopOutput extends OutputStream implements AbortableOutput {
  private final String path;
  private final FSDataOutputStream stream;

  private HadoopOutput(String path, FSDataOutputStream stream) {
    this.path = path;
    this.stream = stream;
  }

  /** A stream that can be told to keep its bytes where the file system's can. */
  static OutputStream of(String path, FSDataOutputStream stream) {
    return stream.hasCapability(StreamCapabilities.HSYNC)
        ? new Durable(path, stream)
        : new HadoopOutput(path, stream);
  }

  /** HDFS's: what was flushed is seen by others before the file is closed. */
  private static final class Durable extends HadoopOutput implements DurableOutput {
    private final String path;
    private final FSDataOutputStream stream;

    Durable(String path, FSDataOutputStream stream) {
      super(path, stream);
      this.path = path;
      this.stream = stream;
    }

    /** Hadoop's own flush leaves bytes with the client. */
    @Override
    public void flush() throws IOException {
      Calls.run("write " + path, stream::hflush);
    }

    /** With the length, else who asks for the file's status has it as it was at the first flush. */
    @Override
    public void force() throws EleyException {
      Calls.run(
          "write " + path,
          () -> {
            if (stream instanceof HdfsDataOutputStream hdfs) {
              hdfs.hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
            } else {
              stream.hsync();
            }
          });
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Calls.run("write " + path, () -> stream.write(bytes, offset, length));
  }

  @Override
  public void flush() throws IOException {
    Calls.run("write " + path, stream::flush);
  }

  @Override
  public void close() throws IOException {
    Calls.run("close " + path, stream::close);
  }

  /** Closed where Hadoop's stream knows nothing else: there, what was written is seen already. */
  @Override
  public void abort() throws EleyException {
    if (stream.hasCapability(CommonPathCapabilities.ABORTABLE_STREAM)) {
      Calls.run("give up " + path, stream::abort);
    } else {
      Calls.run("close " + path, stream::close);
    }
  }
}
