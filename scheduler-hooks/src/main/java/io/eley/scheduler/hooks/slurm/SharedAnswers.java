package io.eley.scheduler.hooks.slurm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.command.CommandRunner.Keeping;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slurm's answers, which the deployments of one user share: one of them asks, and leaves the answer
 * in a directory of that user's; the others read it there. So Slurm is asked as often as by one
 * deployment, however many there are.
 *
 * <p>Who asked last asks again. Who finds a fresh answer of somebody else's asks no more, so of two
 * that began at once one is left after a round. When the answer grows old, because whoever asked
 * has ended or its host has died, somebody else asks. A directory that cannot be read or written
 * costs the sharing, never the answer.
 *
 * <p>The hosts' clocks are taken to be the same within {@value #SKEW_MILLIS} ms, as neighbours do;
 * an answer from another time is not used. They may be set. For one thread; blocks for a command,
 * or for as long as an answer of somebody else's may take to come.
 */
final class SharedAnswers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SharedAnswers.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final long SKEW_MILLIS = 500;

  /** Of a long interval; others are to ask before the source counts as lost. */
  private static final long LATE_MILLIS = 4000;

  private static final long MOST_BYTES = 16L << 20;

  private final CommandRunner commands;
  private final SlurmClock clock;
  private final Optional<Path> directory;
  private final String writer = UUID.randomUUID().toString();

  /** By file, when the answer that was given last was made, milliseconds of the time of day. */
  private final Map<String, Long> given = new HashMap<>();

  private String complaint = "";

  /**
   * An answer.
   *
   * @param command that was asked, perhaps by another deployment
   * @param output what it printed, as far as it was kept
   * @param began nanoseconds of this process's clock when it was asked
   * @param ended when it was there
   */
  record Answer(List<String> command, Output output, long began, long ended) {
    Duration took() {
      return Duration.ofNanos(ended - began);
    }
  }

  /**
   * A question.
   *
   * @param file its name among shared answers; the same where the answer serves, too
   * @param command what Slurm is asked
   * @param interval between two of them
   * @param longestRest that whoever asks may leave a slow Slurm alone
   * @param keeping what of the output is given, here and to others
   */
  record Question(
      String file, List<String> command, Duration interval, Duration longestRest, Keeping keeping) {
    /** When it is not answered again for so long, whoever asked is gone. */
    long patienceMillis(long tookMillis) {
      long rest = Pace.rest(Duration.ofMillis(tookMillis).toNanos()).toMillis();
      long late = Math.min(interval.toMillis(), LATE_MILLIS);
      long next = Math.max(late, Math.min(rest, longestRest.toMillis()));
      return interval.toMillis() + next + LOOK.toMillis();
    }
  }

  private record Kept(String writer, List<String> command, Output output, long began, long ended) {}

  /**
   * Answers nothing yet.
   *
   * @param directory of this user's deployments; empty to share nothing
   */
  SharedAnswers(CommandRunner commands, SlurmClock clock, Optional<Path> directory) {
    this.commands = commands;
    this.clock = clock;
    this.directory = directory;
  }

  /** The latest answer, which may be the one that was given before. */
  Answer latest(Question question) throws SignalException, InterruptedException {
    Optional<Kept> kept = ofOthers(question);
    return kept.isPresent() ? give(question, kept.get()) : ask(question);
  }

  /**
   * An answer that was not given yet: waits for one while somebody else asks, for as long as an
   * answer may take at most, whatever becomes of the time of day.
   */
  Answer next(Question question) throws SignalException, InterruptedException {
    long began = clock.nanos();
    while (true) {
      Optional<Kept> kept = ofOthers(question);
      if (kept.isEmpty()) {
        return ask(question);
      }
      if (kept.get().ended() > givenBefore(question)) {
        return give(question, kept.get());
      }
      long waited = Duration.ofNanos(clock.nanos() - began).toMillis();
      if (waited > question.patienceMillis(kept.get().ended() - kept.get().began())) {
        return ask(question);
      }
      clock.rest(LOOK);
    }
  }

  /**
   * When the answer that was given last was made. One of a time to come is of a clock that was set
   * back since, and the answers after it are of earlier times.
   */
  private long givenBefore(Question question) {
    Long at = given.get(question.file());
    return at == null || at - clock.millis() > SKEW_MILLIS ? Long.MIN_VALUE : at;
  }

  /**
   * What this host takes just now to run one of Slurm's programs that asks nobody; nothing where
   * that cannot be told.
   */
  Duration startTakes(String program) throws InterruptedException {
    long began = clock.nanos();
    try {
      Output version = unshared(List.of(program, "--version"));
      return version.status() == 0 ? Duration.ofNanos(clock.nanos() - began) : Duration.ZERO;
    } catch (SignalException e) {
      LOG.debug("{} does not say its version", program, e);
      return Duration.ZERO;
    }
  }

  /** What this deployment alone is told; blocks for a command. */
  Output unshared(List<String> command) throws SignalException, InterruptedException {
    return commands.run(command);
  }

  /** Blocks for so long, if that is more than nothing. */
  void pause(Duration time) throws InterruptedException {
    if (!time.isZero()) {
      clock.rest(time);
    }
  }

  private Answer give(Question question, Kept kept) {
    given.put(question.file(), kept.ended());
    // On this process's clock, since rates are reckoned by that.
    long ended = clock.nanos() - Duration.ofMillis(clock.millis() - kept.ended()).toNanos();
    long took = Duration.ofMillis(kept.ended() - kept.began()).toNanos();
    return new Answer(kept.command(), kept.output(), ended - took, ended);
  }

  private Answer ask(Question question) throws SignalException, InterruptedException {
    long began = clock.nanos();
    long beganMillis = clock.millis();
    Output output = commands.run(question.command(), question.keeping());
    var answer = new Answer(question.command(), output, began, clock.nanos());
    given.put(question.file(), clock.millis());
    if (directory.isPresent()) {
      write(
          directory.get().resolve(question.file()),
          new Kept(writer, question.command(), output, beganMillis, clock.millis()));
    }
    return answer;
  }

  /** What another deployment has left, unless it is too old. */
  private Optional<Kept> ofOthers(Question question) {
    if (directory.isEmpty()) {
      return Optional.empty();
    }
    Path file = directory.get().resolve(question.file());
    try {
      OwnPaths.requireFile(file);
      return Files.size(file) > MOST_BYTES
          ? Optional.empty()
          : parse(OwnPaths.read(file)).filter(kept -> isOfOthersNow(kept, question));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      complain("Slurm's answers are not shared: " + e.getMessage());
      return Optional.empty();
    }
  }

  private boolean isOfOthersNow(Kept kept, Question question) {
    long age = clock.millis() - kept.ended();
    return !kept.writer().equals(writer)
        && age >= -SKEW_MILLIS
        && age <= question.patienceMillis(kept.ended() - kept.began());
  }

  private static Optional<Kept> parse(String text) {
    try {
      JsonNode node = JSON.readTree(text);
      var command = new ArrayList<String>();
      node.path("command").forEach(word -> command.add(word.asText()));
      var output =
          new Output(
              node.path("status").asInt(-1),
              node.path("text").asText(""),
              node.path("errors").asText(""));
      long began = node.path("began").asLong();
      long ended = node.path("ended").asLong();
      String by = node.path("writer").asText("");
      return node.path("eley").asInt() == 1 && began <= ended && !command.isEmpty()
          ? Optional.of(new Kept(by, command, output, began, ended))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty(); // somebody's who writes otherwise
    }
  }

  /** Renamed into place: others read all of it, or the one before. */
  private void write(Path file, Kept kept) {
    try {
      Path shared = java.util.Objects.requireNonNull(file.getParent());
      OwnPaths.requireDirectoryOrPlace(shared);
      Files.createDirectories(
          shared,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      OwnFiles.replace(file, text(kept));
      complaint = "";
    } catch (IOException e) {
      complain("Slurm's answers are not shared: " + e.getMessage());
    }
  }

  private static String text(Kept kept) {
    var node = JSON.createObjectNode().put("eley", 1).put("writer", kept.writer());
    kept.command().forEach(node.putArray("command")::add);
    return node.put("status", kept.output().status())
        .put("text", kept.output().text())
        .put("errors", kept.output().errors())
        .put("began", kept.began())
        .put("ended", kept.ended())
        .toString();
  }

  private void complain(String what) {
    if (!complaint.equals(what)) {
      LOG.warn(what);
    }
    complaint = what;
  }

  /** Removes answers of this deployment's, so that somebody else asks at once. */
  @Override
  public void close() {
    if (directory.isEmpty()) {
      return;
    }
    for (String name : given.keySet()) {
      Path file = directory.get().resolve(name);
      try {
        if (parse(OwnPaths.read(file)).filter(kept -> kept.writer().equals(writer)).isPresent()) {
          Files.deleteIfExists(file);
        }
      } catch (NoSuchFileException e) {
        LOG.debug("no answer was left", e);
      } catch (IOException e) {
        LOG.debug("an answer of ours stays until it is old", e);
      }
    }
  }
}
