package io.eley.bb.api.wire;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.edge.NameRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Intermediate data of an application, on its way to a node's scratch. A writer reserves all of an
 * output's bytes before the first one is sent, sends pieces in any order, and commits when all of
 * them are answered; what is not committed goes with its connection. On the node's own machine it
 * may put a whole file where the node looks for it, in place of sending it.
 */
public sealed interface ScratchMessage extends Message {
  /** The most bytes of a piece: a node holds it in memory until it is written. */
  int PIECE_MAX = 512 << 10;

  /**
   * Asks for the service that hands an application's outputs out, and starts it on first use.
   * Answered by {@link ScratchOpened}, when it is up.
   *
   * @param settings of the application's network, which the service must share
   * @param secret with which the application authenticates; empty when it does not. Not to be sent
   *     where others can read it
   */
  record OpenScratch(String application, Map<String, String> settings, String secret)
      implements ScratchMessage {
    public OpenScratch {
      NameRule.APPLICATION.require(application);
      settings = Map.copyOf(settings);
    }

    @Override
    public MessageType type() {
      return MessageType.OPEN_SCRATCH;
    }

    @Override
    public void write(WireWriter out) {
      out.text(application)
          .list(settings.entrySet(), (w, e) -> w.text(e.getKey()).text(e.getValue()))
          .text(secret);
    }

    static OpenScratch read(WireReader in) {
      String application = in.text();
      var settings = new LinkedHashMap<String, String>();
      in.list(r -> settings.put(r.text(), r.text()));
      return new OpenScratch(application, settings, in.text());
    }

    @Override
    public String toString() {
      return "OpenScratch[" + application + "]"; // never the secret
    }
  }

  /**
   * The service that hands an application's outputs out.
   *
   * @param executor what it is called among Spark's executors, alone in its application: another
   *     one after the node or the service was started again
   * @param port of the service, on the node's host
   * @param directory what Spark calls a local directory: outputs lie below it by Spark's rule
   */
  record ScratchOpened(String executor, int port, String directory) implements ScratchMessage {
    public ScratchOpened {
      if (port < 1 || port > 65535) {
        throw new IllegalArgumentException("not a port: " + port);
      }
    }

    @Override
    public MessageType type() {
      return MessageType.SCRATCH_OPENED;
    }

    @Override
    public void write(WireWriter out) {
      out.text(executor).i32(port).text(directory);
    }

    static ScratchOpened read(WireReader in) {
      return new ScratchOpened(in.text(), in.i32(), in.text());
    }
  }

  /**
   * Asks for room. Answered by {@link ScratchReserved}, or refused with {@code NO_SPACE}.
   *
   * @param executor that {@link ScratchOpened} has named: one that is gone is refused
   * @param parts the output's files, and how long each will be
   */
  record ReserveScratch(MapOutput output, String executor, List<Part> parts)
      implements ScratchMessage {
    /** Parts of an output: data, index and one checksum file at most. */
    private static final int PARTS_MAX = 3;

    public ReserveScratch {
      parts = List.copyOf(parts);
      if (parts.isEmpty() || parts.size() > PARTS_MAX) {
        throw new IllegalArgumentException("an output has 1 to 3 parts, not " + parts.size());
      }
    }

    @Override
    public MessageType type() {
      return MessageType.RESERVE_SCRATCH;
    }

    @Override
    public void write(WireWriter out) {
      out.text(output.application()).i32(output.shuffle()).i64(output.map()).text(executor);
      out.list(parts, (w, p) -> w.text(p.ending()).i64(p.bytes()));
    }

    static ReserveScratch read(WireReader in) {
      var output = new MapOutput(in.text(), in.i32(), in.i64());
      return new ReserveScratch(output, in.text(), in.list(r -> new Part(r.text(), r.i64())));
    }
  }

  /**
   * A file of an output.
   *
   * @param ending of its name behind {@link MapOutput#blockName}: {@code data}, {@code index} or
   *     {@code checksum.} and an algorithm's name
   * @param bytes how long it is, at most {@link #BYTES_MAX}
   */
  record Part(String ending, long bytes) {
    /** More than any node has: sums of a few stay numbers. */
    public static final long BYTES_MAX = 1L << 50;

