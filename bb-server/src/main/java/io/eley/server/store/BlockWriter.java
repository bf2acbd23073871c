package io.eley.server.store;

import io.eley.api.error.EleyException;
import java.nio.ByteBuffer;

/** Fills one block, chunk by chunk in any order. One thread at a time. */
@SuppressWarnings("DoNotCallSuggester") // bodies follow
public final class BlockWriter {
  BlockWriter() {}

  /** Pins the arriving block. */
  public StoredBlock pin() {
    throw new UnsupportedOperationException();
  }

  /** Writes a whole chunk. */
  public void write(int chunk, ByteBuffer bytes) throws EleyException {
    throw new UnsupportedOperationException();
  }

  /** Makes the block permanent; all chunks must be there. */
  public void commit() throws EleyException {
    throw new UnsupportedOperationException();
  }

  /** Gives up; those who wait get the error. Does nothing after a commit or an abort. */
  public void abort(EleyException error) {
    throw new UnsupportedOperationException();
  }
}
