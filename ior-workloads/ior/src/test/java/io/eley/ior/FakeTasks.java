package io.eley.ior;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Tasks that do nothing and answer with times made up beforehand. */
final class FakeTasks implements IorTasks {
  static final long MILLI = 1_000_000;

  private final Queue<List<TaskTimes>> answers = new ArrayDeque<>();
  private final List<String> journal;

  FakeTasks(List<String> journal) {
    this.journal = journal;
  }

  /** Adds the answer of the next phase. */
  FakeTasks then(TaskTimes... ranks) {
    answers.add(List.of(ranks));
    return this;
  }

  /** Adds a phase of one task and four transfers that takes so long in all. */
  FakeTasks thenTaking(long millis) {
    return then(times(0, MILLI, (millis - 1) * MILLI, millis * MILLI, (millis - 2) * MILLI, 4));
  }

  /** Of a task that transfers as soon as it has opened and closes as soon as it has transferred. */
  static TaskTimes times(
      long openStart, long openEnd, long transferEnd, long closeEnd, long busy, long transfers) {
    return new TaskTimes(
        openStart, openEnd, openEnd, transferEnd, transferEnd, closeEnd, busy, transfers);
  }

  static FakeTasks silent() {
    return new FakeTasks(new ArrayList<>());
  }

  @Override
  public List<TaskTimes> phase(PhaseOrder order) throws IOException {
    journal.add(order.operation().label());
    var answer = answers.poll();
    if (answer == null) {
      throw new IOException("no such phase");
    }
    return answer;
  }

  /** Runs them without waiting and with files that are not there. */
  IorResult run(IorOptions options, List<IorPhaseListener> listeners, IorRun.Pause pause)
      throws IOException {
    var surroundings = new IorRun.Surroundings(pause, IorClock.system());
    var files = new TestFiles(options, new FakeTarget());
    return new IorRun(options, this, files, listeners, surroundings).run();
  }

  @Override
  public void cancel() {}

  @Override
  public void close() {
    journal.add("close");
  }
}
