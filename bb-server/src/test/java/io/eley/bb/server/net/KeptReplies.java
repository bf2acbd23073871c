package io.eley.bb.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.Message;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A connection whose client keeps the answers. */
public final class KeptReplies implements Session {
  public final Map<Long, Message> all = new ConcurrentHashMap<>();
  private volatile @Nullable Object attachment;

  @Override
  public void reply(long correlation, Message message) {
    assertThat(all.put(correlation, message)).as("answered before").isNull();
  }

  @Override
  public void push(Message message) {
    throw new AssertionError(message);
  }

  @Override
  public void replyBlock(long correlation, BlockData header, FilePart bytes) {
    throw new AssertionError(header);
  }

  @Override
  public boolean writable() {
    return true;
  }

  @Override
  public String peer() {
    return "test";
  }

  @Override
  public String localHost() {
    return "localhost";
  }

  @Override
  public void close() {}

  @Override
  public @Nullable Object attachment() {
    return attachment;
  }

  @Override
  public void attach(@Nullable Object what) {
    attachment = what;
  }
}
