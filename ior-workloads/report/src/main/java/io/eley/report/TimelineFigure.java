package io.eley.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * One run in time: the HPC phases as they were, the ledger's, closed permits, waves of tasks, and
 * what we read a second.
 */
final class TimelineFigure {
  private static final int WIDTH = 860;
  private static final int LABELS = 90;
  private static final int ROW = 22;
  private static final int TOP = 34;
  private static final int TRAFFIC = 90;

  private TimelineFigure() {}

  static String svg(SeriesRun run) {
    var record = run.record();
    double end = Math.max(1, record.timeline().seconds());
    var scale = new Scale(0, end, LABELS, WIDTH - 12);
    String title =
        record.workload() + ", " + record.mode() + ", repetition " + run.repetition() + " (s)";
    var svg = new Svg(WIDTH).text(8, 18, "start", title);
    double y = TOP;
    y =
        lane(
            svg,
            scale,
            y,
            new Lane<>("HPC phases", Colours.HPC, record.phases())
                .spans(PhaseRecord::startSeconds, p -> p.startSeconds() + p.seconds()));
    y =
        lane(
            svg,
            scale,
            y,
            new Lane<>("ledger", Colours.LEDGER, run.ledger())
                .spans(LedgerPhase::startSeconds, p -> p.startSeconds() + p.seconds()));
    y =
        lane(
            svg,
            scale,
            y,
            new Lane<>("held", Colours.HELD, record.timeline().closedPermits())
                .spans(RunTimeline.Span::start, RunTimeline.Span::end));
    y =
        lane(
            svg,
            scale,
            y,
            new Lane<>("map phase", Colours.MAP, record.timeline().map())
                .spans(RunTimeline.Span::start, RunTimeline.Span::end));
    y = traffic(svg, scale, y, record.timeline());
    int step = end > 60 ? 10 : 5;
    for (int second = 0; second <= end; second += step) {
      svg.text(scale.at(second), y + 16, "middle", Integer.toString(second));
    }
    return svg.render((int) y + 26, title);
  }

  private record Drawn(String label, String colour, List<RunTimeline.Span> spans) {}

  private record Lane<T>(String label, String colour, List<T> things) {
    Drawn spans(ToDoubleFunction<T> start, ToDoubleFunction<T> end) {
      var spans = new ArrayList<RunTimeline.Span>();
      for (T thing : things) {
        spans.add(new RunTimeline.Span(start.applyAsDouble(thing), end.applyAsDouble(thing)));
      }
      return new Drawn(label, colour, spans);
    }
  }

  private static double lane(Svg svg, Scale scale, double y, Drawn lane) {
    if (lane.spans().isEmpty()) {
      return y;
    }
    svg.text(LABELS - 8.0, y + 13, "end", lane.label());
    for (var span : lane.spans()) {
      double from = Math.max(0, span.start());
      double until = Math.min(scale.high(), span.end());
      if (until > from) {
        svg.rect(
            scale.at(from),
            y + 2,
            scale.at(until) - scale.at(from),
            ROW - 6.0,
            lane.colour(),
            String.format(Locale.ROOT, "%.2f s from %.2f s", span.length(), span.start()));
      }
    }
    return y + ROW;
  }

  private static double traffic(Svg svg, Scale scale, double y, RunTimeline timeline) {
    double[] rates = perSecond(timeline);
    double peak = 1;
    for (double rate : rates) {
      peak = Math.max(peak, rate);
    }
    double bottom = y + TRAFFIC;
    svg.text(LABELS - 8.0, y + 13, "end", String.format(Locale.ROOT, "%.0f MiB/s", peak));
    for (int i = 0; i < rates.length; i++) {
      double height = (TRAFFIC - 6) * rates[i] / peak;
      if (height > 0) {
        svg.rect(
            scale.at(i),
            bottom - height,
            scale.at(i + 1.0) - scale.at(i),
            height,
            Colours.OURS,
            String.format(Locale.ROOT, "%.1f MiB/s at %d s", rates[i], i));
      }
    }
    svg.line(LABELS, bottom, WIDTH - 12.0, bottom);
    return bottom;
  }

  /** What we read, MiB in each second. */
  static double[] perSecond(RunTimeline timeline) {
    int seconds = Math.max(1, (int) Math.ceil(timeline.seconds()));
    double[] rates = new double[seconds];
    for (var bins : timeline.ours().values()) {
      for (int i = 0; i < bins.size(); i++) {
        int second = Math.min(seconds - 1, (int) (i * timeline.binSeconds()));
        rates[second] += bins.get(i) / (double) (1 << 20);
      }
    }
    return rates;
  }
}
