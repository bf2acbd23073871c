package io.eley.emulated.pfs;

import io.eley.ior.IorTarget;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The IOR load's files behind the emulated PFS: each open file is a stream of its own, and each
 * transfer asks for leave first.
 */
final class PacedTarget implements IorTarget {
  /** How the PFS's record names this traffic. */
  static final String CLIENT = "ior";

  private static final String CAUSE = "HPC";

  private final EmulatedPfsClient pfs;
  private final IorTarget files;

  /**
   * Files whose transfers are paid for.
   *
   * @param pfs a connection, closed with this
   * @param files where the bytes go
   */
  PacedTarget(EmulatedPfsClient pfs, IorTarget files) {
    this.pfs = pfs;
    this.files = files;
  }

  @Override
  public IorFile open(String path, boolean write) throws IOException {
    var stream = new PacedStream(pfs);
    stream.payCall(CAUSE);
    return new PaidFile(stream, files.open(path, write));
  }

  @Override
  public void delete(String path) throws IOException {
    files.delete(path);
  }

  @Override
  public long size(String path) throws IOException {
    return files.size(path);
  }

  @Override
  public void close() {
    pfs.close();
    files.close();
  }

  private record PaidFile(PacedStream stream, IorFile file) implements IorFile {
    @Override
    public void write(ByteBuffer bytes, long position) throws IOException {
      stream.payWrite(CAUSE, bytes.remaining());
      file.write(bytes, position);
    }

    @Override
    public void read(ByteBuffer bytes, long position) throws IOException {
      stream.payRead(CAUSE, bytes.remaining());
      file.read(bytes, position);
    }

    @Override
    public void sync() throws IOException {
      stream.payCall(CAUSE);
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
