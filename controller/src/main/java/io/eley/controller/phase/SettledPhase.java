package io.eley.controller.phase;

import io.eley.controller.phase.PhaseListener.Ending;
import java.time.Duration;

/**
 * A phase of which everything is known that will be. Times are nanoseconds of a monotonic clock.
 *
 * @param application whose it was
 * @param sources that reported it, joined by {@code +}
 * @param begin of the I/O, as the best of the sources tells
 * @param end of the I/O
 * @param resolution how far off both may be
 * @param why it ended
 * @param corrections for people: what it is made of, and how its times differ from those that were
 *     reported first; empty when there was nothing to correct
 */
public record SettledPhase(
    String application,
    String sources,
    long begin,
    long end,
    Duration resolution,
    Ending why,
    String corrections) {}
