package io.eley.controller.board;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What deployments say that they have moved, as far as the board takes it for true. What a
 * deployment has moved is nobody's phase, so whoever claims too much hides somebody's:
 *
 * <ul>
 *   <li>bytes only grow, from the first word on, and not faster than {@value #MOST_PER_SECOND} a
 *       second;
 *   <li>whose deployments together claim for sure, in one interval of the counters, more than twice
 *       what everybody has moved in it, and {@value #ALLOWANCE} bytes, is not believed for half a
 *       minute. A claim that hides a phase of 200 MB/s is caught in each of that application's
 *       pauses, so no phase that begins after one is hidden. (Twice, for a mount may answer from
 *       its own memory what no server has moved.)
 * </ul>
 *
 * <p>Not thread-safe. Times are nanoseconds of the board's clock.
 */
final class Claims {
  /** So many deployments of one user count, and so many of all; more are told what others see. */
  static final int MOST_OF_A_USER = 64;

  static final int MOST = 4096;
  static final long MOST_PER_SECOND = 1L << 38;
  static final long ALLOWANCE = 16L << 20;

  /** Whoever has said nothing for so long is gone: its nodes' permits have lapsed. */
  static final Duration LIFE = Duration.ofSeconds(3);

  /** Whoever has moved nothing for so long leaves its share of the file system to others. */
  static final Duration ACTIVE = Duration.ofSeconds(10);

  static final Duration DISBELIEF = Duration.ofSeconds(30);

  /** A counter's time may be so far from ours. */
  private static final long SLACK = Duration.ofMillis(100).toNanos();

  private static final int KEPT = 64;
  private static final long NEVER = Long.MIN_VALUE;

  private final Map<String, Deployment> deployments = new TreeMap<>();

  /** When the users that are not believed will be again. */
  private final Map<String, Long> disbelieved = new HashMap<>();

  private final Map<String, Long> movedByUser = new HashMap<>();
  private long moved;

  /** Of the board's time {@code asked} to {@code heard}, at some moment, so much was claimed. */
  private record Claim(long asked, long heard, long bytes) {}

  private static final class Deployment {
    final String user;
    final Deque<Claim> claims = new ArrayDeque<>();
    long claimed;
    long believed;
    long othersSeen;
    long heard;
    long movedAt = NEVER;

    Deployment(String user) {
      this.user = user;
    }
  }

  /**
   * What is taken of a word.
   *
   * @param bytes that the deployment is believed to have moved since its first word
   * @param asked when its nodes were asked, at the earliest
   */
  record Believed(long bytes, long asked) {}

  /**
   * Takes a deployment's word, which has just come.
   *
   * @param bytes that it says that it has moved since its start
   * @param stamp of our answer after which it was summed up, as it says
   * @return empty when there are too many deployments, or its nodes do not answer it
   */
  Optional<Believed> take(Asker asker, long bytes, long stamp, long now) {
    Deployment known = deployments.get(asker.key());
    if (known == null && full(asker.user())) {
      return Optional.empty();
    }
    Deployment of = known == null ? add(asker, bytes, now) : known;
    long asked = asked(of, stamp, now);
    long more = Math.max(0, bytes - of.claimed);
    of.claimed = Math.max(of.claimed, bytes);
    if (more > 0) {
      of.movedAt = now;
    }
    more = Math.min(more, most(now - of.heard));
    of.heard = now;
    of.claims.add(new Claim(asked, now, (of.claims.isEmpty() ? 0 : last(of)) + more));
    if (of.claims.size() > KEPT) {
      of.claims.remove();
    }
    if (!disbelieves(of.user, now)) {
      of.believed += more;
      moved += more;
      movedByUser.merge(of.user, more, Long::sum);
    }
    return now - asked > LIFE.toNanos()
        ? Optional.empty()
        : Optional.of(new Believed(of.believed, asked));
  }

  private Deployment add(Asker asker, long bytes, long now) {
    var of = new Deployment(asker.user());
    of.claimed = bytes;
    of.heard = now;
    of.othersSeen = movedByOthers(asker.user());
    deployments.put(asker.key(), of);
    return of;
  }

  private static long last(Deployment of) {
    return of.claims.getLast().bytes;
  }

  private static long most(long nanos) {
    return (long) (MOST_PER_SECOND * (nanos / 1e9));
  }

  /** Whatever it says: not before its last word was asked for, and not after now. */
  private static long asked(Deployment of, long stamp, long now) {
    long least = of.claims.isEmpty() ? now - LIFE.toNanos() : of.claims.getLast().asked;
    return stamp - least < 0 || stamp - now > 0 ? least : stamp;
  }

  private boolean full(String user) {
    return deployments.size() >= MOST
        || deployments.values().stream().filter(d -> d.user.equals(user)).count() >= MOST_OF_A_USER;
  }

  /** Forgets those that have fallen silent, and returns their keys. */
  List<String> forgetSilent(long now) {
    var silent = new ArrayList<String>();
    deployments.forEach(
        (key, of) -> {
          if (now - of.heard > LIFE.toNanos()) {
            silent.add(key);
          }
        });
    silent.forEach(deployments::remove);
    disbelieved.values().removeIf(until -> until - now <= 0);
    return silent;
  }

  /**
   * Compares with what everybody has moved between two moments, and returns the users who are not
   * believed any more from now on.
   */
  Set<String> audit(long from, long to, long total, long now) {
    var sums = new TreeMap<String, Long>();
    deployments
        .values()
        .forEach(of -> sums.merge(of.user, sure(of, from + SLACK, to - SLACK), Long::sum));
    long credible = total > (Long.MAX_VALUE - ALLOWANCE) / 2 ? total : 2 * total + ALLOWANCE;
    var liars =
        sums.entrySet().stream()
            .filter(sum -> sum.getValue() > credible)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    liars.removeIf(
        user -> {
          boolean known = disbelieves(user, now);
          disbelieved.put(user, now + DISBELIEF.toNanos());
          return known;
        });
    return liars;
  }

  private boolean disbelieves(String user, long now) {
    Long until = disbelieved.get(user);
    return until != null && until - now > 0;
  }

  /** What it claims to have moved between two moments, at least. */
  private static long sure(Deployment of, long from, long to) {
    long before = Long.MAX_VALUE;
    long after = 0;
    for (Claim claim : of.claims) {
      if (before == Long.MAX_VALUE && claim.asked - from >= 0) {
        before = claim.bytes;
      }
      if (claim.heard - to <= 0) {
        after = claim.bytes;
      }
    }
    return Math.max(0, after - before);
  }

  /** How many deployments there are. */
  int count() {
    return deployments.size();
  }

  private long movedByOthers(String user) {
    return moved - movedByUser.getOrDefault(user, 0L);
  }

  /** What deployments of other users are believed to have moved since this one's last word. */
  long movedByOthers(Asker asker) {
    Deployment of = deployments.get(asker.key());
    if (of == null) {
      return 0;
    }
    long others = movedByOthers(asker.user());
    long more = others - of.othersSeen;
    of.othersSeen = others;
    return more;
  }

  /**
   * By how many a deployment's fetchers are to be divided: users have equal parts, and so have the
   * deployments of one user. So nobody gains by starting many.
   */
  int sharers(Asker asker, long now) {
    var active = deployments.entrySet().stream().filter(e -> active(e.getValue(), now)).toList();
    long users =
        1
            + active.stream()
                .map(e -> e.getValue().user)
                .filter(user -> !user.equals(asker.user()))
                .distinct()
                .count();
    long own =
        1
            + active.stream()
                .filter(e -> e.getValue().user.equals(asker.user()))
                .filter(e -> !e.getKey().equals(asker.key()))
                .count();
    return (int) (users * own);
  }

  private static boolean active(Deployment of, long now) {
    return of.movedAt != NEVER && now - of.movedAt <= ACTIVE.toNanos();
  }
}
