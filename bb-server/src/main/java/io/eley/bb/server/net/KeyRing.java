package io.eley.bb.server.net;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
import java.util.concurrent.CompletableFuture;

/**
 * The keys of a server that has one for each of its clients. Called on an event loop: must not
 * block; what has to be looked up is looked up elsewhere. Safe for several threads.
 */
@FunctionalInterface
public interface KeyRing {
  /** Of a server that has its own secret alone. */
  KeyRing NONE =
      key ->
          CompletableFuture.failedFuture(
              new EleyException(ErrorCode.UNAUTHENTICATED, "this server has one secret alone"));

  /**
   * The secret of a key, whoever asks.
   *
   * @param key a name within its rule that a stranger has chosen
   * @return fails with an {@link EleyException}, whose line the stranger is told, when there is
   *     none
   */
  CompletableFuture<Secret> find(String key);
}
