package io.eley.bb.api.wire;

/**
 * Asks whether a peer lives. Answered by {@link ReplyMessage.Ok} at once, on the peer's event loop,
 * so a peer that keeps a request waiting for a good reason answers it, and one that hangs does not.
 */
public record PingMessage() implements Message {
  @Override
  public MessageType type() {
    return MessageType.PING;
  }

  @Override
  public void write(WireWriter out) {}

  static PingMessage read(WireReader in) {
    return new PingMessage();
  }
}
