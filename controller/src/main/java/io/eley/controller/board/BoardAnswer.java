package io.eley.controller.board;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.SourceHealth;
import io.eley.controller.predict.Forecast;
import java.util.List;

/**
 * What the board answers one deployment. Times are nanoseconds of the board's clock.
 *
 * @param stamp to be returned with what the deployment moves from now on
 * @param phases that are open, as far as they may be named
 * @param forecasts of phases, likewise
 * @param sources the health of each
 * @param othersMoved bytes that other users' deployments have moved since its last word
 * @param sharers by how many the deployment's fetchers are to be divided, at least 1
 */
public record BoardAnswer(
    long stamp,
    List<Phase> phases,
    List<Forecast> forecasts,
    List<SourceHealth> sources,
    long othersMoved,
    int sharers) {
  /**
   * A phase that is open.
   *
   * @param bytesPerSecond that it moves; 0 when nobody knows
   */
  public record Phase(Evidence evidence, long bytesPerSecond) {}
}
