package io.eley.bb.server.scratch;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one connection is writing. Safe for several threads; nothing blocks. */
public final class IncomingOutputs {
  /** More than a connection's writers commit while one of them waits for an answer in vain. */
  private static final int COMMITTED_MOST = 256;

  private final Map<Long, Granted> outputs = new HashMap<>();

  /** The oldest first. */
  private final Map<Long, CommittedOutput> committed = new LinkedHashMap<>();

  private long handles;
  private boolean over;

  /**
   * An output and how many of its pieces may be under way: whoever takes it out gives these back.
   */
  record Granted(IncomingOutput output, PieceGrants.Grant grant) {}

  /** Nothing, of a new connection. */
  public IncomingOutputs() {}

  /** Adds an output and returns its handle, or 0 when the connection has ended meanwhile. */
  synchronized long add(Granted output) {
    if (over) {
      return 0;
    }
    outputs.put(++handles, output);
    return handles;
  }

  /** For a piece of it. */
  synchronized IncomingOutput get(long handle) throws EleyException {
    Granted written = known(outputs.get(handle), handle);
    written.grant().noteUse();
    return written.output();
  }

  /** Takes it out: whoever does so commits it. */
  synchronized Granted takeToCommit(long handle) throws EleyException {
    Granted written = known(outputs.remove(handle), handle);
    committed.put(handle, written.output().committed());
    if (committed.size() > COMMITTED_MOST) {
      committed.remove(committed.keySet().iterator().next());
    }
    return written;
  }

  /** Takes it out unless it is committed, or was: whoever does so abandons it. */
  synchronized Optional<Granted> take(long handle) {
    return Optional.ofNullable(outputs.remove(handle));
  }

  /** Takes out what is being committed, or was lately. */
  synchronized CommittedOutput takeCommitted(long handle) throws EleyException {
    return known(committed.remove(handle), handle);
  }

  /** Ends the connection; what is left is the caller's to abandon. */
  synchronized List<Granted> end() {
    over = true;
    var left = List.copyOf(outputs.values());
    outputs.clear();
    committed.clear();
    return left;
  }

  private static <T> T known(@Nullable T output, long handle) throws EleyException {
    if (output == null) {
      throw new EleyException(ErrorCode.NOT_FOUND, "no output is written under " + handle);
    }
    return output;
  }
}
