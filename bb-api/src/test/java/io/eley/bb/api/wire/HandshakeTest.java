package io.eley.bb.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
