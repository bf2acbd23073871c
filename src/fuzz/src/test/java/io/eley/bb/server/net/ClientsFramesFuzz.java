package io.eley.bb.server.net;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Endpoints;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.Secret;
import io.eley.fuzz.Input;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * What clients send a server, in pieces of any size. Before the proof a server answers with its
 * challenge or one refusal; after it a frame is a message, or the end of the connection with a
 * reason.
 */
public final class ClientsFramesFuzz {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final Endpoints ENDS =
      new Endpoints(new InetSocketAddress(HERE, 1), new InetSocketAddress(HERE, 2));
  private static final Secret SECRET = Secret.random();
  private static final Duration LONG = Duration.ofHours(1);

  private ClientsFramesFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws EleyException {
    int choice = Input.choice(input);
    ByteBuffer script = ByteBuffer.wrap(Input.rest(input));
    if (choice < 128) {
      beforeTheProof(choice, script);
    } else {
      afterTheProof(choice, script);
    }
  }

  private static void beforeTheProof(int choice, ByteBuffer script) throws EleyException {
    var gatekeeper = new Gatekeeper(1);
    var channel =
        new LoopbackChannel(
            ENDS,
            new FrameDecoder(),
            new NoError(),
            new HandshakeHandler(
                credentials(NetworkProtection.AUTO),
                KeyRing.NONE,
                LONG,
                gatekeeper,
                (sealer, key) -> {
                  throw new AssertionError("a stranger has got in");
                }));
    try {
      int piece = 1 + choice;
      while (script.hasRemaining()) {
        int length = Math.min(piece, script.remaining());
        channel.writeInbound(Unpooled.copiedBuffer(script.slice(script.position(), length)));
        script.position(script.position() + length);
      }
      requireChallengeOrRefusal(channel);
    } finally {
      channel.finishAndReleaseAll();
      Input.require(gatekeeper.waiting() == 0, "a place was not given back");
    }
  }

  private static void requireChallengeOrRefusal(LoopbackChannel channel) throws EleyException {
    Message last = null;
    for (ByteBuf out; (out = channel.readOutbound()) != null; ) {
      try {
        ByteBuffer frame = out.nioBuffer();
        FrameHeader header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
        last = Codec.decode(header, frame);
        Input.require(
            last instanceof Failure || last instanceof HandshakeMessage.Challenge,
            "a stranger was sent " + last.type());
      } finally {
        out.release();
      }
    }
    Input.require(
        channel.isOpen() || last instanceof Failure, "the connection ended without a reason");
  }

  private static void afterTheProof(int choice, ByteBuffer script) throws EleyException {
    var level = choice % 2 == 0 ? NetworkProtection.AUTO : NetworkProtection.ENCRYPT;
    var client =
        new Handshake.Client(
            new Credentials(SECRET, Identity.CLIENT, level), Identity.COORDINATOR, ENDS);
    var server = new Handshake.Server(credentials(level), ENDS, client.hello());
    var agreement = client.respond(server.challenge());
    var decoder = new FrameDecoder();
    decoder.protect(server.verify(agreement.proof()));
    var channel = new LoopbackChannel(ENDS, decoder, new NoError());
    try {
      while (script.hasRemaining()) {
        int length = Math.min(Byte.toUnsignedInt(script.get()), script.remaining());
        ByteBuffer frame = script.slice(script.position(), length);
        script.position(script.position() + length);
        channel.writeInbound(Unpooled.wrappedBuffer(agreement.frames().out().seal(frame)));
      }
    } finally {
      channel.finishAndReleaseAll();
    }
  }

  private static Credentials credentials(NetworkProtection level) {
    return new Credentials(SECRET, Identity.COORDINATOR, level);
  }

  /** A decoder's exception must not reach the handlers behind it, which would hide it. */
  private static final class NoError extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (cause instanceof java.io.IOException e) {
        throw new UncheckedIOException(e);
      }
      throw new AssertionError("the decoder failed", cause);
    }
  }
}
