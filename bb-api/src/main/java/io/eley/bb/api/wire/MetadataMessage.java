package io.eley.bb.api.wire;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.origin.OriginStatus;
import java.time.Duration;
import java.util.List;

/**
 * The view, and the origin's metadata as the coordinator caches it: any client and the coordinator.
 */
public sealed interface MetadataMessage extends Message {
  /** Asks for the {@link View}. */
  record GetView() implements MetadataMessage {
    @Override
    public MessageType type() {
      return MessageType.GET_VIEW;
    }

    @Override
    public void write(WireWriter out) {}

    static GetView read(WireReader in) {
      return new GetView();
    }
  }

  /**
   * The view, and the origin's address so that a client can fall back to it. Also pushed to nodes
   * when it changes.
   */
  record View(ClusterView view, String originAddress) implements MetadataMessage {
    @Override
    public MessageType type() {
      return MessageType.VIEW;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(view.epoch())
          .i32(view.geometry().blockSize())
          .i32(view.geometry().chunkSize())
          .constant(view.mode())
          .list(view.nodes(), MetadataMessage::writeAddress)
          .text(originAddress);
    }

    static View read(WireReader in) {
      return new View(
          new ClusterView(
              in.i64(),
              new BlockGeometry(in.i32(), in.i32()),
              in.constant(BufferMode.class),
              in.list(MetadataMessage::readAddress)),
          in.path());
    }
  }

  /**
   * Asks for a file's attributes. Answered by {@link Status} or the failure {@code NOT_FOUND}.
   *
   * @param opening the file is about to be read: the answer must have been checked against the
   *     origin recently
   */
  record GetStatus(String path, boolean opening) implements MetadataMessage {
    public GetStatus {
      OriginPaths.requireNormalised(path);
    }

    @Override
    public MessageType type() {
      return MessageType.GET_STATUS;
    }

    @Override
    public void write(WireWriter out) {
      out.text(path).bool(opening);
    }

    static GetStatus read(WireReader in) {
      return new GetStatus(in.path(), in.bool());
    }
  }

  /**
   * One file's attributes.
   *
   * @param lease how long, from the moment at which it asked, the client may answer with them
   *     itself unless {@link StatusesChanged} comes; whole milliseconds, zero for not at all
   */
  record Status(OriginStatus status, Duration lease) implements MetadataMessage {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    public Status {
      if (lease.isNegative() || lease.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException("a status is not lent for " + lease);
      }
    }

    @Override
    public MessageType type() {
      return MessageType.STATUS;
    }

    @Override
    public void write(WireWriter out) {
      writeStatus(out, status);
      out.i64(lease.toMillis());
    }

    static Status read(WireReader in) {
      return new Status(readStatus(in), Duration.ofMillis(in.i64()));
    }
  }

  /**
   * Asks for a directory's children after a name, so that a listing of any size comes in pages.
   *
   * @param after name of the last child already seen, or empty
   */
  record GetListing(String path, String after) implements MetadataMessage {
    public GetListing {
      OriginPaths.requireNormalised(path);
    }

    @Override
    public MessageType type() {
      return MessageType.GET_LISTING;
    }

    @Override
    public void write(WireWriter out) {
      out.text(path).text(after);
    }

    static GetListing read(WireReader in) {
      return new GetListing(in.path(), in.path());
    }
  }

  /** A page of children in the order of their names. */
  record Listing(List<OriginStatus> children, boolean more) implements MetadataMessage {
    public Listing {
      children = List.copyOf(children);
    }

    /** Bytes that a child takes at most: whoever makes pages keeps within a frame by it. */
    public static int bytesAtMost(OriginStatus child) {
      int characters = child.path().length() + child.owner().length() + child.group().length();
      return 3 * characters + 64;
    }

    @Override
    public MessageType type() {
      return MessageType.LISTING;
    }

    @Override
    public void write(WireWriter out) {
      out.list(children, MetadataMessage::writeStatus).bool(more);
    }

    static Listing read(WireReader in) {
      return new Listing(in.list(MetadataMessage::readStatus), in.bool());
    }
  }

  /**
   * The client changed the origin below this path (wrote, renamed, deleted): forget what is cached.
   */
  record Forget(String path) implements MetadataMessage {
    public Forget {
      OriginPaths.requireNormalised(path);
    }

    @Override
    public MessageType type() {
      return MessageType.FORGET;
    }

    @Override
    public void write(WireWriter out) {
      out.text(path);
    }

    static Forget read(WireReader in) {
      return new Forget(in.path());
    }
  }

  /**
   * Pushed to clients that hold leases of statuses when the origin was changed through Eley: what
   * they have been told may be what was before. To be answered by {@link StatusesSeen}.
   *
   * @param number grows with each change
   */
  record StatusesChanged(long number) implements MetadataMessage {
    @Override
    public MessageType type() {
      return MessageType.STATUSES_CHANGED;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(number);
    }

    static StatusesChanged read(WireReader in) {
      return new StatusesChanged(in.i64());
    }
  }

  /**
   * The client answers with nothing any more that it had asked for before it was told of this
   * change. Is not answered.
   *
   * @param number of {@link StatusesChanged}
   */
  record StatusesSeen(long number) implements MetadataMessage {
    @Override
    public MessageType type() {
      return MessageType.STATUSES_SEEN;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(number);
    }

    static StatusesSeen read(WireReader in) {
      return new StatusesSeen(in.i64());
    }
  }

  private static void writeStatus(WireWriter out, OriginStatus s) {
    out.text(s.path())
        .bool(s.directory())
        .i64(s.length())
        .i64(s.modifiedMillis())
        .i32(s.permissions())
        .text(s.owner())
        .text(s.group())
        .stamp(s.stamp());
  }

  private static OriginStatus readStatus(WireReader in) {
    return new OriginStatus(
        in.path(), in.bool(), in.i64(), in.i64(), in.i32(), in.text(), in.text(), in.stamp());
  }

  /** Shared with {@link NodeMessage.Register}. */
  static void writeAddress(WireWriter out, NodeAddress node) {
    out.text(node.id().value()).text(node.host()).i32(node.port()).text(node.machine());
  }

  static NodeAddress readAddress(WireReader in) {
    return new NodeAddress(new NodeId(in.text()), in.text(), in.i32(), in.text());
  }
}
