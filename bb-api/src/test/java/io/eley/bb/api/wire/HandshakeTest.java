package io.eley.bb.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HandshakeTest {
  private static final Endpoints HERE =
      new Endpoints(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000),
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711));

  @TempDir private Path temp;

  private final Secret secret = Secret.random();
  private final Credentials reader = new Credentials(secret, Identity.CLIENT);
  private final Credentials coordinator = new Credentials(secret, Identity.COORDINATOR);

  private Handshake.Client client() {
    return new Handshake.Client(reader, Identity.COORDINATOR, HERE);
  }

  private Handshake.Server server(Handshake.Client client) throws EleyException {
    return new Handshake.Server(coordinator, HERE, client.hello());
  }

  @Test
  void bothSidesThatKnowTheSecretAgree() throws Exception {
    var client = client();
    var server = server(client);
    var agreement = client.respond(server.challenge());
    SecuredFrames frames = server.verify(agreement.proof());
    for (var way :
        List.of(
            List.of(agreement.frames(), frames), // there
            List.of(frames, agreement.frames()))) { // and back
      ByteBuffer sealed = way.get(0).out().seal(Codec.encode(new ReplyMessage.Ok(), 7));
      ByteBuffer opened = way.get(1).in().open(sealed);
      assertThat(FrameOpener.header(opened).correlation()).isEqualTo(7);
    }
  }

  @Test
  void aClientWithAnotherSecretNoticesTheServerAndIsRefused() throws Exception {
    var stranger =
        new Handshake.Client(
            new Credentials(Secret.random(), Identity.CLIENT), Identity.COORDINATOR, HERE);
    var server = new Handshake.Server(coordinator, HERE, stranger.hello());
    refused(() -> stranger.respond(server.challenge()));
    refused(
        () ->
            server.verify(
                HandshakeMessage.Proof.unproved(Identity.CLIENT, Identity.COORDINATOR, HERE)));
  }

  @Test
  void aClientNamesTheKeyThatBothProveToHave() throws Exception {
    var named = new Credentials(secret, Identity.CLIENT, NetworkProtection.AUTO, "1000-ab");
    var client = new Handshake.Client(named, Identity.COORDINATOR, HERE);
    assertThat(client.hello().key()).isEqualTo("1000-ab");
    var server = server(client);
    assertThat(server.verify(client.respond(server.challenge()).proof())).isNotNull();
    // With the key of another name on the way, whoever has that key proves another one.
    var other =
        new Handshake.Server(coordinator.with(Secret.random()), HERE, client.hello()).challenge();
    refused(() -> client.respond(other));
    var renamed =
        new HandshakeMessage.KeyedHello(
            client.hello().version(), client.hello().nonce(), "1000-ac");
    var misled = new Handshake.Server(coordinator, HERE, renamed);
    refused(() -> client.respond(misled.challenge()));
  }

  @Test
  void theServersOwnProofCannotBeReflected() throws Exception {
    var server = server(client());
    var reflected =
        HandshakeMessage.Proof.unproved(Identity.CLIENT, Identity.COORDINATOR, HERE)
            .with(server.challenge().proof());
    refused(() -> server.verify(reflected));
  }

  @Test
  void aServerThatIsNotTheOneThatWasDialledIsRefusedByBoth() throws Exception {
    var client = new Handshake.Client(reader, Identity.node(new NodeId("a")), HERE);
    var other =
        new Handshake.Server(
            new Credentials(secret, Identity.node(new NodeId("b"))), HERE, client.hello());
    assertThatThrownBy(() -> client.respond(other.challenge()))
        .satisfies(e -> code(e, ErrorCode.UNAVAILABLE))
        .hasMessage("node b answers where node a was");
    var careless = new Handshake.Client(reader, Identity.node(new NodeId("b")), HERE);
    var coordinator = server(careless);
    // A client that looks at nothing: its proof names whom it meant, and that is not me.
    var keys = new KeySchedule(secret, careless.hello().nonce(), coordinator.challenge().nonce());
    var unproved =
        HandshakeMessage.Proof.unproved(Identity.CLIENT, Identity.node(new NodeId("b")), HERE);
    var proof =
        unproved.with(
            keys.proof(
                KeySchedule.Side.CLIENT, careless.hello(), coordinator.challenge(), unproved));
    assertThatThrownBy(() -> coordinator.verify(proof))
        .satisfies(e -> code(e, ErrorCode.UNAVAILABLE))
        .hasMessage("the coordinator is here, not node b");
  }

  @Test
  void aConnectionWithOtherEndsIsRefusedByBothThoughEverybodyKnowsTheSecret() throws Exception {
    for (var there : List.of(ends(1, 3), ends(3, 2), ends(2, 1))) {
      var client = new Handshake.Client(reader, Identity.COORDINATOR, ends(1, 2));
      var server = new Handshake.Server(coordinator, there, client.hello());
      assertThatThrownBy(() -> client.respond(server.challenge()))
          .satisfies(e -> code(e, ErrorCode.UNAUTHENTICATED))
          .hasMessageContaining("a stranger relays it")
          .hasMessageContaining("10.0.0.1:1 to 10.0.0.2:2");
      var keys = new KeySchedule(secret, client.hello().nonce(), server.challenge().nonce());
      var unproved =
          HandshakeMessage.Proof.unproved(Identity.CLIENT, Identity.COORDINATOR, ends(1, 2));
      var proof =
          unproved.with(
              keys.proof(KeySchedule.Side.CLIENT, client.hello(), server.challenge(), unproved));
      assertThatThrownBy(() -> server.verify(proof))
          .satisfies(e -> code(e, ErrorCode.UNAUTHENTICATED))
          .hasMessageContaining("a stranger relays it");
    }
  }

  private static Endpoints ends(int client, int server) {
    return new Endpoints(
        new InetSocketAddress("10.0.0." + client, client),
        new InetSocketAddress("10.0.0." + server, server));
  }

  @Test
  void theServerDecidesAndAClientTakesNoLessThanItsSettingSays() throws Exception {
    var far = ends(1, 2);
    offers(NetworkProtection.AUTO, HERE, Protection.HOST, NetworkProtection.AUTO);
    offers(NetworkProtection.AUTO, far, Protection.ENCRYPTED, NetworkProtection.values());
    offers(
        NetworkProtection.AUTHENTICATE,
        far,
        Protection.AUTHENTICATED,
        NetworkProtection.AUTO,
        NetworkProtection.AUTHENTICATE);
    offers(NetworkProtection.ENCRYPT, HERE, Protection.ENCRYPTED, NetworkProtection.values());
  }

  /** A server with this setting offers this, and clients with these settings take it. */
  private void offers(
      NetworkProtection setting, Endpoints ends, Protection offered, NetworkProtection... takers)
      throws Exception {
    for (var wish : NetworkProtection.values()) {
      var client =
          new Handshake.Client(
              new Credentials(secret, Identity.CLIENT, wish), Identity.COORDINATOR, ends);
      var server =
          new Handshake.Server(
              new Credentials(secret, Identity.COORDINATOR, setting), ends, client.hello());
      assertThat(server.challenge().protection()).isEqualTo(offered);
      if (List.of(takers).contains(wish)) {
        assertThat(client.respond(server.challenge()).frames().out().protection())
            .isEqualTo(offered);
      } else {
        assertThatThrownBy(() -> client.respond(server.challenge()))
            .satisfies(e -> code(e, ErrorCode.UNAUTHENTICATED))
            .hasMessageContaining("the server offers " + offered);
      }
    }
  }

  @Test
  void barePayloadsFromAnotherHostAreRefusedWhateverTheServerSays() throws Exception {
    var client = new Handshake.Client(reader, Identity.COORDINATOR, ends(1, 2));
    byte[] nonce = Handshake.nonce();
    var keys = new KeySchedule(secret, client.hello().nonce(), nonce);
    var unproved =
        HandshakeMessage.Challenge.unproved(
            nonce, Identity.COORDINATOR, ends(1, 2), Protection.HOST);
    var challenge = unproved.with(keys.proof(KeySchedule.Side.SERVER, client.hello(), unproved));
    refused(() -> client.respond(challenge));
  }

  /** Step by step as in {@code docs/wire.md}, with nothing of the implementation. */
  @Test
  void aProofIsTheHmacThatTheDocumentationSays() throws Exception {
    var client = client();
    var server = server(client);
    var challenge = server.challenge();
    byte[] nonces = join(client.hello().nonce(), challenge.nonce());
    byte[] root = hmac(nonces, secret.key());
    byte[] finished = hmac(root, label("eley s finished", new byte[0], 32), new byte[] {1});
    byte[] transcript = sha256(frame(client.hello()), frame(challenge.with(new byte[32])));
    assertThat(challenge.proof()).isEqualTo(hmac(finished, transcript));
    var proof = client.respond(challenge).proof();
    finished = hmac(root, label("eley c finished", new byte[0], 32), new byte[] {1});
    transcript = sha256(frame(client.hello()), frame(challenge), frame(proof.with(new byte[32])));
    assertThat(proof.proof()).isEqualTo(hmac(finished, transcript));
  }

  private static byte[] label(String label, byte[] context, int length) {
    byte[] text = label.getBytes(StandardCharsets.US_ASCII);
    var info = ByteBuffer.allocate(4 + text.length + context.length);
    info.putShort((short) length).put((byte) text.length).put(text);
    return info.put((byte) context.length).put(context).array();
  }

  private static byte[] frame(Message message) {
    return Codec.encode(message, 0).array();
  }

  private static byte[] join(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] sha256(byte[]... parts) throws Exception {
    return MessageDigest.getInstance("SHA-256").digest(join(parts));
  }

  private static byte[] hmac(byte[] key, byte[]... texts) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(join(texts));
  }

  @Test
  void aBitThatIsChangedOnTheWayIsNoticedByEitherSide() throws Exception {
    for (int bit = 0; bit < 256; bit++) {
      var client = client();
      var server = server(client);
      var challenge = server.challenge();
      var otherNonce =
          new HandshakeMessage.Challenge(
              flip(challenge.nonce(), bit),
              challenge.server(),
              challenge.seen(),
              challenge.protection(),
              challenge.proof());
      refused(() -> client.respond(otherNonce));
      var otherProof = challenge.with(flip(challenge.proof(), bit));
      refused(() -> client.respond(otherProof));
      var other =
          new Handshake.Server(
              coordinator,
              HERE,
              new HandshakeMessage.Hello(
                  HandshakeMessage.VERSION, flip(client.hello().nonce(), bit)));
      refused(() -> client.respond(other.challenge()));
      var proof = client.respond(challenge).proof();
      var changed = proof.with(flip(proof.proof(), bit));
      refused(() -> server.verify(changed));
      server.verify(proof);
    }
  }

  @Test
  void everyBitOfEveryMessageIsProved() throws Exception {
    var client = client();
    var server = server(client);
    noBitCounts(server.challenge(), m -> client.respond((HandshakeMessage.Challenge) m));
    var proof = client.respond(server.challenge()).proof();
    noBitCounts(proof, m -> server.verify((HandshakeMessage.Proof) m));
  }

  private interface Taker {
    void take(Message message) throws EleyException;
  }

  private static void noBitCounts(Message message, Taker taker) throws Exception {
    ByteBuffer frame = Codec.encode(message, 1);
    FrameHeader header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
    byte[] body = new byte[frame.remaining()];
    frame.get(body);
    for (int bit = 0; bit < 8 * body.length; bit++) {
      byte[] flipped = flip(body, bit);
      assertThatThrownBy(() -> taker.take(Codec.decode(header, ByteBuffer.wrap(flipped))))
          .as("bit %s", bit)
          .isInstanceOf(EleyException.class);
    }
  }

  private static byte[] flip(byte[] bytes, int bit) {
    byte[] flipped = bytes.clone();
    flipped[bit / 8] ^= (byte) (1 << bit % 8);
    return flipped;
  }

  private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).satisfies(e -> code(e, ErrorCode.UNAUTHENTICATED));
  }

  @Test
  void aProofOfOneConnectionIsWorthNothingOnTheNext() throws Exception {
    var client = client();
    var proof = client.respond(server(client).challenge()).proof();
    refused(() -> server(client).verify(proof));
    assertThat(Handshake.nonce()).isNotEqualTo(Handshake.nonce()).hasSize(32);
  }

  @Test
  void aSecretIsReadFromItsDigits() throws Exception {
    Path file = temp.resolve("secret");
    Secret created = Secret.create(file);
    String digits = Files.readString(file);
    assertThat(digits).matches("[0-9a-f]{64}");
    Files.writeString(file, " " + digits + "\n");
    assertThat(Secret.load(file).key()).isEqualTo(created.key());
    assertThat(Secret.ofHex(digits.toUpperCase(Locale.ROOT)).key()).isEqualTo(created.key());
    for (String wrong :
        List.of("", "00".repeat(31), "00".repeat(33), "0".repeat(63), "x".repeat(64))) {
      assertThatThrownBy(() -> Secret.ofHex(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(Secret.random().key()).isNotEqualTo(Secret.random().key()).hasSize(32);
  }

  @Test
  void anotherVersionIsToldWhichIsWhich() {
    // Hello keeps its form, so this is also what a client of version 4 says and is told.
    for (int version : new int[] {4, 99}) {
      var hello = new HandshakeMessage.Hello(version, Handshake.nonce());
      assertThat(Codec.encode(hello, 1).remaining()).isEqualTo(FrameHeader.BYTES + 4 + 4 + 36);
      assertThatThrownBy(() -> new Handshake.Server(coordinator, HERE, hello))
          .satisfies(e -> code(e, ErrorCode.INCOMPATIBLE))
          .hasMessageContaining("version " + version)
          .hasMessageContaining("client jar");
    }
  }

  @Test
  void theSecretFileIsPrivateFromItsFirstMomentAndIsNotOverwritten() throws Exception {
    Path file = temp.resolve("secret");
    Secret.create(file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Secret.load(file)).hasToString("Secret(hidden)");
    assertThatThrownBy(() -> Secret.create(file)).isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void aSecretThatOthersCanReadOrThatIsNoneIsRefusedWithoutQuotingIt() throws Exception {
    Path file = temp.resolve("secret");
    Secret.create(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> Secret.load(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chmod 600");
    Files.writeString(file, "not-hex");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> Secret.load(file))
        .isInstanceOf(IOException.class)
        .hasMessageNotContaining("not-hex")
        .hasNoCause();
  }

  private static void code(Throwable e, ErrorCode expected) {
    assertThat(e)
        .isInstanceOfSatisfying(EleyException.class, x -> assertThat(x.code()).isEqualTo(expected));
  }
}
