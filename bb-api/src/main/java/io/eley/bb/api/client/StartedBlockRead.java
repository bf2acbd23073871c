package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.Remedy;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A started read of a file; a node was asked where one has what is wanted. */
final class StartedBlockRead implements StartedRead {
  private final BbFile file;
  private final long position;
  private final ByteBuffer target;
  private final Patience patience;
  private final Optional<BlockReads.Begun> begun;

  StartedBlockRead(
      BbFile file,
      long position,
      ByteBuffer target,
      Patience patience,
      Optional<BlockReads.Begun> begun) {
    this.file = file;
    this.position = position;
    this.target = target;
    this.patience = patience;
    this.begun = begun;
  }

  @Override
  public boolean underWay() {
    return begun.isPresent();
  }

  @Override
  public int await() throws EleyException {
    if (begun.isPresent()) {
      try {
        int count = file.finish(begun.get(), patience);
        target.position(target.position() + count);
        return count;
      } catch (EleyException e) {
        if (e.remedy() == Remedy.FAIL) {
          throw e;
        }
      }
    }
    return file.read(position, target, patience);
  }

  @Override
  public void drop(Runnable action) {
    if (begun.isPresent()) {
      begun.get().drop(action);
    } else {
      action.run();
    }
  }
}
