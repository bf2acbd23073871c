package io.eley.scheduler.hooks.job;

import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.TreeDeletion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is noted of the jobs that are served, as files of slurmctld's host: a directory a job, and
 * the size of the pool. The stages write them, as Slurm's user; slurmctld reads some of them
 * ({@code burst_buffer.lua} names them, too) whenever it likes. So a file changes as a whole or not
 * at all, and holds no secret.
 */
final class BufferNotes {
  /** The user's number: a job name is anybody's to choose, so a buffer is found by both. */
  private static final String OWNER = "owner";

  /** What the job finds in its environment, one {@code NAME=value} a line. */
  private static final String ENVIRONMENT = "env";

  /** How far the buffer was at the last poll. */
  private static final String PROGRESS = "progress";

  private static final String POOLS = "pools.json";

  private final Path state;

  BufferNotes(Path state) {
    this.state = state;
  }

  /** The owner's number; empty before setup, and after teardown. */
  Optional<String> owner(long job) throws EleyException {
    return read(job, OWNER);
  }

  void writeOwner(long job, long uid) throws EleyException {
    write(file(job, OWNER), Long.toString(uid));
  }

  Optional<String> environment(long job) throws EleyException {
    return read(job, ENVIRONMENT);
  }

  void writeEnvironment(long job, String lines) throws EleyException {
    write(file(job, ENVIRONMENT), lines);
  }

  /** Number, user and progress of the buffer's job; empty before it was polled. */
  Optional<List<String>> progress(long job) throws EleyException {
    return read(job, PROGRESS).map(text -> List.of(text.split("\\|", 3)));
  }

  void writeProgress(long job, BufferJob buffer) throws EleyException {
    write(file(job, PROGRESS), buffer.id() + "|" + buffer.user() + "|" + buffer.describe());
  }

  void writePools(String json) throws EleyException {
    write(state.resolve(POOLS), json);
  }

  /** The numbers of the jobs that are noted, in their order. */
  List<Long> jobs() throws EleyException {
    try (Stream<Path> jobs = Files.exists(state) ? Files.list(state) : Stream.empty()) {
      return jobs.map(p -> p.getFileName().toString())
          .filter(BufferJob::isNumber)
          .map(Long::parseLong)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Removes all notes of a job, if there are any. */
  void forget(long job) throws EleyException {
    Path directory = directory(job);
    try {
      TreeDeletion.delete(directory);
    } catch (NoSuchFileException e) {
      return; // it was never there, or is gone already
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot remove " + directory + ": " + e, e);
    }
  }

  private Path directory(long job) {
    return state.resolve(Long.toString(job));
  }

  private Path file(long job, String name) {
    return directory(job).resolve(name);
  }

  private Optional<String> read(long job, String name) throws EleyException {
    try {
      return Optional.of(Files.readString(file(job, name)).strip());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private EleyException unreadable(IOException e) {
    return new EleyException(ErrorCode.ACCESS_DENIED, "cannot read " + state + ": " + e, e);
  }

  private static void write(Path file, String text) throws EleyException {
    try {
      Path directory = java.util.Objects.requireNonNull(file.getParent());
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
      OwnFiles.replacePublic(file, text);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot write " + file + ": " + e, e);
    }
  }
}
