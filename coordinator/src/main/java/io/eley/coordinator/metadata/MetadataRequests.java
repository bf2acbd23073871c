package io.eley.coordinator.metadata;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.Forget;
import io.eley.bb.api.wire.MetadataMessage.GetListing;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.MetadataMessage.Status;
import io.eley.bb.api.wire.MetadataMessage.StatusesSeen;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.server.net.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Answers requests about the origin from the cache, and lends statuses to those who ask for them.
 * Called on event loops; does not block.
 */
public final class MetadataRequests {
  private final MetadataCache cache;
  private final StatusLeases leases;

  public MetadataRequests(MetadataCache cache, StatusLeases leases) {
    this.cache = cache;
    this.leases = leases;
  }

  /** Notes that a client has come; it is told nothing that was before. */
  public void open(Session session) {
    session.attach(cache.now());
  }

  private long since(Session session) {
    return session.attachment() instanceof Long came ? came : cache.now();
  }

  public void answerStatus(Session session, long correlation, GetStatus m) {
    leases.lend(session);
    answer(
        session,
        correlation,
        status(session, m).thenApply(found -> new Status(found, leases.length())));
  }

  private CompletableFuture<OriginStatus> status(Session session, GetStatus m) {
    return m.opening() ? cache.stat(m.path(), true) : cache.stat(m.path(), since(session));
  }

  public void answerListing(Session session, long correlation, GetListing m) {
    var children =
        m.after().isEmpty() ? cache.list(m.path(), since(session)) : cache.listOn(m.path());
    answer(
        session, correlation, children.thenApply(all -> Listings.page(m.path(), all, m.after())));
  }

  /** Answers when no client answers with what was before. */
  public void forget(Session session, long correlation, Forget m) {
    cache.forget(m.path());
    answer(session, correlation, leases.changed(session).thenApply(done -> new Ok()));
  }

  /** Notes that a client has let go of what it was lent before a change. */
  public void noteSeen(Session session, StatusesSeen m) {
    leases.seen(session, m.number());
  }

  /** Notes that a client has gone. */
  public void close(Session session) {
    leases.closed(session);
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
