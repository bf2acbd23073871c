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
    return then(
        new TaskTimes(0, MILLI, (millis - 1) * MILLI, millis * MILLI, (millis - 2) * MILLI, 4));
  }

  static FakeTasks silent() {
    return new FakeTasks(new ArrayList<>());
  }

  @Override
  public List<TaskTimes> phase(IorOperation operation) throws IOException {
    journal.add(operation.label());
    var answer = answers.poll();
    if (answer == null) {
      throw new IOException("no such phase");
    }
    return answer;
  }

  @Override
  public void close() {
    journal.add("close");
  }
}
