package io.eley.laboratory;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.report.RunRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Results of runs: a workload's are the same in every system. For one thread. */
public final class SameResults {
  private final Map<String, RunRecord> firsts = new HashMap<>();

  /**
   * Compares a run of Spark with the first one of its workload.
   *
   * @throws EleyException {@code INTERNAL} that begins with "WRONG RESULT" when they differ, which
   *     does not tell whose is the wrong one
   */
  public void require(RunRecord record) throws EleyException {
    var first = firsts.putIfAbsent(record.workload(), record);
    if (first != null && !Objects.equals(record.digest(), first.digest())) {
      throw new EleyException(
          ErrorCode.INTERNAL,
          "WRONG RESULT: "
              + record.workload()
              + " in "
              + record.mode()
              + " gave "
              + record.digest()
              + ", but "
              + first.digest()
              + " in "
              + first.mode());
    }
  }
}
