package io.eley.coordinator.board;

import io.eley.bb.api.RecentMap;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.server.net.KeyRing;
import io.eley.controller.board.Asker;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of a board's directory. A token is taken when its owner is the user that its name
 * says, and nobody else can read it; so its owner is whoever proves to have it.
 *
 * <p>Files are read on threads of their own, {@value #MOST_AT_ONCE} in all; further look-ups wait
 * for one. Whose token it is says the one who asks, before he has proved anything: so a look-up of
 * a user's keeps no other one of that user from being made. Only when {@value #MOST_HANGING} of one
 * user's hang, as on a file system that answers no more, is a further one of his refused, so that
 * they do not take all threads. Safe for several threads.
 */
final class TokenRing implements KeyRing, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TokenRing.class);
  private static final int MOST_AT_ONCE = 64;
  private static final int MOST_WAITING = 1024;
  static final int MOST_HANGING = 8;

  /** A look-up takes milliseconds; whoever floods us with them makes none last so long. */
  static final Duration HANGS = Duration.ofSeconds(1);

  private static final int MOST_BYTES = 128;
  private static final int REMEMBERED = 10_000;
  static final int MOST_TOLD = 100;

  /** A deployment that is older makes its token again should it connect again. */
  private static final Duration LIFE = Duration.ofDays(1);

  private final BoardFiles files;
  private final TokenFile tokenFile;
  private final LongSupplier clock;

  /** By key: who asks for one that is being looked up waits for the same look-up. */
  private final Map<String, LookUp> underWay = new ConcurrentHashMap<>();

  private final AtomicBoolean sweeping = new AtomicBoolean();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          MOST_AT_ONCE,
          MOST_AT_ONCE,
          10,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(MOST_WAITING),
          work -> {
            var thread = new Thread(work, "eley-board-tokens");
            thread.setDaemon(true);
            return thread;
          });

  /** What is in a token. */
  @FunctionalInterface
  interface TokenFile {
    /**
     * See {@link OwnPaths#readSecretOf}; blocks.
     *
     * @throws IOException when it is not there, or not that user's alone
     */
    String read(int owner, Path file, int most) throws IOException;
  }

  /**
   * A token that is being looked up.
   *
   * @param user whose token it is said to be
   * @param since nanoseconds of the clock
   */
  private record LookUp(int user, long since, CompletableFuture<Secret> secret) {
    boolean hangs(long now) {
      return now - since > HANGS.toNanos();
    }
  }

  /** The names of users by keys, of the tokens that were read last. */
  private final Map<String, String> users = new RecentMap<>(REMEMBERED);

  /** Keys of tokens that were refused, and told, since the last sweep. */
  private final Set<String> told = new HashSet<>();

  TokenRing(BoardFiles files) {
    this(files, OwnPaths::readSecretOf, System::nanoTime);
  }

  TokenRing(BoardFiles files, TokenFile tokenFile, LongSupplier clock) {
    this.files = files;
    this.tokenFile = tokenFile;
    this.clock = clock;
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public CompletableFuture<Secret> find(String key) {
    int user;
    try {
      user = BoardFiles.userOf(key);
    } catch (IllegalArgumentException e) {
      return CompletableFuture.failedFuture(unknown(e.getMessage() + ""));
    }
    long now = clock.getAsLong();
    if (hanging(user, now) >= MOST_HANGING) {
      return CompletableFuture.failedFuture(unavailable("this user's tokens cannot be read now"));
    }
    var begun = new LookUp(user, now, new CompletableFuture<>());
    LookUp known = underWay.putIfAbsent(key, begun);
    if (known != null) { // nobody is queued behind one that hangs: that queue would have no end
      return known.hangs(now)
          ? CompletableFuture.failedFuture(unavailable("this token cannot be read now"))
          : known.secret();
    }
    try {
      threads.execute(() -> lookUp(key, begun));
    } catch (RejectedExecutionException e) {
      underWay.remove(key);
      begun.secret().completeExceptionally(unavailable("too many tokens are being looked up"));
    }
    return begun.secret();
  }

  private long hanging(int user, long now) {
    return underWay.values().stream().filter(l -> l.user() == user && l.hangs(now)).count();
  }

  private void lookUp(String key, LookUp begun) {
    try {
      Optional<Secret> secret = read(key, begun.user());
      underWay.remove(key);
      if (secret.isPresent()) {
        begun.secret().complete(secret.get());
      } else {
        begun.secret().completeExceptionally(unknown("there is no such token of this user"));
      }
    } catch (RuntimeException | Error e) {
      underWay.remove(key);
      begun.secret().completeExceptionally(e);
    }
  }

  private static EleyException unavailable(String why) {
    return new EleyException(ErrorCode.UNAVAILABLE, why + "; try again");
  }

  /** Says no more than that it is not there, to whom nobody knows. */
  private static EleyException unknown(String why) {
    return new EleyException(ErrorCode.UNAUTHENTICATED, why);
  }

  private Optional<Secret> read(String key, int user) {
    Path token = files.token(key);
    try {
      var secret = Secret.ofHex(tokenFile.read(user, token, MOST_BYTES));
      String name = ownersName(token, user);
      synchronized (users) {
        users.put(key, name);
      }
      return Optional.of(secret);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      tellOnce(key, e.getMessage() + "");
    } catch (IllegalArgumentException e) {
      tellOnce(key, token + " holds no secret");
    }
    return Optional.empty();
  }

  /**
   * The name of a token's owner. Its user may put another file in its place at any moment, also one
   * that is not his: whose it is, and his name, are of one look.
   */
  private static String ownersName(Path token, int user) throws IOException {
    Map<String, Object> owner =
        Files.readAttributes(token, "unix:uid,owner", LinkOption.NOFOLLOW_LINKS);
    if (!Objects.equals(owner.get("uid"), user)) {
      throw new IOException(token + " was replaced by another user's file");
    }
    return ((UserPrincipal) Objects.requireNonNull(owner.get("owner"))).getName();
  }

  /**
   * Once for each token until the next sweep, and of no more than a few: anybody may leave bad ones
   * there, and ask for them without end.
   */
  private void tellOnce(String key, String why) {
    boolean first;
    synchronized (told) {
      first = told.size() < MOST_TOLD && told.add(key);
    }
    if (first) {
      LOG.warn("a token is not taken: {}", why);
    } else {
      LOG.debug("a token is not taken again: {}", why);
    }
  }

  /** Whoever has proved to have a key. */
  Asker asker(String key) {
    synchronized (users) {
      return new Asker(key, users.getOrDefault(key, key.replaceAll("-.*", "")));
    }
  }

  /**
   * Removes, on a thread of its own, what deployments have left that were killed: all of it,
   * however much there is that stays. Everybody makes entries there; one that is in the way costs
   * itself.
   */
  void sweep() {
    if (sweeping.compareAndSet(false, true)) {
      var thread = new Thread(this::removeOld, "eley-board-sweep");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void removeOld() {
    synchronized (told) {
      told.clear();
    }
    Instant before = Instant.now().minus(LIFE);
    try (DirectoryStream<Path> tokens = Files.newDirectoryStream(files.tokens())) {
      for (Path token : tokens) {
        removeIfOlder(token, before);
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.warn("old tokens are not swept away: {}", e.getMessage());
    } finally {
      sweeping.set(false);
    }
  }

  /** A directory with something in it stays. */
  private static void removeIfOlder(Path token, Instant before) {
    try {
      var modified = Files.getLastModifiedTime(token, LinkOption.NOFOLLOW_LINKS);
      if (modified.toInstant().isBefore(before)) {
        Files.deleteIfExists(token);
      }
    } catch (IOException e) {
      LOG.debug("{} is not swept away", token, e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
