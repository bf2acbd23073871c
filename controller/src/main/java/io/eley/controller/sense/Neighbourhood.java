package io.eley.controller.sense;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether other deployments of ours are there, and whether one loads the origin so that our reads
 * take longer, by their own word four times a second.
 *
 * <p>Not thread-safe. Times are nanoseconds of a monotonic clock.
 */
public final class Neighbourhood {
  /** Words come four times a second; whoever says nothing for so long is gone. */
  private static final long LIFE = Duration.ofSeconds(3).toNanos();

  private record Word(boolean loads, long at) {}

  private final Map<String, Word> words = new HashMap<>();

  /** Takes the word of a deployment. */
  public void note(String deployment, boolean loads, long now) {
    words.put(deployment, new Word(loads, now));
  }

  /** Whether there is another deployment. */
  public boolean there(long now) {
    words.values().removeIf(word -> now - word.at > LIFE);
    return !words.isEmpty();
  }

  /** Whether one of them loads the origin. */
  public boolean loads(long now) {
    return there(now) && words.values().stream().anyMatch(Word::loads);
  }
}
