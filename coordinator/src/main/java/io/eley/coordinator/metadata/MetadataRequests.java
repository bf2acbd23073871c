package io.eley.coordinator.metadata;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetListing;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.MetadataMessage.Listing;
import io.eley.bb.api.wire.MetadataMessage.Status;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.server.net.Session;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Answers requests about the origin from the cache. Called on event loops; does not block. */
public final class MetadataRequests {
  private final MetadataCache cache;

  public MetadataRequests(MetadataCache cache) {
    this.cache = cache;
  }

  public void answerStatus(Session session, long correlation, GetStatus m) {
    answer(session, correlation, cache.stat(m.path(), m.opening()).thenApply(Status::new));
  }

  public void answerListing(Session session, long correlation, GetListing m) {
    answer(session, correlation, cache.list(m.path()).thenApply(all -> page(all, m.after())));
  }

  /**
   * A page of a listing.
   *
   * @param children in the order of their names
   * @param after name of the last child already sent, or empty
   */
  static Listing page(List<OriginStatus> children, String after) {
    int from = 0;
    int to = children.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (name(children.get(middle)).compareTo(after) <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    int end = Math.min(children.size(), from + Listing.PAGE);
    return new Listing(children.subList(from, end), end < children.size());
  }

  private static String name(OriginStatus status) {
    return status.path().substring(status.path().lastIndexOf('/') + 1);
  }

  private static void answer(
      Session session, long correlation, CompletableFuture<? extends Message> answer) {
    var unused =
        answer.whenComplete(
            (message, error) ->
                session.reply(correlation, error == null ? message : failure(error)));
  }

  private static Failure failure(Throwable error) {
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    return cause instanceof EleyException ours
        ? Failure.of(ours)
        : new Failure(ErrorCode.INTERNAL, "defect in the coordinator: " + cause);
  }
}
