package io.eley.ior;

import io.eley.bb.api.error.EleyException;
import io.eley.emulated.pfs.EmulatedPfsClient;
import io.eley.emulated.pfs.PacedStream;
import io.eley.emulated.pfs.PfsAddress;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Files behind the emulated PFS: each open file is a stream of its own, and each transfer asks for
 * leave first.
 */
final class PacedTarget implements IorTarget {
  /** How the PFS's record names this traffic. */
  private static final String CLIENT = "ior";

  private static final String CAUSE = "HPC";

  private final PosixTarget files = new PosixTarget();
  private final EmulatedPfsClient pfs;

  /** Connects. */
  PacedTarget(PfsAddress address) throws EleyException {
    pfs = address.connect(CLIENT);
  }

  @Override
  public IorFile open(String path, boolean write) throws IOException {
    var stream = new PacedStream(pfs);
    stream.payCall(CAUSE);
    return new PacedFile(stream, files.open(path, write));
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
  }

  private record PacedFile(PacedStream stream, IorFile file) implements IorFile {
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
