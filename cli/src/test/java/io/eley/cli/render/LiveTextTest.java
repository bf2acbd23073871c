package io.eley.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.cli.render.LiveText.Screen;
import io.eley.coordinator.live.LiveDocument;
import io.eley.coordinator.live.LiveDocument.Application;
import io.eley.coordinator.live.LiveDocument.Deployment;
import io.eley.coordinator.live.LiveDocument.Expected;
import io.eley.coordinator.live.LiveDocument.Hpc;
import io.eley.coordinator.live.LiveDocument.Level;
import io.eley.coordinator.live.LiveDocument.Node;
import io.eley.coordinator.live.LiveDocument.Note;
import io.eley.coordinator.live.LiveDocument.Open;
import io.eley.coordinator.live.LiveDocument.Past;
import io.eley.coordinator.live.LiveDocument.Phases;
import io.eley.coordinator.live.LiveDocument.Point;
import io.eley.coordinator.live.LiveDocument.Traffic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LiveTextTest {
  private static final long GIB = 1L << 30;
  private static final long NOW = 1_795_438_800_000L;

  private static LiveDocument document(int nodes, String application) {
    return document(nodes, application, 1, 1);
  }

  private static LiveDocument document(int nodes, String application, int hpc, int notes) {
    var points = new ArrayList<Point>();
    for (int i = 299; i >= 0; i--) {
      boolean open = i >= 100 && i < 130;
      points.add(
          new Point(NOW - 1000L * i, open ? 0 : 300_000_000L, open ? 350_000_000L : 0L, open));
    }
    var all = new ArrayList<Node>();
    for (int i = 0; i < nodes; i++) {
      all.add(
          new Node(
              "n" + i, "h:1", GIB, 2 * GIB, 0, 10 * GIB, 9 * GIB, Map.of(), true, 3, 9, 0, 0, false,
              0));
    }
    return new LiveDocument(
        1,
        NOW,
        new Deployment(
            "FullDelay",
            "/mnt/pfs",
            7200,
            "full-delay",
            "full delay for climate",
            true,
            2 * GIB,
            4 * GIB,
            10 * GIB,
            9 * GIB,
            0,
            3 * GIB,
            40,
            12),
        new Traffic(1000, 400e6, points),
        new Phases(
            List.of(new Past("climate", NOW - 130_000, 30, 1.0, true, true)),
            List.of(new Open("climate", "announced", NOW - 2000, 100)),
            List.of(new Expected("climate", NOW + 20_000, 5, 90))),
        all,
        List.of(
            new Application(
                "app-1", application, 64, 4 * GIB, 3 * GIB, 100, 40, 40, 10 * GIB, 12, 90.0)),
        Collections.nCopies(hpc, new Hpc("climate", 30, 360, 0.8, 1.2, 30, 26, true)),
        List.of(),
        Collections.nCopies(notes, new Note(Level.ADVICE, "join waits", "eley why app-1")));
  }

  private static List<String> frame(LiveDocument document, Screen screen) {
    return LiveText.frame(document, screen, TypedDeployment.USUAL);
  }

  @Test
  void aFrameSaysBothSidesAndWhatToDo() {
    var lines = frame(document(2, "join"), new Screen(110, 0, false));
    assertThat(lines.get(0)).contains("in a phase: climate", "held (full delay for climate)");
    assertThat(lines.get(2))
        .contains("we move 300 MB/s", "from RAM 90 % of 10.0 GiB", "saved about 90 s");
    String all = String.join("\n", lines);
    assertThat(all)
        .contains("! join waits  → eley why app-1")
        .contains("join", "███████", "75 %", "40/100", "10.0 GiB", "12 s", "90 s")
        .contains("as alone ±1.2 %", "100 %", "87 %", "in 20 s")
        .contains("n0", "1.0 GiB of 2.0 GiB", "open");
    // Ours at three quarters of the height; in the phase others', and the phase marked beneath.
    assertThat(all).contains("█", "░", "━━━━", "┄");
    assertThat(all).doesNotContain("\u001b");
  }

  /** The picture in docs/top.md is one of this document. */
  @Test
  void thePageShowsAFrame() throws Exception {
    var page = Files.readString(Path.of("..", "docs", "top.md"));
    String picture =
        frame(document(2, "join"), new Screen(110, 0, false)).stream()
            .map(String::stripTrailing)
            .collect(Collectors.joining("\n"));
    assertThat(page.split("```(text)?\n", -1)[1].strip()).isEqualTo(picture.strip());
  }

  @Test
  void commandsCanBeTypedWhereTheFrameWasAskedFor() {
    var job = TypedDeployment.of("4711", "", Path.of("/home/me/.eley/jobs/4711"));
    var lines = LiveText.frame(document(2, "join"), new Screen(110, 0, false), job);
    assertThat(lines).contains("! join waits  → eley why 4711 app-1");
    assertThat(job.in("eley summary")).isEqualTo("eley summary 4711");
    assertThat(job.in("eley doctor")).isEqualTo("eley doctor -d /home/me/.eley/jobs/4711");
    assertThat(job.in("eley phase run --app NAME -- COMMAND"))
        .isEqualTo("eley phase run -d /home/me/.eley/jobs/4711 --app NAME -- COMMAND");
    assertThat(TypedDeployment.of("7_3", " --jobs /j", Path.of("/j/8")).in("eley why a"))
        .isEqualTo("eley why --jobs /j 7_3 a");

    var directory = TypedDeployment.of(Path.of("my place"));
    assertThat(directory.in("eley why app-1")).isEqualTo("eley why -d 'my place' app-1");
    assertThat(directory.in("eley summary")).isEqualTo("eley summary -d 'my place'");
    assertThat(directory.in("eley doctor")).isEqualTo("eley doctor -d 'my place'");
    assertThat(TypedDeployment.USUAL.in("eley why app-1")).isEqualTo("eley why app-1");
  }

  /** The command at its end is what the note is for. */
  @Test
  void aNoteThatIsWiderThanTheScreenGoesOnBelow() {
    var narrow = new Screen(20, 0, false);
    assertThat(narrow.wrap("! join waits", 3)).containsExactly("! join waits");
    assertThat(narrow.wrap("! join has 3 GiB of 4 in RAM; add more to it", 3))
        .containsExactly("! join has 3 GiB of", "  4 in RAM; add more", "  to it");
    assertThat(narrow.wrap("! join has 3 GiB of 4 in RAM; add more to it", 2))
        .containsExactly("! join has 3 GiB of", "  4 in RAM; add mor…");
    assertThat(narrow.wrap("x".repeat(25) + " y", 3)).containsExactly("x".repeat(20), "  xxxxx y");
    var job = TypedDeployment.of("4711", " --jobs " + "/j".repeat(30), Path.of("/j"));
    var lines = LiveText.frame(document(2, "join"), new Screen(95, 40, false), job);
    assertThat(lines)
        .containsSequence("! join waits", "  → eley why --jobs " + "/j".repeat(30) + " 4711 app-1");
  }

  @Test
  void aFrameFitsItsScreenAndSaysWhatItLeavesOut() {
    var lines = frame(document(100, "join"), new Screen(60, 40, false));
    assertThat(lines).hasSizeLessThanOrEqualTo(40);
    assertThat(lines).allMatch(l -> l.length() <= 61, "no line is wider than the screen");
    assertThat(lines.get(lines.size() - 1)).matches("… and \\d+ more");
  }

  private static long rows(List<String> lines, String begin) {
    return lines.stream().filter(l -> l.startsWith(begin)).count();
  }

  /** Of 24 lines the last is the terminal's own. */
  @Test
  void aSmallTerminalShowsWhatThereIsOfFew() {
    var lines = frame(document(2, "join"), new Screen(80, 23, false));
    assertThat(lines).hasSizeLessThanOrEqualTo(23).noneMatch(l -> l.startsWith("… and"));
    assertThat(rows(lines, "n0 ")).isEqualTo(1);
    assertThat(rows(lines, "n1 ")).isEqualTo(1);
    assertThat(lines).anyMatch(l -> l.contains("█ we")); // the chart's legend
  }

  @Test
  void eachTableSaysWhatItLeavesOut() {
    var lines = frame(document(100, "join", 30, 6), new Screen(80, 35, false));
    assertThat(lines).hasSize(35);
    int hpc = (int) rows(lines, "climate ");
    int nodes = (int) rows(lines, "n");
    assertThat(hpc).isGreaterThan(2);
    assertThat(nodes).isBetween(hpc - 1, hpc + 1);
    assertThat(lines).containsSubsequence("… and 3 more", more(30 - hpc), more(100 - nodes));
    assertThat(lines.get(lines.size() - 1)).isEqualTo(more(100 - nodes));

    var small = frame(document(2, "join", 30, 1), new Screen(80, 23, false));
    assertThat(small).hasSize(23).contains(more(30 - (int) rows(small, "climate ")));
    assertThat(rows(small, "climate ")).isGreaterThan(1);
    assertThat(rows(small, "n0 ") + rows(small, "n1 ")).isEqualTo(2);
  }

  private static String more(int rows) {
    return "… and " + rows + " more";
  }

  @Test
  void aFrameThatFitsNowhereSaysSo() {
    var whole = frame(document(2, "join"), new Screen(80, 19, false));
    var lines = frame(document(2, "join"), new Screen(80, 10, false));
    assertThat(lines).hasSize(10);
    assertThat(lines.get(9)).matches("… and \\d lines more: too low a window");
    assertThat(whole).hasSizeLessThanOrEqualTo(19).noneMatch(l -> l.startsWith("… and"));
  }

  @Test
  void nothingOfOthersReachesTheTerminalsControl() {
    var lines = frame(document(1, "a\u001b[2Jb\nc"), new Screen(110, 0, false));
    assertThat(lines).noneMatch(l -> l.contains("\u001b") || l.contains("\n"));
    assertThat(String.join("", lines)).contains("a\\x1b[2Jb\\x0ac");
  }

  @Test
  void coloursEndWithEachPiece() {
    var lines = frame(document(2, "join"), new Screen(80, 40, true));
    for (String line : lines) {
      int begun = line.split("\u001b\\[[1-9]", -1).length - 1;
      int ended = line.split("\u001b\\[0m", -1).length - 1;
      assertThat(begun).as(line).isEqualTo(ended);
    }
  }

  @Test
  void figuresAreSaidInOneStyle() {
    assertThat(Figures.bytes(0)).isEqualTo("0 B");
    assertThat(Figures.bytes(1536)).isEqualTo("1.5 KiB");
    assertThat(Figures.bytes(100L << 30)).isEqualTo("100 GiB");
    assertThat(Figures.rate(0)).isEqualTo("0 kB/s");
    assertThat(Figures.rate(2_500_000)).isEqualTo("2.5 MB/s");
    assertThat(Figures.rate(3.2e9)).isEqualTo("3.2 GB/s");
    assertThat(Figures.time(0)).isEqualTo("0 s");
    assertThat(Figures.time(2.34)).isEqualTo("2.3 s");
    assertThat(Figures.time(150)).isEqualTo("2.5 min");
    assertThat(Figures.time(7200)).isEqualTo("2.0 h");
    assertThat(Figures.percent(1, 0)).isEqualTo("–");
  }
}
