package io.eley.coordinator;

import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.Message;
import io.eley.bb.server.net.FilePart;
import io.eley.bb.server.net.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A connection that remembers what is sent over it. */
public class FakeSession implements Session {
  public final Map<Long, Message> replies = new TreeMap<>();
  public final List<Message> pushes = new ArrayList<>();
  private final String peer;
  private @Nullable Object attachment;
  private boolean closed;

  /** A connection of a peer of that name. */
  public FakeSession(String peer) {
    this.peer = peer;
  }

  public boolean closed() {
    return closed;
  }

  /** What was pushed of one type, in its order. */
  public <M extends Message> List<M> pushed(Class<M> type) {
    return pushes.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** The last push of one type. */
  public <M extends Message> M last(Class<M> type) {
    List<M> all = pushed(type);
    return all.get(all.size() - 1);
  }

  @Override
  public void reply(long correlation, Message message) {
    if (replies.put(correlation, message) != null) {
      throw new AssertionError("answered twice: " + message);
    }
  }

  @Override
  public void push(Message message) {
    if (!closed) {
      pushes.add(message);
    }
  }

  @Override
  public void replyBlock(long correlation, BlockData header, FilePart bytes) {
    throw new AssertionError("a coordinator has no blocks");
  }

  @Override
  public boolean writable() {
    return true;
  }

  @Override
  public String peer() {
    return peer;
  }

  @Override
  public String localHost() {
    return "127.0.0.1";
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public @Nullable Object attachment() {
    return attachment;
  }

  @Override
  public void attach(@Nullable Object attachment) {
    this.attachment = attachment;
  }
}
