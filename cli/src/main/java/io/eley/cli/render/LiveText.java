package io.eley.cli.render;

import io.eley.bb.api.edge.PlainText;
import io.eley.coordinator.live.LiveDocument;
import io.eley.coordinator.live.LiveDocument.Application;
import io.eley.coordinator.live.LiveDocument.Expected;
import io.eley.coordinator.live.LiveDocument.Hpc;
import io.eley.coordinator.live.LiveDocument.Level;
import io.eley.coordinator.live.LiveDocument.Node;
import io.eley.coordinator.live.LiveDocument.Note;
import io.eley.coordinator.live.LiveDocument.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One frame of {@code eley top}: a pure function of what it is given. */
public final class LiveText {
  private static final int MOST_NOTES = 4;
  private static final int LINES_OF_A_NOTE = 2;
  private static final int BAR = 10;

  /** Before what goes on with the line above. */
  private static final String SET_IN = "  ";

  private final LiveDocument document;
  private final Screen screen;
  private final TypedDeployment typed;
  private final List<String> lines = new ArrayList<>();

  private LiveText(LiveDocument document, Screen screen, TypedDeployment typed) {
    this.document = document;
    this.screen = screen;
    this.typed = typed;
  }

  /**
   * Where a frame is shown.
   *
   * @param width columns; a line is never longer
   * @param height lines; as many as it takes when it is 0
   * @param colours whether they are understood there
   */
  public record Screen(int width, int height, boolean colours) {
    String paint(Paint paint, String text) {
      return colours && !text.isEmpty() ? paint.code + text + "\u001b[0m" : text;
    }

    /** As much of a line as there are columns. */
    public String cut(String text) {
      return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "…";
    }

    /** A text in as many lines as may be, broken between words, the later ones set in. */
    List<String> wrap(String text, int mostLines) {
      var lines = new ArrayList<String>();
      String rest = text;
      while (rest.length() > width && lines.size() < mostLines - 1) {
        int space = rest.lastIndexOf(' ', width);
        int end = space > SET_IN.length() ? space : width;
        lines.add(rest.substring(0, end).stripTrailing());
        rest = SET_IN + rest.substring(end).strip();
      }
      lines.add(cut(rest));
      return lines;
    }
  }

  /** What a colour means. */
  enum Paint {
    HEAD("\u001b[1m"),
    SOFT("\u001b[2m"),
    OURS("\u001b[34m"),
    OTHERS("\u001b[90m"),
    PHASE("\u001b[33m"),
    BAD("\u001b[31m"),
    GOOD("\u001b[32m");

    private final String code;

    Paint(String code) {
      this.code = code;
    }
  }

  /**
   * The lines of a frame; no line feed is in them, and nothing of others that a terminal obeys.
   * What has no room is told: of a table in its last line, of all of it in the frame's.
   *
   * @param typed which deployment was named, for the commands that notes say
   */
  public static List<String> frame(LiveDocument document, Screen screen, TypedDeployment typed) {
    var text = new LiveText(document, screen, typed);
    text.head();
    text.notes();
    var rows =
        LiveRows.of(
            screen.height(),
            text.lines.size(),
            document.applications().size(),
            document.hpc().size(),
            document.nodes().size());
    text.lines.addAll(LiveChart.lines(document, screen, rows.chart()));
    text.applications(rows.applications());
    text.hpc(rows.hpc());
    text.nodes(rows.nodes());
    return text.onScreen();
  }

  private List<String> onScreen() {
    if (screen.height() == 0 || lines.size() <= screen.height()) {
      return lines;
    }
    int shown = screen.height() - 1;
    var fitting = new ArrayList<>(lines.subList(0, shown));
    fitting.add(screen.cut("… and " + (lines.size() - shown) + " lines more: too low a window"));
    return fitting;
  }

  /** So many lines of all, the last of which says what has no room; a line if there is none. */
  private <T> void rows(List<T> all, int room, Function<T, String> row, String none) {
    int shown = all.size() <= room ? all.size() : room - 1;
    all.stream().limit(shown).forEach(each -> lines.add(screen.cut(row.apply(each))));
    if (shown < all.size()) {
      lines.add("… and " + (all.size() - shown) + " more");
    }
    if (all.isEmpty()) {
      lines.add(none);
    }
  }

  private void add(Paint paint, String text) {
    lines.add(screen.paint(paint, screen.cut(text)));
  }

  private void head() {
    var d = document.deployment();
    String open =
        document.phases().open().stream()
            .map(p -> plain(p.application()))
            .collect(Collectors.joining(", "));
    add(
        Paint.HEAD,
        (open.isEmpty() ? "no HPC phase" : "in a phase: " + open)
            + "; prefetching is "
            + (d.held() ? "held" : "open")
            + " ("
            + plain(d.permits())
            + ")");
    add(
        Paint.SOFT,
        d.mode() + " over " + plain(d.origin()) + ", up " + Figures.time(d.uptimeSeconds()));
    List<Point> points = document.traffic().points();
    Point now = points.isEmpty() ? new Point(0, 0, null, false) : points.get(points.size() - 1);
    Long foreign = now.foreign();
    long read = d.servedBytes() + d.pastBytes();
    double saved = document.applications().stream().mapToDouble(LiveText::savedSeconds).sum();
    lines.add(
        screen.cut(
            "we move "
                + Figures.rate((double) now.ours())
                + ", others move "
                + (foreign == null ? "what nobody counts" : Figures.rate(foreign.doubleValue()))
                + "; from RAM "
                + Figures.percent(d.fromRamBytes(), read)
                + " of "
                + Figures.bytes(read)
                + "; RAM "
                + Figures.bytes(d.ramBytes())
                + " of "
                + Figures.bytes(d.ramCapacityBytes())
                + "; saved about "
                + Figures.time(saved)));
  }

