package io.eley.ior;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Tasks as processes. The protocol is lines over pipes: a child waits for a {@link PhaseOrder} on
 * its standard input, says {@value #AT_BARRIER} at each barrier and waits for {@value #GO}, and
 * answers with its times on its standard output, or with {@value #FAILED} and why. A child whose
 * input ends, ends.
 */
final class ProcessTasks implements IorTasks {
  static final String AT_BARRIER = "at";
  static final String GO = "go";
  static final String FAILED = "failed ";

  private final List<IorChild> children = new ArrayList<>();
  private final int barriers;

  private ProcessTasks(IorOptions options) {
    barriers = options.pacing().barriers() ? 3 : 1;
  }

  /**
   * Starts a child for each task.
   *
   * @param arguments the children's; each gets its rank in addition
   */
  static ProcessTasks start(IorOptions options, List<String> arguments) throws IOException {
    var tasks = new ProcessTasks(options);
    try {
      for (int rank = 0; rank < options.shape().tasks(); rank++) {
        tasks.children.add(IorChild.start(rank, arguments));
      }
      return tasks;
    } catch (IOException e) {
      tasks.close();
      throw e;
    }
  }

  /** The child's side. Returns its exit code when its input ends. */
  static int serve(IorTask task, InputStream orders, OutputStream answers) throws IOException {
    var in = new BufferedReader(new InputStreamReader(orders, StandardCharsets.UTF_8));
    var out = new PrintStream(answers, true, StandardCharsets.UTF_8);
    String order = in.readLine();
    while (order != null) {
      out.println(answer(task, order, () -> cross(in, out)));
      order = in.readLine();
    }
    return 0;
  }

  @Override
  public List<TaskTimes> phase(PhaseOrder order) throws IOException {
    try {
      children.forEach(child -> child.send(order.encode()));
      for (int i = 0; i < barriers; i++) {
        for (IorChild child : children) {
          child.awaitBarrier();
        }
        children.forEach(child -> child.send(GO));
      }
      var times = new ArrayList<TaskTimes>();
      for (IorChild child : children) {
        times.add(child.times());
      }
      return times;
    } catch (IOException e) {
      cancel();
      throw e;
    }
  }

  @Override
  public void cancel() {
    children.forEach(IorChild::destroy);
  }

  @Override
  public void close() {
    children.forEach(IorChild::close);
  }

  private static void cross(BufferedReader in, PrintStream out) throws IOException {
    out.println(AT_BARRIER);
    if (!GO.equals(in.readLine())) {
      throw new EOFException("the run has ended");
    }
  }

  private static String answer(IorTask task, String order, IorTask.Barrier barrier) {
    try {
      return task.run(PhaseOrder.decode(order), barrier).encode();
    } catch (IOException | IllegalArgumentException e) {
      return FAILED + IorErrorLine.of(e);
    }
  }
}
