package io.eley.coordinator.board;

import io.eley.bb.api.wire.BoardMessage;
import io.eley.bb.api.wire.BoardMessage.BoardView;
import io.eley.bb.api.wire.BoardMessage.ExpectedPhase;
import io.eley.bb.api.wire.BoardMessage.OpenPhase;
import io.eley.bb.api.wire.BoardMessage.WatchedSource;
import io.eley.controller.board.BoardAnswer;
import io.eley.controller.predict.Forecast;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Answers as they go over the wire: times become ages and delays, and what is too much is cut. */
final class BoardViews {
  private static final long FURTHEST = BoardMessage.FURTHEST_MILLIS;

  private BoardViews() {}

  static BoardView of(BoardAnswer answer) {
    long now = answer.stamp();
    return new BoardView(
        now,
        answer.phases().stream().limit(BoardMessage.MOST_PHASES).map(p -> phase(p, now)).toList(),
        forecasts(answer.forecasts(), now),
        answer.sources().stream()
            .map(
                s ->
                    new WatchedSource(
                        s.source(), s.state().name().toLowerCase(Locale.ROOT), s.age().toMillis()))
            .toList(),
        Math.max(0, answer.othersMoved()),
        answer.sharers());
  }

  private static OpenPhase phase(BoardAnswer.Phase phase, long now) {
    var open = phase.evidence();
    return new OpenPhase(
        open.application(),
        open.source(),
        open.confidence(),
        Math.min(FURTHEST, Math.max(0, millis(now - open.since()))),
        Math.max(0, phase.bytesPerSecond()));
  }

  private static List<ExpectedPhase> forecasts(List<Forecast> all, long now) {
    return all.stream()
        .filter(f -> near(f.guardFrom() - now) && near(f.lateUntil() - now))
        .filter(f -> f.guardFrom() <= f.onset() && f.onset() <= f.lateUntil())
        .limit(BoardMessage.MOST_PHASES)
        .map(
            f ->
                new ExpectedPhase(
                    f.application(),
                    millis(f.guardFrom() - now),
                    millis(f.onset() - now),
                    millis(f.lateUntil() - now),
                    Math.min(FURTHEST, Math.max(0, millis(f.lengthNanos()))),
                    f.confidence()))
        .toList();
  }

  private static boolean near(long nanos) {
    return Math.abs(millis(nanos)) <= FURTHEST;
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
