package io.eley.bb.api.wire;

import io.eley.bb.api.edge.NameRule;
import io.eley.bb.api.edge.PlainText;
import java.time.Duration;
import java.util.List;

/**
 * Announcements of HPC I/O phases and questions about the deployment: any client and the
 * coordinator.
 */
public sealed interface PhaseMessage extends Message {
  /**
   * An HPC application begins a phase. Answered by {@link PhaseHeld} once every node has confirmed
   * its closed permit, so that a caller who waits for the answer starts its I/O on a quiet origin;
   * one who does not wait loses nothing.
   *
   * @param application name of the HPC application, see {@link NameRule#APPLICATION}
   * @param lease the phase ends by itself after this long, unless it is announced again: an
   *     application that dies inside a phase does not hold prefetching for ever
   */
  record BeginPhase(String application, Duration lease) implements PhaseMessage {
    public BeginPhase {
      NameRule.APPLICATION.require(application);
      if (lease.isNegative() || lease.isZero()) {
        throw new IllegalArgumentException("a phase needs a positive lease");
      }
    }

    @Override
    public MessageType type() {
      return MessageType.BEGIN_PHASE;
    }

    @Override
    public void write(WireWriter out) {
      out.text(application).i64(lease.toMillis());
    }

    static BeginPhase read(WireReader in) {
      return new BeginPhase(in.text(), Duration.ofMillis(in.i64()));
    }
  }

  /** The phase is over. Answered by {@link PhaseEnded}; ending one that is not open is fine. */
  record EndPhase(String application) implements PhaseMessage {
    public EndPhase {
      NameRule.APPLICATION.require(application);
    }

    @Override
    public MessageType type() {
      return MessageType.END_PHASE;
    }

    @Override
    public void write(WireWriter out) {
      out.text(application);
    }

    static EndPhase read(WireReader in) {
      return new EndPhase(in.text());
    }
  }

  /**
   * The phase is known.
   *
   * @param nodes how many nodes are there
   * @param confirmed how many confirmed their new permit in time; in NoAction permits stay open and
   *     this is zero
   * @param micros microseconds from the announcement's arrival to the last confirmation
   */
  record PhaseHeld(int nodes, int confirmed, long micros) implements PhaseMessage {
    @Override
    public MessageType type() {
      return MessageType.PHASE_HELD;
    }

    @Override
    public void write(WireWriter out) {
      out.i32(nodes).i32(confirmed).i64(micros);
    }

    static PhaseHeld read(WireReader in) {
      return new PhaseHeld(in.i32(), in.i32(), in.i64());
    }
  }

  /**
   * The phase is announced no more.
   *
   * @param wasOpen whether it was, until now; what another source sees stays open
   */
  record PhaseEnded(boolean wasOpen) implements PhaseMessage {
    @Override
    public MessageType type() {
      return MessageType.PHASE_ENDED;
    }

    @Override
    public void write(WireWriter out) {
      out.bool(wasOpen);
    }

    static PhaseEnded read(WireReader in) {
      return new PhaseEnded(in.bool());
    }
  }

  /** Asks for the {@link Report}. */
  record GetReport() implements PhaseMessage {
    @Override
    public MessageType type() {
      return MessageType.GET_REPORT;
    }

    @Override
    public void write(WireWriter out) {}

    static GetReport read(WireReader in) {
      return new GetReport();
    }
  }

  /** What {@code eley status} shows. */
  record Report(DeploymentReport report) implements PhaseMessage {
    @Override
    public MessageType type() {
      return MessageType.REPORT;
    }

    @Override
    public void write(WireWriter out) {
      report.write(out);
    }

    static Report read(WireReader in) {
      return new Report(DeploymentReport.read(in));
    }
  }

  /**
   * Asks why something is, or is not, in the buffer. Answered by {@link Why}.
   *
   * @param target a path on the origin, {@code PATH@OFFSET} for the block of a byte, {@code
   *     APPLICATION/STAGE/PARTITION} for a task, or {@code APPLICATION} for its intermediate data
   */
  record GetWhy(String target) implements PhaseMessage {
    @Override
    public MessageType type() {
      return MessageType.GET_WHY;
    }

    @Override
    public void write(WireWriter out) {
      out.text(target);
    }

    static GetWhy read(WireReader in) {
      return new GetWhy(in.path());
    }
  }

  /**
   * Why something is, or is not, in the buffer.
   *
   * @param lines for people; at most a few dozen, escaped because they quote files' names
   */
  record Why(List<String> lines) implements PhaseMessage {
    public Why {
      lines = lines.stream().map(PlainText::escape).toList();
    }

    @Override
    public MessageType type() {
      return MessageType.WHY;
    }

    @Override
    public void write(WireWriter out) {
      out.list(lines, WireWriter::text);
    }

    static Why read(WireReader in) {
      return new Why(in.list(WireReader::path));
    }
  }
}
