package io.eley.scheduler.hooks.signal;

import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The port to a source that is polled. Called by one thread of its own; may block, but always for a
 * bounded time.
 */
public interface Sampler extends AutoCloseable {
  /** One word for logs and reports, unique among the samplers of a deployment. */
  String name();

  /** What kind of source it is when it is polled at these times. */
  SourceKind kind(PollTiming timing);

  /**
   * The samples since the last call; one for every application that is there, also with 0 bytes.
   *
   * @throws SignalException when nothing could be seen
   */
  List<Sighting> sample() throws SignalException, InterruptedException;

  /** What the last call of {@link #sample} did not see although it was answered. */
  default Blindness blindness() {
    return Blindness.NONE;
  }

  /** Whose the applications of the last samples are, users by applications, as far as it knows. */
  default Map<String, String> owners() {
    return Map.of();
  }

  /**
   * For how long it wants to be left alone after the last call, because what it asks is slow; zero
   * when the usual interval will do.
   */
  default Duration rest() {
    return Duration.ZERO;
  }

  /**
   * How far apart its samples are by its own doing, since a call waits until what it asks may be
   * asked again; zero when the usual interval will do.
   */
  default Duration interval() {
    return Duration.ZERO;
  }

  /** Releases its resources. */
  @Override
  default void close() {}
}
