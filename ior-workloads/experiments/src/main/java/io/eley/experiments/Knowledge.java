package io.eley.experiments;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a deployment is to learn of phases. */
enum Knowledge {
  /** Each phase is announced before {@code mpirun} starts and ended after it; nothing else. */
  ANNOUNCED("announced", false, false),
  /** Slurm's accounting of the job step in which IOR runs, and our own reads, as by default. */
  SLURM("slurm", true, false),
  /** The file system's counters, and our own reads, which make the silence counters need. */
  COUNTERS("counters", true, false),
  /** The site's board, and our own reads. */
  BOARD("board", true, false),
  /** Nothing but our own reads. */
  OWN_READS("own-reads", true, false),
  /** Our own reads and the forecasts learned from them: Eley's defaults. */
  FORECASTS("forecasts", true, true),
  /** A timed write each second, on the coordinator's mount, which carries none of our reads. */
  PROBE("probe", false, false),
  /** Full delay that knows of nothing. */
  NOTHING("nothing", false, false);

  private final String label;
  private final boolean reads;
  private final boolean predict;

  Knowledge(String label, boolean reads, boolean predict) {
    this.label = label;
    this.reads = reads;
    this.predict = predict;
  }

  String label() {
    return label;
  }

  /** The option without which this site cannot have it; null when it can. */
  @Nullable String missing(Site site) {
    var witnesses = site.witnesses();
    return switch (this) {
      case COUNTERS -> witnesses.counters().isEmpty() ? "--counters" : null;
      case SLURM -> witnesses.slurm() ? null : "--slurm";
      case BOARD -> witnesses.board().isEmpty() ? "--board" : null;
      default -> null;
    };
  }

  /** The configuration keys that make it so. */
  Map<String, String> settings(Site site) {
    var settings = new LinkedHashMap<String, String>();
    settings.put("eley.signal.reads", Boolean.toString(reads));
    settings.put("eley.predict", Boolean.toString(predict));
    if (this == COUNTERS) {
      settings.put("eley.signal.counters", site.witnesses().counters());
    }
    if (this == PROBE) {
      settings.put("eley.signal.probe", "true");
    }
    if (this == BOARD) {
      settings.put("eley.signal.board", site.witnesses().board());
    }
    if (this == SLURM) {
      settings.put("eley.signal.slurm", "true");
      settings.put("eley.signal.slurm.jobs", "name=" + SlurmAllocation.NAME);
    }
    return settings;
  }
}
