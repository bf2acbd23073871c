package io.eley.bb.server.node;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.MetadataMessage.View;
import org.jspecify.annotations.Nullable;

/** The newest view that a node has been told; for who holds the lock that orders views. */
final class KnownView {
  private @Nullable View view;
  private boolean coordinatorIsNew;

  /** The next view counts whatever its epoch is: each coordinator counts its own. */
  void acceptNewCoordinator() {
    coordinatorIsNew = true;
  }

  /**
   * Takes a view that is not older than the known one: the answer to Register and a pushed view may
   * overtake each other.
   *
   * @return whether it counts
   * @throws EleyException {@code INCOMPATIBLE} when it is of another deployment than the first one
   */
  boolean take(View next) throws EleyException {
    View known = view;
    if (known != null) {
      if (!next.view().geometry().equals(known.view().geometry())
          || !next.originAddress().equals(known.originAddress())) {
        throw new EleyException(
            ErrorCode.INCOMPATIBLE,
            "the deployment has another origin or block size now; restart this node");
      }
      if (!coordinatorIsNew && next.view().epoch() < known.view().epoch()) {
        return false;
      }
    }
    coordinatorIsNew = false;
    view = next;
    return true;
  }
}
