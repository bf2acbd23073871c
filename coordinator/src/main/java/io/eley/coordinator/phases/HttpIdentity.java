package io.eley.coordinator.phases;

import io.eley.bb.api.process.Keytool;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The key by which the HTTP endpoint proves itself to job scripts on other hosts, new with each
 * coordinator: they find its certificate in the deployment directory and take no other, so the
 * token is sent to nobody else and cannot be overheard.
 *
 * @param context for the server's side of TLS
 * @param certificate in PEM, as curl's {@code cacert} takes it
 */
public record HttpIdentity(SSLContext context, String certificate) {
  private static final int PASSWORD_BYTES = 24;
  private static final String ALIAS = "eley";

  /**
   * Makes one. Blocks for about a second.
   *
   * @param directory of the user's own, for a file that is gone afterwards
   * @param host by which job scripts call the server: an address, or a name
   */
  public static HttpIdentity create(Path directory, String host) throws IOException {
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    String password = HexFormat.of().formatHex(random);
    Path store = directory.resolve("announce.p12");
    try {
      boolean number = host.indexOf(':') >= 0 || host.matches("[0-9.]+");
      Keytool.makeKey(store, password, (number ? "IP:" + numeric(host) : "DNS:" + host));
      return of(store, password.toCharArray());
    } catch (GeneralSecurityException e) {
      throw new IOException("the JDK cannot use the key that it has made: " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(store);
    }
  }

  /** Without an IPv6 address's brackets or zone. */
  private static String numeric(String host) throws IOException {
    return InetAddress.getByName(host).getHostAddress().replaceAll("%.*", "");
  }

  private static HttpIdentity of(Path store, char[] password)
      throws IOException, GeneralSecurityException {
    var keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(store)) {
      keys.load(in, password);
    }
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, password);
    var context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    byte[] certificate = keys.getCertificate(ALIAS).getEncoded();
    String text =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
            .encodeToString(certificate);
    return new HttpIdentity(
        context, "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
  }
}
