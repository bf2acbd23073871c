package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The pid of a process that we started, with its {@link Footprint}: a pid alone may have been given
 * to somebody else since, and that process must never be ended by us. And where it was started: a
 * process that cannot be seen from here has not ended, and its file is not ours to remove.
 *
 * @param file see {@link DeploymentFiles#pidFile}
 */
record PidFile(Path file) {
  /** The name of the process. */
  String process() {
    return DeploymentFiles.processOf(file);
  }

  /**
   * Notes a process that was started by this command, or by one that becomes it.
   *
   * @throws EleyException {@code UNAVAILABLE} when one is noted that {@link #elsewhere} may run
   */
  void write(ProcessHandle process, List<String> command) throws IOException {
    String started = Footprint.startOf(process.pid()).orElse("-");
    write(process.pid(), new Footprint(started, Footprint.digest(command)));
  }

  /** The same for this process. */
  void writeOwn() throws IOException {
    long pid = ProcessHandle.current().pid();
    write(pid, Footprint.of(pid));
  }

  private void write(long pid, Footprint footprint) throws IOException {
    Optional<String> elsewhere = elsewhereIfOurs();
    if (elsewhere.isPresent()) {
      throw new EleyException(ErrorCode.UNAVAILABLE, process() + " runs on " + elsewhere.get());
    }
    var here = Whereabouts.here();
    OwnFiles.replace(
        file,
        String.join(" ", Long.toString(pid), footprint.text(), here.host(), here.processes()));
  }

  /** Of a file that others can have written nothing is believed: it is replaced. */
  private Optional<String> elsewhereIfOurs() {
    try {
      return elsewhere();
    } catch (EleyException e) {
      return Optional.empty();
    }
  }

  /**
   * What is noted.
   *
   * @param place empty in a file of version 0.2
   */
  private record Note(long pid, Footprint footprint, Optional<Whereabouts> place) {
    private static final int WITH_PLACE = 5;

    static Note parse(String text) {
      String[] words = text.split(" ", -1);
      long pid = Long.parseLong(words[0]);
      if (words.length < WITH_PLACE) {
        return new Note(
            pid, Footprint.parse(text.substring(text.indexOf(' ') + 1)), Optional.empty());
      }
      var place = new Whereabouts(words[3], Whereabouts.bootOf(words[1]), words[4]);
      return new Note(pid, new Footprint(words[1], words[2]), Optional.of(place));
    }
  }

  /** Empty when there is no file, or not one of ours: there is nothing that we may touch then. */
  private Optional<Note> note() throws EleyException {
    try {
      return Optional.of(Note.parse(OwnPaths.read(file).strip()));
    } catch (EleyException e) {
      throw e;
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * The process, if it still runs, is the one that was started, and can be seen from here.
   *
   * @throws EleyException {@code ACCESS_DENIED} when somebody else could have written the file
   */
  Optional<ProcessHandle> running() throws EleyException {
    String processes = Whereabouts.here().processes();
    return note()
        .filter(n -> n.place().map(p -> p.processes().equals(processes)).orElse(true))
        .flatMap(n -> ProcessHandle.of(n.pid()).filter(p -> n.footprint().isOf(p.pid())))
        .filter(PidFile::alive);
  }

  /**
   * The host, or container, on which the process may run, when it would not be seen from here.
   *
   * @throws EleyException as {@link #running}
   */
  Optional<String> elsewhere() throws EleyException {
    var files = new DeploymentFiles(file.resolveSibling(""));
    var here = Whereabouts.here();
    return note()
        .flatMap(Note::place)
        .filter(there -> there.mayRunUnseenFrom(here, files))
        .map(
            there ->
                there.boot().equals(here.boot())
                    ? there.host() + " in another container"
                    : there.host());
  }

  /**
   * Whether it runs. One that has ended and that nobody has reaped does not, though the JVM says
   * so: in containers whose first process reaps nobody it stays like that for ever (proc(5), state
   * Z).
   */
  static boolean alive(ProcessHandle process) {
    if (!process.isAlive()) {
      return false;
    }
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      return !stat.substring(stat.lastIndexOf(')') + 1).strip().startsWith("Z");
    } catch (IOException e) {
      return process.isAlive();
    }
  }

  void delete() throws IOException {
    Files.deleteIfExists(file);
  }
}
