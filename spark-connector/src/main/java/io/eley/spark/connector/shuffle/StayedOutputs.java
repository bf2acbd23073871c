package io.eley.spark.connector.shuffle;

import io.eley.bb.api.StayCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Stayed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The outputs of map tasks that this JVM's executor has kept, since no node has them: how many, and
 * their bytes, by {@link StayCause}. Not those of a task that was interrupted, or whose application
 * or shuffle had ended, which nobody reads.
 *
 * <p>The counts only grow while the JVM lives, over all its applications. Safe for several threads.
 */
public final class StayedOutputs {
  /** How many figures there are: of each cause the outputs, then the bytes. */
  public static final int FIGURES = 2 * StayCause.values().length;

  private static final Map<StayCause, Stayed> COUNTS = new EnumMap<>(StayCause.class);

  private StayedOutputs() {}

  /** Counts one output of so many bytes. */
  static synchronized void count(StayCause cause, long bytes) {
    Stayed before = COUNTS.getOrDefault(cause, new Stayed(cause, 0, 0));
    COUNTS.put(cause, new Stayed(cause, before.outputs() + 1, before.bytes() + bytes));
  }

  /** Why an output stays whose way to the nodes has failed. */
  static StayCause causeOf(Throwable failure) {
    return failure instanceof EleyException e && e.code() == ErrorCode.UNAUTHENTICATED
        ? StayCause.NO_SECRECY
        : StayCause.ERROR;
  }

  /** All figures now. */
  public static synchronized long[] figures() {
    return Arrays.stream(StayCause.values())
        .map(cause -> COUNTS.getOrDefault(cause, new Stayed(cause, 0, 0)))
        .flatMapToLong(stayed -> LongStream.of(stayed.outputs(), stayed.bytes()))
        .toArray();
  }

  /** What figures say, of the causes that there were. */
  public static List<Stayed> of(long[] figures) {
    var stayed = new ArrayList<Stayed>();
    int at = 0;
    for (StayCause cause : StayCause.values()) {
      if (figures[at] > 0) {
        stayed.add(new Stayed(cause, figures[at], figures[at + 1]));
      }
      at += 2;
    }
    return stayed;
  }
}
