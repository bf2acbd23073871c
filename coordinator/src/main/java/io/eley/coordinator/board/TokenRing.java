package io.eley.coordinator.board;

import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.server.net.KeyRing;
import io.eley.controller.board.Asker;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of a board's directory. A token is taken when its owner is the user that its name
 * says, and nobody else can read it; so its owner is whoever proves to have it.
 *
 * <p>Files are read on threads of their own, one a user and {@value #MOST_AT_ONCE} in all: whoever
 * makes a look-up hang (by a pipe in a file's place, on a file system that hangs) keeps himself
 * out. Safe for several threads.
 */
final class TokenRing implements KeyRing, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TokenRing.class);
  private static final int MOST_AT_ONCE = 64;
  private static final int MOST_BYTES = 128;
  private static final int REMEMBERED = 10_000;

  /** A deployment that is older makes its token again should it connect again. */
  private static final Duration LIFE = Duration.ofDays(1);

  /** More files than this are not swept at once. */
  private static final int SWEPT = 100_000;

  private final BoardFiles files;
  private final Set<Integer> busy = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          work -> {
            var thread = new Thread(work, "eley-board-tokens");
            thread.setDaemon(true);
            return thread;
          });

  /** The names of users by keys, of the tokens that were read last. */
  private final Map<String, String> users =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > REMEMBERED;
        }
      };

  TokenRing(BoardFiles files) {
    this.files = files;
  }

  @Override
  public CompletableFuture<Secret> find(String key) {
    int user;
    try {
      user = BoardFiles.userOf(key);
    } catch (IllegalArgumentException e) {
      return refused(e.getMessage() + "");
    }
    if (busy.size() >= MOST_AT_ONCE || !busy.add(user)) {
      return CompletableFuture.failedFuture(
          new EleyException(ErrorCode.UNAVAILABLE, "another token is being looked up; try again"));
    }
    return CompletableFuture.supplyAsync(() -> read(key, user), threads)
        .whenComplete((secret, e) -> busy.remove(user))
        .thenCompose(
            secret ->
                secret
                    .map(CompletableFuture::completedFuture)
                    .orElseGet(() -> refused("there is no such token of this user")));
  }

  /** Says no more than that it is not there, to whom nobody knows. */
  private static <T> CompletableFuture<T> refused(String why) {
    return CompletableFuture.failedFuture(new EleyException(ErrorCode.UNAUTHENTICATED, why));
  }

  private Optional<Secret> read(String key, int user) {
    Path token = files.token(key);
    try {
      var secret = Secret.ofHex(OwnPaths.readSecretOf(user, token, MOST_BYTES));
      String name = Files.getOwner(token, LinkOption.NOFOLLOW_LINKS).getName();
      synchronized (users) {
        users.put(key, name);
      }
      return Optional.of(secret);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      LOG.warn("a token is not taken: {}", e.getMessage());
    } catch (IllegalArgumentException e) {
      LOG.warn("a token is not taken: {} holds no secret", token);
    }
    return Optional.empty();
  }

  /** Whoever has proved to have a key. */
  Asker asker(String key) {
    synchronized (users) {
      return new Asker(key, users.getOrDefault(key, key.replaceAll("-.*", "")));
    }
  }

  /** Removes, on a thread of its own, what deployments have left that were killed. */
  void sweep() {
    threads.execute(
        () -> {
          Instant before = Instant.now().minus(LIFE);
          int left = SWEPT;
          try (DirectoryStream<Path> tokens = Files.newDirectoryStream(files.tokens())) {
            for (Path token : tokens) {
              var modified = Files.getLastModifiedTime(token, LinkOption.NOFOLLOW_LINKS);
              if (modified.toInstant().isBefore(before)) {
                Files.deleteIfExists(token);
              }
              if (--left == 0) {
                break;
              }
            }
          } catch (IOException e) {
            LOG.warn("old tokens are not swept away: {}", e.getMessage());
          }
        });
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
