package io.eley.coordinator.phases;

import io.eley.bb.api.edge.OwnFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The token with which a job script authenticates itself: 32 random bytes, new with each
 * coordinator. It is not the deployment's secret, so that one who overhears it can announce phases
 * but neither read blocks nor pose as a node.
 */
public final class HttpToken {
  private static final String SCHEME = "Bearer ";
  private static final int BYTES = 32;

  private final byte[] expected;

  public HttpToken() {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    expected = (SCHEME + HexFormat.of().formatHex(random)).getBytes(StandardCharsets.US_ASCII);
  }

  /** The token itself, for a file that only its owner can read. */
  public String text() {
    return new String(expected, StandardCharsets.US_ASCII).substring(SCHEME.length());
  }

  /** Whether this is the value of an Authorization header with our token; in constant time. */
  public boolean matches(@Nullable String header) {
    return header != null
        && MessageDigest.isEqual(expected, header.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Writes a configuration file for curl(1), mode 0600 from its first moment on: the token never
   * stands on a command line. A site's proxy, which its hosts' environment names, is not asked: it
   * would get the token in the clear, and reaches no compute node. A refusal is a failure also to
   * curl before 7.76, which does not know {@code fail-with-body}.
   *
   * @param certificate the only one that curl is to take of the server, in PEM; empty without TLS
   */
  public void write(Path file, Optional<Path> certificate) throws IOException {
    OwnFiles.replace(
        file,
        "silent\nshow-error\nfail\nnoproxy = \"*\"\nmax-time = 5\nheader = \"Authorization: "
            + new String(expected, StandardCharsets.US_ASCII)
            + "\"\n"
            + certificate.map(c -> "cacert = " + quoted(c.toString()) + "\n").orElse(""));
  }

  private static String quoted(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
