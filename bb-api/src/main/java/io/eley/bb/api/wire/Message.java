package io.eley.bb.api.wire;

/**
 * A message over a connection. Each message is a record that validates itself, writes itself, and
 * has a static {@code read} that its {@link MessageType} points to.
 */
public sealed interface Message
    permits HandshakeMessage,
        ReplyMessage,
        PingMessage,
        BlockMessage,
        MetadataMessage,
        PlanMessage,
        NodeMessage,
        PhaseMessage,
        FallbackMessage,
        BoardMessage,
        ScratchMessage {
  MessageType type();

  void write(WireWriter out);
}
