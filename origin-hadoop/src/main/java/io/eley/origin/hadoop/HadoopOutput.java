package io.eley.origin.hadoop;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.DurableOutput;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;

/** A stream to a file of Hadoop's. An object is there, whole, when its stream has been closed. */
final class HadoopOutput extends OutputStream implements DurableOutput {
  private final String path;
  private final FSDataOutputStream stream;

  HadoopOutput(String path, FSDataOutputStream stream) {
    this.path = path;
    this.stream = stream;
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
  public void force() throws EleyException {
    if (stream.hasCapability(StreamCapabilities.HSYNC)) {
      Calls.run("write " + path, stream::hsync);
    }
  }

  @Override
  public void close() throws IOException {
    Calls.run("close " + path, stream::close);
  }
}
