package io.eley.controller.watch;

import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Where sources that are polled report. For the one thread that owns it; nothing blocks. */
public interface PhaseInput {
  /** Adds a source that is polled, before it reports. */
  void add(SourceKind source);

  /** Takes the samples of a source. */
  void observe(String source, List<Sighting> sightings);

  /** Notes that a source could not be read. */
  void noteFailure(String source, String why);

  /**
   * Notes how far apart a source's samples are from now on; less than it is polled is no matter.
   */
  void noteInterval(String source, Duration apart);

  /** Notes what a source does not see although it answers. */
  void noteBlindness(String source, Blindness blindness);

  /** Notes whose some applications are: users by applications. */
  default void noteOwners(Map<String, String> users) {}

  /**
   * Sets what is told whether sources should look more often than usual, on the owner's thread, at
   * each change; it must not block.
   */
  void onCloseLook(Consumer<Boolean> action);
}
