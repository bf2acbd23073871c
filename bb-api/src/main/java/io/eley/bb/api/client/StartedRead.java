package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.Remedy;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A read that is under way while its reader does something else: the node sends meanwhile, so what
 * follows a read needs no round trip of its own. When it fails it is made anew, with all that
 * {@link BbFile#read} does to get the bytes. What is to be read from a file of this machine, or
 * from the origin, is read when it is waited for.
 *
 * <p>For one thread, which calls {@link #await} or {@link #drop} once.
 */
public final class StartedRead {
  private final BbFile file;
  private final long position;
  private final ByteBuffer target;
  private final Patience patience;
  private final Optional<BlockReads.Begun> begun;

  StartedRead(
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

  /** Whether a node was asked already. */
  public boolean underWay() {
    return begun.isPresent();
  }

  /** Blocks until the bytes are there; returns and throws as {@link BbFile#read} does. */
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

  /**
   * Gives the read up without waiting.
   *
   * @param action runs when nobody writes to the target any more, on this thread or another one,
   *     and must not block
   */
  public void drop(Runnable action) {
    if (begun.isPresent()) {
      begun.get().drop(action);
    } else {
      action.run();
    }
  }
}
