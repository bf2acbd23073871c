package io.eley.cli.doctor;

import io.eley.bb.api.config.NetworkKeys;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.controller.phase.Blindness;
import io.eley.coordinator.board.BoardFiles;
import io.eley.coordinator.board.BoardLink;
import io.eley.coordinator.config.SignalKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Whether the site's board that is named takes deployments of this user. */
final class BoardCheck {
  private static final String ASK = "ask who runs it";
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private BoardCheck() {}

  /**
   * What was found.
   *
   * @param asked whether it was asked what it sees, of the origin
   */
  record Look(Finding finding, boolean asked) {
    /** Whether somebody is there who would take this user's deployments. */
    boolean answers() {
      return finding.level() == Finding.Level.OK;
    }
  }

  /**
   * What was found; empty where no board is named.
   *
   * @param origin of which it is to see something; empty where none is known
   */
  static Optional<Look> of(Settings settings, Optional<String> origin) {
    String directory = settings.get(SignalKeys.BOARD);
    if (directory.isBlank()) {
      return Optional.empty();
    }
    // Its directory is on a file system of all hosts, which may hang, and so may the origin.
    try (var guard = new GuardedOrigin("eley-doctor-board", 1, DEADLINE)) {
      return Optional.of(
          guard.call(
              "look at the board in " + directory,
              () -> {
                var mounted = origin.filter(BoardCheck::isHere);
                var blindness =
                    BoardLink.tryOnce(
                        new BoardFiles(Path.of(directory)),
                        settings.get(NetworkKeys.PROTECTION),
                        mounted);
                boolean asked = mounted.isPresent();
                return new Look(finding(directory, asked, blindness), asked);
              }));
    } catch (EleyException e) {
      return Optional.of(new Look(Finding.warn("board", e.getMessage() + "", ASK), false));
    }
  }

  /** What is not mounted here has another check that says so; the board is not to blame. */
  private static boolean isHere(String origin) {
    return !origin.startsWith("/") || Files.isDirectory(Path.of(origin));
  }

  /** One that sees nothing is as good as none. */
  private static Finding finding(String directory, boolean asked, Blindness blindness) {
    String answers =
        "the one of "
            + directory
            + " answers"
            + (asked ? "" : "; with --origin it is asked what it sees");
    return blindness.complete()
        ? Finding.warn("board", answers + ", and sees nothing: " + blindness.why(), ASK)
        : Finding.ok("board", answers);
  }
}
