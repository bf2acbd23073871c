package io.eley.experiments;

import io.eley.bb.api.BufferMode;
import io.eley.laboratory.Subject;
import org.jspecify.annotations.Nullable;

/**
 * One kind of run beside the HPC applications.
 *
 * @param subject its name and mode
 * @param deployment whether there is one; without, Spark reads the mount itself
 * @param knowledge how full delay learns of phases; null in the modes that hold for nobody
 * @param losesNode whether a node is killed in the second phase
 */
record Trial(
    Subject subject, boolean deployment, @Nullable Knowledge knowledge, boolean losesNode) {
  /** Spark reads the mount itself, and nothing of Eley is there. */
  static final Trial DIRECT =
      new Trial(new Subject("Direct", BufferMode.NAIVE_BB), false, null, false);

  static final Trial NAIVE = new Trial(Subject.of(BufferMode.NAIVE_BB), true, null, false);
  static final Trial NO_ACTION = new Trial(Subject.of(BufferMode.NO_ACTION), true, null, false);

  static Trial fullDelay(Knowledge knowledge) {
    return held(BufferMode.FULL_DELAY, knowledge);
  }

  /** A mode that holds by what it knows. */
  static Trial held(BufferMode mode, Knowledge knowledge) {
    return new Trial(
        new Subject(mode.label() + "/" + knowledge.label(), mode), true, knowledge, false);
  }

  /** The same, and a node dies. */
  Trial losingANode() {
    return new Trial(
        new Subject(subject.label() + "/node-lost", subject.mode()), deployment, knowledge, true);
  }

  boolean possible(Site site) {
    var known = knowledge;
    return known == null || known.possible(site);
  }

  boolean announces() {
    return knowledge == Knowledge.ANNOUNCED;
  }
}
