package io.eley.emulated.pfs;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The address of a directory behind an emulated PFS: {@code
 * emulated://127.0.0.1:PORT/abs/dir?secret=/abs/file}. Without {@code secret} the secret file is
 * the one that the system property or, failing that, the environment variable {@value
 * #SECRET_FILE_VARIABLE} names.
 *
 * @param server where the token process listens
 * @param directory the directory behind it
 * @param secretFile file with the secret, mode 0600
 */
public record PfsAddress(InetSocketAddress server, Path directory, Path secretFile) {
  /** The scheme of such addresses. */
  public static final String SCHEME = "emulated";

  /** System property, and environment variable, that names the secret file. */
  public static final String SECRET_FILE_VARIABLE = "ELEY_PFS_SECRET_FILE";

  private static final String SECRET_PARAMETER = "secret=";

  /**
   * Reads an address.
   *
   * @throws EleyException {@code NOT_FOUND} in one line that shows the form
   */
  public static PfsAddress parse(URI uri) throws EleyException {
    String host = uri.getHost();
    String path = uri.getPath();
    String secret = secretFile(uri.getRawQuery());
    if (!SCHEME.equals(uri.getScheme()) || host == null || uri.getPort() < 1 || path.isEmpty()) {
      throw notAnAddress(uri, "host, port and directory are needed", null);
    }
    if (secret == null || secret.isEmpty()) {
      throw notAnAddress(
          uri, "add ?secret=FILE or set " + SECRET_FILE_VARIABLE + " to the secret file", null);
    }
    try {
      return new PfsAddress(
          new InetSocketAddress(host, uri.getPort()), Path.of(path), Path.of(secret));
    } catch (InvalidPathException e) {
      throw notAnAddress(uri, e.getReason(), e);
    }
  }

  /**
   * Connects to the token process. Blocks for at most ten seconds.
   *
   * @param label who the client is in the trace
   * @throws EleyException {@code ACCESS_DENIED} when the secret file cannot be used, {@code
   *     UNAUTHENTICATED} when it is another deployment's, {@code ORIGIN_FAILED} when nobody answers
   */
  public EmulatedPfsClient connect(String label) throws EleyException {
    Secret secret;
    try {
      secret = Secret.load(secretFile);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED,
          "cannot use the secret file of the emulated PFS: " + e.getMessage(),
          e);
    }
    return EmulatedPfsClient.connect(server, secret, label);
  }

  /** The address as a user types it: {@link #parse} reads it back whatever names are in it. */
  @Override
  public String toString() {
    try {
      String query = SECRET_PARAMETER + secretFile;
      var uri =
          new URI(
              SCHEME,
              null,
              server.getHostString(),
              server.getPort(),
              directory.toString(),
              query,
              null);
      // What would begin another parameter is the one character that it leaves in a query.
      return uri.toString().replace("&", "%26");
    } catch (URISyntaxException e) {
      throw new IllegalStateException(directory + " is not absolute", e);
    }
  }

  private static @Nullable String secretFile(@Nullable String query) {
    if (query != null) {
      for (String parameter : query.split("&", -1)) {
        if (parameter.startsWith(SECRET_PARAMETER)) {
          String decoded = URI.create("?" + parameter).getQuery();
          return decoded.substring(SECRET_PARAMETER.length());
        }
      }
    }
    String property = System.getProperty(SECRET_FILE_VARIABLE);
    return property != null ? property : System.getenv(SECRET_FILE_VARIABLE);
  }

  private static EleyException notAnAddress(URI uri, String why, @Nullable Exception cause) {
    return new EleyException(
        ErrorCode.NOT_FOUND,
        "not the address of an emulated PFS: '"
            + uri
            + "' ("
            + why
            + "; write emulated://127.0.0.1:PORT/DIRECTORY?secret=FILE)",
        cause);
  }
}
