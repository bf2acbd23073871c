package io.eley.scheduler.hooks.job;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What {@code burst_buffer.lua} does with jobs, stage by stage. Each served job gets a buffer of
 * its own: a job of the same user on the buffer's partition, which Slurm accounts for, bounds and
 * ends like any other. It is found by its name and user, and says how far it is in its comment; so
 * every stage can be repeated, and works whether or not the earlier ones ran.
 *
 * <p>Blocks until a stage is over; Slurm's own time-outs end it.
 */
public final class BufferJobs {
  private static final long LOOK_MILLIS = 250;
  private static final int MOST_LOOKS_AT_THE_END = 480;
  private static final String POOLS = "pools.json";

  /** Notes on a job, files in a directory of its number. */
  private static final String OWNER = "owner";

  private static final String ENVIRONMENT = "env";
  private static final String PROGRESS = "progress";
  private static final int LOOKS_FOR_THE_JOB = 4;

  /** Also nothing at all. A job in STAGE_OUT is not over. */
  private static final Pattern OVER =
      Pattern.compile("|CANCELLED|COMPLETED|FAILED|TIMEOUT|NODE_FAIL|BOOT_FAIL|DEADLINE");

  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private final SlurmCommands slurm;
  private final String partition;
  private final Path state;

  /**
   * Does nothing yet.
   *
   * @param partition the buffer's hosts
   * @param state directory of this host that root writes and slurmctld reads
   */
  public BufferJobs(SlurmCommands slurm, String partition, Path state) {
    this.slurm = slurm;
    this.partition = partition;
    this.state = state;
  }

  /**
   * A buffer's job.
   *
   * @param id its number
   * @param state as Slurm has it
   * @param reason why it is not running
   * @param word its comment
   */
  private record BufferJob(long id, String state, String user, String reason, String word) {
    boolean running() {
      return state.equals("RUNNING");
    }

    boolean failed() {
      return word.startsWith("failed: ");
    }

    boolean ready() {
      return running() && Stream.of("ready", "stag", "out: ").anyMatch(word::startsWith);
    }
  }

  /**
   * Whose buffer it is.
   *
   * @param jobs shared directory of this user's buffers; {@code %h} stands for the home directory,
   *     {@code %u} for the name
   */
  public record Owner(long uid, long gid, String jobs) {}

  private static String nameOf(long job) {
    return "eley-bb-" + job;
  }

  /**
   * By name, but of the job's own user only: everybody may name a job as he likes. Nobody is noted
   * before setup, and then there is no buffer.
   */
  private List<BufferJob> jobs(long job) throws EleyException {
    Optional<String> owner = note(job, OWNER);
    if (owner.isEmpty()) {
      return List.of();
    }
    return slurm
        .lines(
            List.of(
                "squeue",
                "--noheader",
                "--format=%A|%T|%u|%r|%k",
                "--name=" + nameOf(job),
                "--user=" + owner.get(),
                "--partition=" + partition))
        .stream()
        .map(l -> l.split("\\|", 5))
        .filter(f -> f.length == 5 && NUMBER.matcher(f[0]).matches())
        .map(f -> new BufferJob(Long.parseLong(f[0]), f[1], f[2], f[3], f[4]))
        .toList();
  }

  private Optional<BufferJob> find(long job) throws EleyException {
    return jobs(job).stream().max(Comparator.comparingLong(BufferJob::id));
  }

  private Path noteOf(long job, String name) {
    return state.resolve(Long.toString(job)).resolve(name);
  }

  private Optional<String> note(long job, String name) throws EleyException {
    try {
      return Optional.of(Files.readString(noteOf(job, name)).strip());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot read " + state + ": " + e, e);
    }
  }

  /**
   * Makes the buffer and waits until all its nodes are there.
   *
   * @param owner the job's
   * @param bytes that Slurm has taken from the pool
   * @throws EleyException in one line that becomes the job's reason
   */
  public void setup(long job, Owner owner, long bytes, Path script, Path eley)
      throws EleyException {
    Directive asked = required(script);
    write(noteOf(job, OWNER), Long.toString(owner.uid()));
    if (find(job).filter(BufferJob::ready).isEmpty()) {
      cancel(job);
      var sized =
          new Directive(
              new DataSize(Math.max(bytes, asked.capacity().bytes())),
              asked.origin(),
              asked.stageIn(),
              asked.stageOut());
      submit(job, owner, sized, eley);
    }
    BufferJob made = await(job, BufferJob::ready, "come up");
    if (made.failed()) {
      cancel(job);
      throw failure(made);
    }
  }

