package io.eley.laboratory;

import java.util.ArrayList;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is to be seen of a run while it runs.
 *
 * @param stage what goes on, in a few words
 * @param part of the work that says how far the run is, 0 to 1: tasks of the map phase, or phases
 *     of the HPC application where it is alone
 * @param phases that the HPC application has ended
 * @param inPhase whether it is in another one
 * @param rates what the file system gives; null where nobody tells while it does
 */
public record RunSight(
    String stage, double part, int phases, boolean inPhase, @Nullable Rates rates) {
  /** Bytes per second over the last moments, of both sides. */
  public record Rates(double ours, double hpc) {}

  /** Takes what is seen. */
  @FunctionalInterface
  public interface Viewer {
    /** Called on the thread that watches the run, twice a second or so; must not block. */
    void sees(RunSight sight);
  }

  /** In a few words, for one line. */
  public String words() {
    var words = new ArrayList<String>();
    words.add(stage);
    if (inPhase) {
      words.add("HPC phase " + (phases + 1));
    } else if (phases > 0) {
      words.add("HPC pause");
    }
    var moved = rates;
    if (moved != null) {
      words.add(
          String.format(
              Locale.ROOT, "ours %.0f, HPC %.0f MiB/s", mebi(moved.ours()), mebi(moved.hpc())));
    }
    return String.join(", ", words);
  }

  private static double mebi(double bytes) {
    return bytes / (1 << 20);
  }
}
