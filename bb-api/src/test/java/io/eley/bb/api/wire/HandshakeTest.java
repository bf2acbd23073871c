package io.eley.bb.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HandshakeTest {
  @TempDir private Path temp;

  private final Secret secret = Secret.random();
  private final byte[] nonce = Handshake.nonce();
  private final HandshakeMessage.Hello hello =
      new HandshakeMessage.Hello(HandshakeMessage.VERSION, nonce);

  @Test
  void bothSidesThatKnowTheSecretAgree() throws Exception {
    Handshake server = Handshake.accept(secret, hello);
    server.verify(Handshake.respond(secret, nonce, server.challenge()));
  }

  @Test
  void aClientWithAnotherSecretNoticesTheServerAndIsRefused() throws Exception {
    Handshake server = Handshake.accept(secret, hello);
    assertThatThrownBy(() -> Handshake.respond(Secret.random(), nonce, server.challenge()))
        .satisfies(e -> code(e, ErrorCode.UNAUTHENTICATED));
    assertThatThrownBy(() -> server.verify(new HandshakeMessage.Proof(new byte[32])))
        .satisfies(e -> code(e, ErrorCode.UNAUTHENTICATED));
  }

  @Test
  void theServersOwnProofCannotBeReflected() throws Exception {
    Handshake server = Handshake.accept(secret, hello);
    var reflected = new HandshakeMessage.Proof(server.challenge().proof());
    assertThatThrownBy(() -> server.verify(reflected))
        .satisfies(e -> code(e, ErrorCode.UNAUTHENTICATED));
  }

  @Test
  void aProofIsTheHmacThatTheDocumentationSays() throws Exception {
    Secret known = Secret.ofHex("00".repeat(31) + "ff");
    byte[] server = new byte[32];
    server[0] = 7;
    byte[] text = new byte[32 + 32 + 7];
    System.arraycopy("server".getBytes(StandardCharsets.US_ASCII), 0, text, 0, 6);
    text[6] = HandshakeMessage.VERSION;
    System.arraycopy(nonce, 0, text, 7, 32);
    System.arraycopy(server, 0, text, 39, 32);
    var challenge = new HandshakeMessage.Challenge(server, hmac(text));
    System.arraycopy("client".getBytes(StandardCharsets.US_ASCII), 0, text, 0, 6);
    assertThat(Handshake.respond(known, nonce, challenge))
        .isEqualTo(new HandshakeMessage.Proof(hmac(text)));
  }

  private static byte[] hmac(byte[] text) throws Exception {
    byte[] key = new byte[32];
    key[31] = (byte) 0xff;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text);
  }

  @Test
  void aBitThatIsChangedOnTheWayIsNoticedByEitherSide() throws Exception {
    for (int bit = 0; bit < 256; bit++) {
      Handshake server = Handshake.accept(secret, hello);
      var challenge = server.challenge();
      var otherNonce =
          new HandshakeMessage.Challenge(flip(challenge.nonce(), bit), challenge.proof());
      refused(() -> Handshake.respond(secret, nonce, otherNonce));
      var otherProof =
          new HandshakeMessage.Challenge(challenge.nonce(), flip(challenge.proof(), bit));
      refused(() -> Handshake.respond(secret, nonce, otherProof));
      byte[] otherClient = flip(nonce, bit);
      refused(() -> Handshake.respond(secret, otherClient, challenge));
      var proof = Handshake.respond(secret, nonce, challenge);
      var changed = new HandshakeMessage.Proof(flip(proof.proof(), bit));
      refused(() -> server.verify(changed));
      server.verify(proof);
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
    Handshake first = Handshake.accept(secret, hello);
    var proof = Handshake.respond(secret, nonce, first.challenge());
    refused(() -> Handshake.accept(secret, hello).verify(proof));
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
    assertThatThrownBy(() -> Handshake.accept(secret, new HandshakeMessage.Hello(99, nonce)))
        .satisfies(e -> code(e, ErrorCode.INCOMPATIBLE))
        .hasMessageContaining("99")
        .hasMessageContaining("client jar");
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