  private void submit(long job, Owner owner, Directive asked, Path eley) throws EleyException {
    String[] user = passwd(owner.uid());
    String home = user[5];
    Path jobs = Path.of(owner.jobs().replace("%h", home).replace("%u", user[0]));
    var script = new BufferScript(job, asked, nodesFor(asked.capacity()), eley, jobs);
    slurm.submit(
        script.text(),
        List.of(
            "--uid=" + owner.uid(),
            "--gid=" + owner.gid(),
            "--partition=" + partition,
            "--nodes=" + script.nodes(),
            "--ntasks-per-node=1",
            "--mem=" + script.mebibytesOfAHost() + "M",
            "--job-name=" + nameOf(job),
            "--comment=waiting for hosts",
            "--chdir=/",
            "--output=/dev/null",
            "--no-requeue",
            "--export=HOME=" + home + ",PATH=" + System.getenv("PATH")));
    write(
        noteOf(job, ENVIRONMENT),
        script.environment().entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue() + "\n")
            .collect(Collectors.joining()));
  }

  /** As few hosts as can hold it, because each costs a process. */
  private int nodesFor(DataSize capacity) throws EleyException {
    List<Long> hosts = mebibytesOfHosts().stream().sorted(Comparator.reverseOrder()).toList();
    for (int count = 1; count <= hosts.size(); count++) {
      if (BufferScript.mebibytesOfAHost(capacity, count) <= hosts.get(count - 1)) {
        return count;
      }
    }
    throw new EleyException(
        ErrorCode.NO_SPACE,
        "a buffer of "
            + capacity
            + " does not fit on the "
            + hosts.size()
            + " hosts of partition "
            + partition);
  }

  /** Of those that are up. */
  private List<Long> mebibytesOfHosts() throws EleyException {
    return slurm
        .lines(
            List.of(
                "sinfo",
                "--noheader",
                "--partition=" + partition,
                "--Node",
                "--states=idle,mixed,allocated,completing",
                "--format=%m"))
        .stream()
        .map(String::strip)
        .filter(l -> l.matches("\\d{1,15}"))
        .map(Long::parseLong)
        .toList();
  }

  /** The fields of the user's line. */
  private String[] passwd(long uid) throws EleyException {
    List<String> entry = slurm.lines(List.of("getent", "passwd", Long.toString(uid)));
    String[] fields = entry.isEmpty() ? new String[0] : entry.get(0).split(":", -1);
    if (fields.length < 7 || !fields[5].startsWith("/")) {
      throw new EleyException(ErrorCode.NOT_FOUND, "user " + uid + " has no home directory here");
    }
    return fields;
  }

  /** Waits until the first input is in the buffer. */
  public void dataIn(long job, Path script) throws EleyException {
    if (required(script).stageIn().isPresent()) {
      BufferJob staged = await(job, b -> b.word().startsWith("staged "), "stage its input");
      if (staged.failed()) {
        throw failure(staged);
      }
    }
  }

  /** What a job finds in its environment, one {@code NAME=value} a line. */
  public String paths(long job) throws EleyException {
    return note(job, ENVIRONMENT)
            .orElseThrow(
                () ->
                    new EleyException(
                        ErrorCode.NOT_FOUND, "the buffer of job " + job + " was never set up"))
        + "\n";
  }

  /** The buffer must still be there when the job begins. */
  public void preRun(long job) throws EleyException {
    Optional<BufferJob> buffer = find(job);
    if (buffer.filter(BufferJob::ready).isEmpty()) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "the buffer of job "
              + job
              + " is gone"
              + buffer.map(b -> " (" + b.state() + ", " + b.word() + ")").orElse(""));
    }
  }

  /** Publishes the results. */
  public void dataOut(long job, Path script) throws EleyException {
    if (required(script).stageOut().isEmpty()) {
      return;
    }
    preRun(job);
    long id = find(job).map(BufferJob::id).orElseThrow();
    slurm.lines(List.of("scancel", "--signal=USR1", "--batch", Long.toString(id)));
    BufferJob done = await(job, b -> b.word().startsWith("out: "), "publish its results");
    if (done.failed()) {
      throw failure(done);
    }
  }

  /** Ends the buffer and forgets it; doing so again does nothing. */
  public void teardown(long job) throws EleyException {
    cancel(job);
    delete(state.resolve(Long.toString(job)));
  }

  private void cancel(long job) throws EleyException {
    for (int look = 0; look < MOST_LOOKS_AT_THE_END; look++) {
      List<BufferJob> there = jobs(job);
      if (there.isEmpty()) {
        return;
      }
      for (BufferJob each : there) {
        if (!each.state().equals("COMPLETING") && look % 40 == 0) {
          slurm.run(List.of("scancel", Long.toString(each.id())));
        }
      }
      Pause.millis(LOOK_MILLIS);
    }
    throw new EleyException(ErrorCode.DEADLINE, "the buffer of job " + job + " does not end");
  }

  /**
   * All buffers and how far they were when a stage looked last, for {@code scontrol show bbstat}.
   * From files alone: slurmctld holds locks while it waits for this, and a squeue would wait for
   * those.
   */
  public String status() throws EleyException {
    var text = new StringBuilder(line("JOB", "BUFFER", "USER", "HOW FAR"));
    for (long job : noted()) {
      String progress = note(job, PROGRESS).orElse("||being set up");
      text.append(line(Long.toString(job), progress.split("\\|", 3)));
    }
    return text.toString();
  }

  private static String line(String job, String... rest) {
    return String.format("%-10s %-10s %-12s %s%n", job, rest[0], rest[1], rest[2]);
  }

  private void progressed(long job, BufferJob buffer) throws EleyException {
    write(
        noteOf(job, PROGRESS),
        buffer.id()
            + "|"
            + buffer.user()
            + "|"
            + (buffer.running() ? buffer.word() : buffer.word() + " (" + buffer.reason() + ")"));
  }

  /**
   * Writes what {@code burst_buffer.lua} tells Slurm of the pool, and gives it. The quantity counts
   * granules.
   */
  public String pools() throws EleyException {
    long mebibytes =
        mebibytesOfHosts().stream()
            .mapToLong(m -> Math.max(0, m - JobScript.OVERHEAD_MEBIBYTES))
            .sum();
    String text =
        "{\"pools\":[{\"id\":\"eley\",\"quantity\":" + mebibytes + ",\"granularity\":1048576}]}\n";
    write(state.resolve(POOLS), text);
    sweep();
    return text;
  }

  /**
   * Forgets jobs that are over. Slurm 22.05 sometimes ends its own teardown when a job is cancelled
   * while it is staged; the buffer ends by itself then, but what is noted here stays.
   */
  private void sweep() throws EleyException {
    for (long job : noted()) {
      if (gone(job) && find(job).isEmpty()) {
        delete(state.resolve(Long.toString(job)));
      }
    }
  }

  /** The jobs that are known here. */
  private List<Long> noted() throws EleyException {
    try (Stream<Path> jobs = Files.exists(state) ? Files.list(state) : Stream.empty()) {
      return jobs.map(p -> p.getFileName().toString())
          .filter(n -> NUMBER.matcher(n).matches())
          .map(Long::parseLong)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot read " + state + ": " + e, e);
    }
  }

  /** What a condition asks of a buffer's job. */
  private interface Condition {
    boolean holds(BufferJob job);
  }

  /** Until the condition holds or it has failed. */
  private BufferJob await(long job, Condition condition, String what) throws EleyException {
    int looks = 0;
    int absent = 0;
    Optional<BufferJob> noted = Optional.empty();
    while (true) {
      Optional<BufferJob> there = find(job);
      if (there.isPresent() && !there.equals(noted)) {
        progressed(job, there.get());
        noted = there;
      }
      if (there.isPresent() && (there.get().failed() || condition.holds(there.get()))) {
        return there.get();
      }
      // Just submitted, it may not be listed yet.
      absent = there.isPresent() ? 0 : absent + 1;
      if (absent > 4) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE,
            "the buffer of job " + job + " has ended before it could " + what);
      }
      if (++looks % LOOKS_FOR_THE_JOB == 0 && gone(job)) {
        throw new EleyException(ErrorCode.UNAVAILABLE, "job " + job + " was cancelled");
      }
      Pause.millis(LOOK_MILLIS);
    }
  }

  /**
   * Whether the served job is over. Slurm ends a stage whose job is cancelled, but a cancellation
   * between two stages it can miss.
   */
  private boolean gone(long job) throws EleyException {
    Output state =
        slurm.run(List.of("squeue", "--noheader", "--jobs=" + job, "--format=%T", "--states=all"));
    String said = state.text().strip();
    return state.status() == 0
        ? OVER.matcher(said).matches()
        : state.complaint().contains("nvalid job id");
  }

  private static EleyException failure(BufferJob buffer) {
    return new EleyException(
        ErrorCode.UNAVAILABLE, buffer.word().substring("failed: ".length()).strip());
  }

  private static Directive required(Path script) throws EleyException {
    return Directive.read(script)
        .orElseThrow(
            () -> new EleyException(ErrorCode.MALFORMED, "the script has no #BB_LUA directive"));
  }

  /** Whole or not at all: slurmctld reads it whenever it likes, as its own user. No secrets. */
  private static void write(Path file, String text) throws EleyException {
    try {
      Path directory = java.util.Objects.requireNonNull(file.getParent());
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
      Path temporary = Files.createTempFile(directory, ".new-", "");
      Files.writeString(temporary, text);
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot write " + file + ": " + e, e);
    }
  }

  private static void delete(Path directory) throws EleyException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (NoSuchFileException e) {
      return; // it was never there, or is gone already
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot remove " + directory + ": " + e, e);
    }
  }

  /** The text of Slurm's complaint, for messages. */
  static String complaint(Output output) {
    return output.complaint().isBlank() ? "exit code " + output.status() : output.complaint();
  }
}
