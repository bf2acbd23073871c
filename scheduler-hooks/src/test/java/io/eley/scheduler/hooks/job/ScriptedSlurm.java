package io.eley.scheduler.hooks.job;

import io.eley.bb.api.BufferMode;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * squeue, sbatch, scancel, scontrol, sinfo and getent by a script: what Slurm has changes at given
 * polls, and any command can fail, hang or print garbage instead. Time passes only in {@link
 * #pause()}.
 */
final class ScriptedSlurm implements CommandRunner {
  static final long SERVED = 42;
  static final long FIRST = 100;
  static final long UID = 1000;

  /** Of a site that says nothing of its buffers. */
  static final BufferChoices USUAL = new BufferChoices(BufferMode.FULL_DELAY, true, Map.of());

  /** A buffer's job; the script changes it. */
  static final class Listed {
    final long id;
    String state = "PENDING";
    String reason = "Resources";
    String comment = "waiting for hosts";

    Listed(long id) {
      this.id = id;
    }

    /** It runs and says how far it is. */
    void says(String word) {
      state = "RUNNING";
      reason = "None";
      comment = word;
    }

    private String line() {
      return String.join("|", Long.toString(id), Long.toString(UID), state, "alice");
    }
  }

  final List<List<String>> issued = new ArrayList<>();
  final List<Listed> queue = new ArrayList<>();
  final List<Duration> pauses = new ArrayList<>();

  /** What sbatch was given. */
  final List<String> scripts = new ArrayList<>();

  /** State of the served job; null is one that Slurm does not know any more. */
  @Nullable String served = "PENDING";

  /** What squeue prints of the served job, for whoever asks for its user. */
  String owner = SERVED + "|" + UID + "|100|PENDING\n";

  /** The served job's, as squeue prints it. */
  String account = "(null)";

  String qos = "(null)";
  String limit = "NOT_SET";

  /** The partition's default and longest, as sinfo prints them. */
  String times = "n/a|infinite";

  /** The served job's script, as Slurm keeps it. */
  String script = "";

  /** Memory of the hosts that are up, in MiB. */
  List<Integer> hosts = List.of(4000, 4000);

  String passwd = "alice:x:1000:100:Alice:/home/alice:/bin/bash\n";

  /** Polls for which a cancelled job goes on COMPLETING. */
  int pollsToEnd = 1;

  private final Map<Integer, List<Runnable>> timeline = new TreeMap<>();
  private final Map<Predicate<List<String>>, Answer> answers = new LinkedHashMap<>();

  /** An answer in the place of the ordinary one. */
  interface Answer {
    Output get() throws SignalException, InterruptedException;
  }

  /** Something that happens after so many pauses from now on. */
  ScriptedSlurm after(int polls, Runnable event) {
    timeline.computeIfAbsent(pauses.size() + polls, k -> new ArrayList<>()).add(event);
    return this;
  }

  /** Another answer to each command that holds this word. */
  ScriptedSlurm answer(String word, Answer answer) {
    answers.put(command -> command.stream().anyMatch(w -> w.contains(word)), answer);
    return this;
  }

  ScriptedSlurm prints(String word, String text) {
    return answer(word, () -> new Output(0, text, ""));
  }

  ScriptedSlurm fails(String word, String complaint) {
    return answer(word, () -> new Output(1, "", complaint));
  }

  ScriptedSlurm hangs(String word) {
    return answer(
        word,
        () -> {
          throw SignalException.failed(word + " did not end within 30000 ms");
        });
  }

  /** The ordinary answers again. */
  void recovers() {
    answers.clear();
  }

  /** Who submits buffers for it, without a socket in between. */
  BufferSubmission submission(String jobs) {
    return submission(jobs, USUAL);
  }

  /** The same at a site with choices of its own. */
  BufferSubmission submission(String jobs, BufferChoices choices) {
    return new BufferSubmission(
        new SlurmCommands(this),
        new BufferSubmission.Site(
            "eley", jobs, Path.of("/opt/eley/bin/eley"), Map.of("PATH", "/usr/bin"), choices));
  }

  /** The youngest buffer's job. */
  Listed buffer() {
    return queue.get(queue.size() - 1);
  }

  /** One that is there already, and says so. */
  Listed running(String word) {
    var job = new Listed(FIRST + queue.size());
    job.says(word);
    queue.add(job);
    return job;
  }

  Pause pause() {
    return time -> {
      if (pauses.size() > 2_000) {
        throw new AssertionError("it polls for ever: " + issued.get(issued.size() - 1));
      }
      pauses.add(time);
      timeline.getOrDefault(pauses.size(), List.of()).forEach(Runnable::run);
    };
  }

  /** Behind the environment that it is given, should it be. */
  private static String program(List<String> command) {
    return command.get(0).equals("env")
        ? command.stream().skip(2).filter(w -> !w.contains("=")).findFirst().orElseThrow()
        : command.get(0);
  }

  /** How often a program was run. */
  long count(String program) {
    return issued.stream().filter(c -> program(c).equals(program)).count();
  }

  /** Commands of one program, as a shell would show them. */
  List<String> commands(String program) {
    return issued.stream()
        .filter(c -> program(c).equals(program))
        .map(c -> String.join(" ", c))
        .toList();
  }

  @Override
  public Output run(List<String> command) throws SignalException, InterruptedException {
    issued.add(command);
    for (var answer : answers.entrySet()) {
      if (answer.getKey().test(command)) {
        return answer.getValue().get();
      }
    }
    return switch (program(command)) {
      case "squeue" -> squeue(command);
      case "scontrol" -> new Output(0, script, "");
      case "sbatch" -> submit(command);
      case "scancel" -> cancel(command);
      case "sinfo" -> sinfo(command);
      case "getent" -> new Output(0, passwd, "");
      default -> throw SignalException.absent("there is no " + command.get(0));
    };
  }

  private Output squeue(List<String> command) {
    if (command.contains("--states=all")) {
      return state();
    }
    if (command.contains("--format=%a")) {
      return new Output(0, account + "\n", "");
    }
    if (command.contains("--format=%q")) {
      return new Output(0, qos + "\n", "");
    }
    if (command.contains("--format=%l")) {
      return new Output(0, limit + "\n", "");
    }
    if (command.contains("--format=" + BufferJob.SAID)) {
      return said(command);
    }
    return command.contains("--format=" + ServedJob.FORMAT) ? new Output(0, owner, "") : list();
  }

  private Output said(List<String> command) {
    return queue.stream()
        .filter(job -> command.contains("--jobs=" + job.id))
        .findFirst()
        .map(job -> new Output(0, job.reason + "|" + job.comment + "\n", ""))
        .orElse(new Output(1, "", "slurm_load_jobs error: Invalid job id specified"));
  }

  private Output list() {
    return new Output(
        0, queue.stream().map(j -> j.line() + "\n").collect(Collectors.joining()), "");
  }

  private Output state() {
    return served == null
        ? new Output(1, "", "slurm_load_jobs error: Invalid job id specified")
        : new Output(0, served + "\n", "");
  }

  private Output submit(List<String> command) {
    try {
      scripts.add(Files.readString(Path.of(command.get(command.size() - 1))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    queue.add(new Listed(FIRST + queue.size() + scripts.size()));
    return new Output(0, buffer().id + ";cluster\n", "");
  }

  private Output cancel(List<String> command) {
    if (!command.contains("--batch")) {
      String named = command.get(command.size() - 1);
      for (Listed job : queue) {
        if (named.equals(Long.toString(job.id))) {
          job.state = "COMPLETING";
          after(pollsToEnd, () -> queue.remove(job));
        }
      }
    }
    return new Output(0, "", "");
  }

  private Output sinfo(List<String> command) {
    if (command.contains("--format=%L|%l")) {
      return new Output(0, times + "\n", "");
    }
    return command.contains("--version")
        ? new Output(0, "slurm-wlm 22.05.8\n", "")
        : new Output(0, hosts.stream().map(m -> "  " + m + "\n").collect(Collectors.joining()), "");
  }
}