  private static double savedSeconds(Application a) {
    Double saved = a.savedSeconds();
    return saved == null ? 0 : saved;
  }

  private void notes() {
    List<Note> notes = document.notes();
    int shown = notes.size() <= MOST_NOTES ? notes.size() : MOST_NOTES - 1;
    for (Note note : notes.subList(0, shown)) {
      String command = note.command();
      String text = "! " + plain(note.text());
      String advice = command == null ? "" : SET_IN + "→ " + plain(typed.in(command));
      Paint paint = note.level() == Level.PROBLEM ? Paint.BAD : Paint.HEAD;
      if (text.length() + advice.length() <= screen.width()) {
        add(paint, text + advice);
      } else {
        // What is to be typed stays in one piece.
        screen.wrap(text, LINES_OF_A_NOTE).forEach(line -> add(paint, line));
        if (!advice.isEmpty()) {
          add(paint, advice);
        }
      }
    }
    if (shown < notes.size()) {
      lines.add("… and " + (notes.size() - shown) + " more");
    }
    lines.add("");
  }

  private void applications(int room) {
    lines.add("");
    add(
        Paint.SOFT,
        String.format(
            Locale.ROOT,
            "%-24s %5s  %-17s %13s %10s %9s %9s",
            "SPARK APPLICATION",
            "WAVE",
            "NEXT WAVE IN RAM",
            "SPLITS ENDED",
            "READ",
            "WAITED",
            "SAVED"));
    rows(document.applications(), room, LiveText::application, "none runs");
  }

  private static String application(Application a) {
    return String.format(
        Locale.ROOT,
        "%-24s %5d  %s %5s %13s %10s %9s %9s",
        fitting(a.name().isEmpty() ? a.id() : a.name(), 24),
        a.wave(),
        bar(a.windowInRamBytes(), a.windowBytes()),
        Figures.percent(a.windowInRamBytes(), a.windowBytes()),
        a.endedSplits() + "/" + a.splits(),
        Figures.bytes(a.readBytes()),
        Figures.time(a.waitedSeconds()),
        a.savedSeconds() == null ? "–" : Figures.time(savedSeconds(a)));
  }

  private void hpc(int room) {
    lines.add("");
    add(
        Paint.SOFT,
        String.format(
            Locale.ROOT,
            "%-24s %-10s %6s %16s %6s %12s  %s",
            "HPC APPLICATION",
            "NOW",
            "PHASES",
            "AGAINST ALONE",
            "HELD",
            "HELD BEFORE",
            "NEXT"));
    rows(document.hpc(), room, this::hpcRow, "no phase was seen");
  }

  private String hpcRow(Hpc h) {
    return String.format(
        Locale.ROOT,
        "%-24s %-10s %6d %16s %6s %12s  %s",
        fitting(h.application(), 24),
        h.open() ? "in a phase" : "computing",
        h.phases(),
        slower(h),
        Figures.percent(h.held(), h.phases()),
        Figures.percent(h.heldBefore(), h.phases()),
        next(h.application()));
  }

  private static String slower(Hpc h) {
    Double percent = h.slowdownPercent();
    Double error = h.slowdownErrorPercent();
    if (percent == null || error == null) {
      return "not known yet";
    }
    return Math.abs(percent) <= error
        ? String.format(Locale.ROOT, "as alone ±%.1f %%", error)
        : String.format(Locale.ROOT, "%+.1f %% ±%.1f", percent, error);
  }

  private String next(String application) {
    return document.phases().expected().stream()
        .filter(e -> e.application().equals(application) && e.at() > document.at())
        .map(Expected::at)
        .findFirst()
        .map(at -> "in " + Figures.time((at - document.at()) / 1e3))
        .orElse("–");
  }

  private void nodes(int room) {
    lines.add("");
    add(
        Paint.SOFT,
        String.format(
            Locale.ROOT,
            "%-24s %-17s %20s %10s %9s %7s  %s",
            "NODE",
            "RAM",
            "",
            "SERVED",
            "FROM RAM",
            "QUEUED",
            "PERMIT"));
    rows(document.nodes(), room, LiveText::node, "none is here");
  }

  private static String node(Node n) {
    return String.format(
        Locale.ROOT,
        "%-24s %s %5s %20s %10s %9s %7d  %s",
        fitting(n.id(), 24),
        bar(n.ramBytes(), n.ramCapacityBytes()),
        Figures.percent(n.ramBytes(), n.ramCapacityBytes()),
        Figures.bytes(n.ramBytes()) + " of " + Figures.bytes(n.ramCapacityBytes()),
        Figures.bytes(n.servedBytes()),
        Figures.percent(n.fromRamBytes(), n.servedBytes()),
        n.queued(),
        n.permitOpen() ? "open" : "held");
  }

  private static String bar(long part, long whole) {
    int full = whole <= 0 ? 0 : (int) Math.min(BAR, Math.round((double) BAR * part / whole));
    return "█".repeat(full) + "·".repeat(BAR - full);
  }

  private static String fitting(String name, int width) {
    String plain = plain(name);
    return plain.length() <= width ? plain : plain.substring(0, width - 1) + "…";
  }

  private static String plain(String text) {
    return PlainText.escape(text);
  }
}
