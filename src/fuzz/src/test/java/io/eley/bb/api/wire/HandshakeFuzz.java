package io.eley.bb.api.wire;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.fuzz.Input;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/** Both halves of the handshake, against a peer who does not know the secret: it is refused. */
public final class HandshakeFuzz {
  private static final Endpoints ENDS =
      new Endpoints(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 4712),
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711));
  private static final Set<ErrorCode> REFUSALS =
      Set.of(
          ErrorCode.MALFORMED,
          ErrorCode.UNAUTHENTICATED,
          ErrorCode.INCOMPATIBLE,
          ErrorCode.UNAVAILABLE);
  private static final List<MessageType> FIRST_MESSAGES =
      List.of(MessageType.HELLO, MessageType.CHALLENGE, MessageType.PROOF, MessageType.KEYED_HELLO);
  private static final Credentials SERVER =
      new Credentials(Secret.random(), Identity.COORDINATOR, NetworkProtection.AUTO);
  private static final Credentials CLIENT =
      new Credentials(Secret.random(), Identity.CLIENT, NetworkProtection.AUTO);

  private HandshakeFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    byte[] rest = Input.rest(input);
    int type = FIRST_MESSAGES.get(Input.choice(input) % FIRST_MESSAGES.size()).number();
    var header = new FrameHeader(rest.length, 0, type, 1);
    try {
      Message message = Codec.decode(header, ByteBuffer.wrap(rest));
      if (message instanceof HandshakeMessage.Greeting hello) {
        new Handshake.Server(SERVER, ENDS, hello).challenge();
      } else if (message instanceof HandshakeMessage.Challenge challenge) {
        new Handshake.Client(CLIENT, Identity.COORDINATOR, ENDS).respond(challenge);
        Input.require(false, "a stranger's challenge was taken");
      } else if (message instanceof HandshakeMessage.Proof proof) {
        var hello = new Handshake.Client(CLIENT, Identity.COORDINATOR, ENDS).hello();
        new Handshake.Server(SERVER, ENDS, hello).verify(proof);
        Input.require(false, "a stranger's proof was taken");
      }
    } catch (EleyException e) {
      Input.require(REFUSALS.contains(e.code()), "an error of another kind: " + e);
    }
  }
}
