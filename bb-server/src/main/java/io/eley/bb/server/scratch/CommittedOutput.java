package io.eley.bb.server.scratch;

import io.eley.bb.api.MapOutput;
import io.eley.bb.server.scratch.ScratchApplication.Output;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an output whose writer has told to commit it, and may have given it up behind
 * that: then it has not heard the answer, and the output goes to another node. The store's lock
 * guards it.
 */
final class CommittedOutput {
  final MapOutput output;

  /** What readers see; null while it is being committed. */
  @Nullable Output made;

  /** Its writer has given it up. */
  boolean unwanted;

  CommittedOutput(MapOutput output) {
    this.output = output;
  }
}