    public Part {
      if (!ending.matches("data|index|checksum\\.[A-Z0-9]{1,16}") || bytes < 0) {
        throw new IllegalArgumentException("not a file of a map output: " + ending);
      }
      if (bytes > BYTES_MAX) {
        throw new IllegalArgumentException("no file is so long: " + bytes);
      }
    }
  }

  /**
   * There is room.
   *
   * @param handle of the output until it is committed or abandoned, on this connection alone
   * @param given what the names of whole files begin with that the node takes instead of pieces: an
   *     absolute path on its machine, see {@link #given(int)}
   * @param pieces that may be without an answer at any time, from 1 to {@link #PIECES_MAX}: more
   *     may be refused, since the node bounds what waits there for all of its writers
   */
  record ScratchReserved(long handle, String given, int pieces) implements ScratchMessage {
    /** So many that a connection is never idle while a piece is answered. */
    public static final int PIECES_MAX = 8;

    public ScratchReserved {
      if (pieces < 1 || pieces > PIECES_MAX) {
        throw new IllegalArgumentException("not a number of pieces under way: " + pieces);
      }
    }

    /**
     * Where a writer on the node's machine may put a whole part of which it sends no piece: a
     * regular file of the node's user, as long as was reserved. With the commit it is the node's; a
     * writer that does not commit deletes it.
     */
    public String given(int part) {
      return given + "." + part;
    }

    @Override
    public MessageType type() {
      return MessageType.SCRATCH_RESERVED;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(handle).text(given).i32(pieces);
    }

    static ScratchReserved read(WireReader in) {
      return new ScratchReserved(in.i64(), in.path(), in.i32());
    }
  }

  /**
   * Announces bytes of an output, which are the frame's payload; answered by {@code Ok} when they
   * are in RAM.
   *
   * @param part which of its files, in the order in which they were reserved
   * @param offset within it
   * @param length of the payload, from 1 to {@link #PIECE_MAX}
   */
  record WriteScratch(long handle, int part, long offset, int length) implements ScratchMessage {
    public WriteScratch {
      if (part < 0 || offset < 0 || length < 1 || length > PIECE_MAX) {
        throw new IllegalArgumentException("not a piece of a map output");
      }
    }

    @Override
    public MessageType type() {
      return MessageType.WRITE_SCRATCH;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(handle).i32(part).i64(offset).i32(length);
    }

    static WriteScratch read(WireReader in) {
      return new WriteScratch(in.i64(), in.i32(), in.i64(), in.i32());
    }
  }

  /** All pieces and given files are there: lets readers see the output. Answered by {@code Ok}. */
  record CommitScratch(long handle) implements ScratchMessage {
    @Override
    public MessageType type() {
      return MessageType.COMMIT_SCRATCH;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(handle);
    }

    static CommitScratch read(WireReader in) {
      return new CommitScratch(in.i64());
    }
  }

  /** Gives an output up that was not committed. Answered by {@code Ok}. */
  record AbandonScratch(long handle) implements ScratchMessage {
    @Override
    public MessageType type() {
      return MessageType.ABANDON_SCRATCH;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(handle);
    }

    static AbandonScratch read(WireReader in) {
      return new AbandonScratch(in.i64());
    }
  }

  /**
   * Nobody will read these outputs any more. From a driver, answered by {@code Ok}; the coordinator
   * pushes it when an application has ended.
   *
   * @param shuffle {@link #ALL} for everything of the application, with its service
   */
  record DropScratch(String application, int shuffle) implements ScratchMessage {
    public static final int ALL = -1;

    public DropScratch {
      NameRule.APPLICATION.require(application);
      if (shuffle < ALL) {
        throw new IllegalArgumentException("not a shuffle: " + shuffle);
      }
    }

    @Override
    public MessageType type() {
      return MessageType.DROP_SCRATCH;
    }

    @Override
    public void write(WireWriter out) {
      out.text(application).i32(shuffle);
    }

    static DropScratch read(WireReader in) {
      return new DropScratch(in.text(), in.i32());
    }
  }
}
