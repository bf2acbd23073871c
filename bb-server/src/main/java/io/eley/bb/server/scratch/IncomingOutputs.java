package io.eley.bb.server.scratch;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one connection is writing. Safe for several threads; nothing blocks. */
public final class IncomingOutputs {
  private final Map<Long, IncomingOutput> outputs = new HashMap<>();
  private long handles;
  private boolean over;

  /** Nothing, of a new connection. */
  public IncomingOutputs() {}

  /** Adds an output and returns its handle, or 0 when the connection has ended meanwhile. */
  synchronized long add(IncomingOutput output) {
    if (over) {
      return 0;
    }
    outputs.put(++handles, output);
    return handles;
  }

  synchronized IncomingOutput get(long handle) throws EleyException {
    return known(outputs.get(handle), handle);
  }

  /** Takes it out: whoever does so commits or abandons it. */
  synchronized IncomingOutput take(long handle) throws EleyException {
    return known(outputs.remove(handle), handle);
  }

  /** Ends the connection; what is left is the caller's to abandon. */
  synchronized List<IncomingOutput> end() {
    over = true;
    var left = List.copyOf(outputs.values());
    outputs.clear();
    return left;
  }

  private static IncomingOutput known(@Nullable IncomingOutput output, long handle)
      throws EleyException {
    if (output == null) {
      throw new EleyException(ErrorCode.NOT_FOUND, "no output is written under " + handle);
    }
    return output;
  }
}
