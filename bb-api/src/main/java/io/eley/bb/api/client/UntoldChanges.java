package io.eley.bb.api.client;

import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.MetadataMessage.Forget;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Paths that we have changed while the coordinator could not be told: one that stood still for a
 * moment, and lives on, would answer with what it had cached before. They are sent ahead of the
 * next question, so that its answer is from after them, and to a new connection again unless the
 * last one has answered. Another process that answers there knows of none, and forgets in vain.
 *
 * <p>At most {@value #MOST}, so that they do not fill a socket; then all of the origin is one
 * change.
 *
 * <p>Safe for several threads, of which one at a time may {@link #tell}.
 */
final class UntoldChanges {
  static final int MOST = 64;

  /** With the connection over which it was sent; null when it was over none. */
  private final Map<String, @Nullable Connection> paths = new HashMap<>();

  synchronized void add(String path) {
    if (paths.size() >= MOST && !paths.containsKey(path)) {
      paths.clear();
      paths.put(OriginPaths.ROOT, null);
    } else {
      paths.put(path, null);
    }
  }

  /**
   * Sends what this connection has not been sent. Answers are not waited for: the coordinator takes
   * what comes over one connection in its order. Blocks while the socket is full.
   */
  void tell(Connection connection) {
    for (String path : take(connection)) {
      var unused =
          connection
              .request(new Forget(path))
              .whenComplete((answer, error) -> note(path, connection, error));
    }
  }

  private synchronized Iterable<String> take(Connection connection) {
    var taken = paths.keySet().stream().filter(path -> paths.get(path) != connection).toList();
    taken.forEach(path -> paths.put(path, connection));
    return taken;
  }

  /** Whatever was answered, it was heard; what was not answered goes to the next connection. */
  private synchronized void note(String path, Connection over, @Nullable Throwable error) {
    if (paths.get(path) != over) {
      return; // changed once more since
    }
    if (error instanceof EleyException e && e.code() == ErrorCode.INTERRUPTED) {
      paths.put(path, null); // it has not left
    } else if (error == null || over.isOpen()) {
      paths.remove(path);
    }
  }
}
