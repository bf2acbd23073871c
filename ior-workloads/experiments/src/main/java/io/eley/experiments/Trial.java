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
 * @param shuffle where intermediate data lies
 * @param engine what holds the input's blocks
 */
record Trial(
    Subject subject,
    boolean deployment,
    @Nullable Knowledge knowledge,
    boolean losesNode,
    ShufflePlace shuffle,
    Engine engine) {
  /** Spark reads the mount itself, and nothing of Eley is there. */
  static final Trial DIRECT =
      new Trial(
          new Subject("Direct", BufferMode.NAIVE_BB),
          false,
          null,
          false,
          ShufflePlace.EXECUTORS,
          Engine.OWN);

  static final Trial NAIVE = unheld(BufferMode.NAIVE_BB);
  static final Trial NO_ACTION = unheld(BufferMode.NO_ACTION);

  private static Trial unheld(BufferMode mode) {
    return new Trial(Subject.of(mode), true, null, false, ShufflePlace.BUFFER, Engine.OWN);
  }

  static Trial fullDelay(Knowledge knowledge) {
    return held(BufferMode.FULL_DELAY, knowledge);
  }

  /** A mode that holds by what it knows. */
  static Trial held(BufferMode mode, Knowledge knowledge) {
    var subject = new Subject(mode.label() + "/" + knowledge.label(), mode);
    return new Trial(subject, true, knowledge, false, ShufflePlace.BUFFER, Engine.OWN);
  }

  /** The same, and a node dies. */
  Trial losingANode() {
    var other = new Subject(subject.label() + "/node-lost", subject.mode());
    return new Trial(other, deployment, knowledge, true, shuffle, engine);
  }

  /** The same, with intermediate data elsewhere. */
  Trial withShuffle(ShufflePlace place) {
    var other = new Subject(place.label(subject.label()), subject.mode());
    return new Trial(other, deployment, knowledge, losesNode, place, engine);
  }

  /** The same over Alluxio, which takes no intermediate data: that stays with executors. */
  Trial overAlluxio() {
    var other = new Subject(Engine.ALLUXIO.label(subject.label()), subject.mode());
    return new Trial(
        other, deployment, knowledge, losesNode, ShufflePlace.EXECUTORS, Engine.ALLUXIO);
  }

  /** The option without which a site cannot run it; null when it can. */
  @Nullable String missing(Site site) {
    String unknown = knowledge == null ? null : knowledge.missing(site);
    if (unknown != null) {
      return unknown;
    }
    return engine == Engine.OWN || site.alluxio().present() ? null : "--alluxio-servers";
  }

  boolean announces() {
    return knowledge == Knowledge.ANNOUNCED;
  }
}
