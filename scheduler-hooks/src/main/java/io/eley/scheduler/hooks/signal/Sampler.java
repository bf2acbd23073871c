package io.eley.scheduler.hooks.signal;

import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import java.util.List;

/**
 * Looks at the world outside. Called by one thread of its own, again and again; may block, but
 * always for a bounded time.
 */
public interface Sampler extends AutoCloseable {
  /** One word for logs and reports, unique among the samplers of a deployment. */
  String name();

  /** What kind of source it is when it is polled at these times. */
  SourceKind kind(PollTiming timing);

  /**
   * What was seen since the last call; every application that is there, also with 0 bytes.
   *
   * @throws SignalException when nothing could be seen
   */
  List<Sighting> sample() throws SignalException, InterruptedException;

  /** Gives back what it holds. */
  @Override
  default void close() {}
}
