package io.eley.coordinator.board;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * What a deployment shows to a board: a file of its user with a random secret, which the board can
 * read and other users cannot. Its name is random, too, so that nobody can have taken it. Made when
 * it is needed, and again should it be gone.
 *
 * <p>For one thread. Blocks for a few calls of the file system.
 */
final class Token implements AutoCloseable {
  private final BoardFiles files;
  private final String random = UUID.randomUUID().toString().replace("-", "");
  private Optional<Path> file = Optional.empty();
  private Optional<Secret> secret = Optional.empty();

  Token(BoardFiles files) {
    this.files = files;
  }

  /**
   * What to connect with.
   *
   * @throws IOException when the token cannot be made where only we and the board can read it
   */
  Credentials credentials(NetworkProtection protection) throws IOException {
    String key = BoardFiles.key(OwnPaths.user(), random);
    Path token = files.token(key);
    OwnPaths.requireParents(token);
    if (secret.isEmpty() || !Files.exists(token, LinkOption.NOFOLLOW_LINKS)) {
      secret = Optional.of(Secret.create(token));
      file = Optional.of(token);
    }
    return new Credentials(secret.orElseThrow(), Identity.CLIENT, protection, key);
  }

  @Override
  public void close() throws IOException {
    if (file.isPresent()) {
      Files.deleteIfExists(file.get());
    }
  }
}
