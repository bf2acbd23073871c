package io.eley.bb.api.wire;

import io.eley.bb.api.edge.NameRule;
import io.eley.bb.api.edge.PlainText;
import java.util.List;

/**
 * A deployment and the board of its site: what each tells the other, some times a second. Both are
 * strangers to each other's mistakes, so every number has its bounds here.
 */
public sealed interface BoardMessage extends Message {
  /** More phases, or forecasts, than this are not told. */
  int MOST_PHASES = 256;

  /** Nothing on a board is further away in time, in milliseconds. */
  long FURTHEST_MILLIS = 86_400_000;

  /**
   * What a deployment has moved, and the question what the board knows. Answered by {@link
   * BoardView}.
   *
   * @param moved bytes that its nodes and clients have moved on the origin since its start, summed
   *     up after the answer with {@code stamp} had arrived
   * @param stamp of that answer; 0 before there was one, the least {@code long} of who only looks
   * @param fileSystem a name of what is mounted at the origin, the same on all hosts
   */
  record AskBoard(long moved, long stamp, String fileSystem) implements BoardMessage {
    /** No name of a file system is longer, in bytes. */
    public static final int LONGEST_FILE_SYSTEM = 512;

    /** Of who looks once, moves nothing, and is not to be waited for; no clock gets there. */
    private static final long LOOK = Long.MIN_VALUE;

    public AskBoard {
      requireBetween("bytes", moved, 0, Long.MAX_VALUE);
      requireText("a file system", fileSystem, LONGEST_FILE_SYSTEM);
    }

    /** The question of who looks once what the board knows. */
    public static AskBoard look(String fileSystem) {
      return new AskBoard(0, LOOK, fileSystem);
    }

    /** Whether nothing is told, so that it is no deployment's word. */
    public boolean isLook() {
      return stamp == LOOK;
    }

    @Override
    public MessageType type() {
      return MessageType.ASK_BOARD;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(moved).i64(stamp).text(fileSystem);
    }

    static AskBoard read(WireReader in) {
      return new AskBoard(in.i64(), in.i64(), in.text(LONGEST_FILE_SYSTEM));
    }
  }

  /**
   * What the board knows. Times are ages and delays, so no clocks are compared.
   *
   * @param stamp to be returned with what is moved from now on
   * @param phases that are open
   * @param forecasts of phases to come
   * @param sources that the board watches
   * @param othersMoved bytes that deployments of other users have moved on this file system since
   *     the last answer
   * @param sharers by how many this deployment's share of the file system is divided, at least 1
   */
  record BoardView(
      long stamp,
      List<OpenPhase> phases,
      List<ExpectedPhase> forecasts,
      List<WatchedSource> sources,
      long othersMoved,
      int sharers)
      implements BoardMessage {
    public BoardView {
      phases = bounded(phases);
      forecasts = bounded(forecasts);
      sources = bounded(sources);
      requireBetween("bytes", othersMoved, 0, Long.MAX_VALUE);
      requireBetween("sharers", sharers, 1, 1 << 20);
    }

    private static <T> List<T> bounded(List<T> list) {
      requireBetween("entries", list.size(), 0, MOST_PHASES);
      return List.copyOf(list);
    }

    @Override
    public MessageType type() {
      return MessageType.BOARD_VIEW;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(stamp)
          .list(phases, (o, p) -> p.write(o))
          .list(forecasts, (o, f) -> f.write(o))
          .list(sources, (o, s) -> s.write(o))
          .i64(othersMoved)
          .i32(sharers);
    }

    static BoardView read(WireReader in) {
      return new BoardView(
          in.i64(),
          in.list(OpenPhase::read),
          in.list(ExpectedPhase::read),
          in.list(WatchedSource::read),
          in.i64(),
          in.i32());
    }
  }

  /**
   * A phase that is open.
   *
   * @param application its name, or that of somebody when it is hidden from whoever asks
   * @param source names of the sources that report it, joined by {@code +}
   * @param confidence how likely it is, 0 to 1
   * @param ageMillis since it began
   * @param bytesPerSecond that the application moves; 0 when that is not known
   */
  record OpenPhase(
      String application, String source, double confidence, long ageMillis, long bytesPerSecond) {
    public OpenPhase {
      NameRule.APPLICATION.require(application);
      requireText("a source", source, LONGEST_SOURCE);
      requirePart(confidence);
      requireBetween("milliseconds", ageMillis, 0, FURTHEST_MILLIS);
      requireBetween("bytes", bytesPerSecond, 0, Long.MAX_VALUE);
    }

    void write(WireWriter out) {
      out.text(application).text(source).f64(confidence).i64(ageMillis).i64(bytesPerSecond);
    }

    static OpenPhase read(WireReader in) {
      return new OpenPhase(
          in.text(NameRule.APPLICATION.bytesMax()),
          in.text(LONGEST_SOURCE),
          in.f64(),
          in.i64(),
          in.i64());
    }
  }

  /**
   * A phase that is expected, in milliseconds from now on; negative is in the past.
   *
   * @param application its name, or that of somebody
   * @param fromMillis from then on it may begin at any time
   * @param beginMillis it will most likely
   * @param untilMillis if it has not begun by then the forecast was wrong
   * @param lengthMillis how long it will last
   * @param confidence 0 to 1
   */
  record ExpectedPhase(
      String application,
      long fromMillis,
      long beginMillis,
      long untilMillis,
      long lengthMillis,
      double confidence) {
    public ExpectedPhase {
      NameRule.APPLICATION.require(application);
      requireBetween("milliseconds", fromMillis, -FURTHEST_MILLIS, beginMillis);
      requireBetween("milliseconds", beginMillis, fromMillis, untilMillis);
      requireBetween("milliseconds", untilMillis, beginMillis, FURTHEST_MILLIS);
      requireBetween("milliseconds", lengthMillis, 0, FURTHEST_MILLIS);
      requirePart(confidence);
    }

    void write(WireWriter out) {
      out.text(application)
          .i64(fromMillis)
          .i64(beginMillis)
          .i64(untilMillis)
          .i64(lengthMillis)
          .f64(confidence);
    }

    static ExpectedPhase read(WireReader in) {
      return new ExpectedPhase(
          in.text(NameRule.APPLICATION.bytesMax()),
          in.i64(),
          in.i64(),
          in.i64(),
          in.i64(),
          in.f64());
    }
  }

  /**
   * A source that the board watches.
   *
   * @param state fresh, lost or absent
   * @param ageMillis since its last report
   */
  record WatchedSource(String name, String state, long ageMillis) {
    public WatchedSource {
      requireText("a source", name, LONGEST_SOURCE);
      requireText("a state", state, LONGEST_SOURCE);
      requireBetween("milliseconds", ageMillis, 0, Long.MAX_VALUE);
    }

    void write(WireWriter out) {
      out.text(name).text(state).i64(ageMillis);
    }

    static WatchedSource read(WireReader in) {
      return new WatchedSource(in.text(LONGEST_SOURCE), in.text(LONGEST_SOURCE), in.i64());
    }
  }

  /** Several sources' names joined, in bytes. */
  int LONGEST_SOURCE = 128;

  private static void requirePart(double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("a confidence is from 0 to 1: " + value);
    }
  }

  private static void requireBetween(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          value + " " + what + " where " + least + " to " + most + " belong");
    }
  }

  private static void requireText(String what, String text, int most) {
    if (text.isBlank() || text.length() > most || !PlainText.isPlain(text)) {
      throw new IllegalArgumentException(what + " has no plain name of at most " + most + " bytes");
    }
  }
}
