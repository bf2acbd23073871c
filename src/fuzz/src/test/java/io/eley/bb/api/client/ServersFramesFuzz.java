package io.eley.bb.api.client;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Endpoints;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.FrameOpener;
import io.eley.bb.api.wire.FrameSealer;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Secret;
import io.eley.fuzz.Input;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;

/**
 * What a server that knows the secret may send a client: frames whose header and body are anything,
 * and payloads that are longer or shorter than announced. {@link IOException}s only; a payload's
 * announced length alone costs no memory.
 */
public final class ServersFramesFuzz {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final Endpoints ENDS =
      new Endpoints(new InetSocketAddress(HERE, 1), new InetSocketAddress(HERE, 2));
  private static final Secret SECRET = Secret.random();
  private static final int FRAMES_MAX = 8;

  private ServersFramesFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    var level = Input.choice(input) % 2 == 0 ? NetworkProtection.AUTO : NetworkProtection.ENCRYPT;
    var server = new Credentials(SECRET, Identity.COORDINATOR, level);
    var half =
        new Handshake.Client(
            new Credentials(SECRET, Identity.CLIENT, level), Identity.COORDINATOR, ENDS);
    var other = new Handshake.Server(server, ENDS, half.hello());
    var agreement = half.respond(other.challenge());
    byte[] sent = sealed(other.verify(agreement.proof()).out(), ByteBuffer.wrap(Input.rest(input)));
    readAll(sent, agreement.frames().in());
  }

  /** Each frame begins with the length of what is sealed; after it comes what was left bare. */
  private static byte[] sealed(FrameSealer sealer, ByteBuffer script) {
    var sent = new ByteArrayOutputStream();
    for (int i = 0; i < FRAMES_MAX && script.remaining() > FrameHeader.BYTES; i++) {
      int length = Byte.toUnsignedInt(script.get());
      ByteBuffer frame = script.slice(script.position(), Math.min(length, script.remaining()));
      script.position(script.position() + frame.remaining());
      sent.writeBytes(sealer.seal(frame).array());
    }
    while (script.hasRemaining()) {
      sent.write(script.get());
    }
    return sent.toByteArray();
  }

  private static void readAll(byte[] sent, FrameOpener opener) {
    var in = new FrameInput(Channels.newChannel(new ByteArrayInputStream(sent)), opener);
    try {
      for (int i = 0; i <= FRAMES_MAX; i++) {
        FrameHeader header = in.header();
        readMessage(in, header);
        in.skip(header.payloadLength());
      }
    } catch (IOException e) {
      return; // the end, at the latest
    }
    Input.require(false, "more frames than were sent");
  }

  private static void readMessage(FrameInput in, FrameHeader header) {
    try {
      in.message(header);
    } catch (EleyException e) {
      // The connection would end; here the next frame is read all the same.
    }
  }
}
