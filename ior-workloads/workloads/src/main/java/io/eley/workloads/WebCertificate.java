package io.eley.workloads;

import io.eley.bb.api.process.Keytool;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;

/**
 * What opens the web pages of a standalone cluster. Spark's master and worker cannot do without
 * them, and a worker's page shows what its executors print to whoever asks: Spark's access lists
 * ({@code spark.acls.enable}) let everybody in who has not said a name. So the pages speak TLS and
 * want a client's certificate ({@code spark.ssl.standalone.needClientAuth}), and the only one they
 * take is in a file of mode 0600 beside the cluster's secret. Tried with Spark 3.5.9 and 4.2.0.
 *
 * @param store key and certificate, PKCS #12
 * @param password of the store
 */
record WebCertificate(Path store, String password) {
  private static final int PASSWORD_BYTES = 24;

  /** Makes a key. Blocks for a second. */
  static WebCertificate create(Path store) throws IOException {
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    var certificate = new WebCertificate(store, HexFormat.of().formatHex(random));
    Keytool.makeKey(store, certificate.password(), "");
    return certificate;
  }

  /** For master and workers, not for applications, which have no pages. */
  Map<String, String> daemonConf() {
    String prefix = "spark.ssl.standalone.";
    return Map.of(
        prefix + "enabled",
        "true",
        prefix + "protocol",
        "TLSv1.3",
        prefix + "keyStore",
        store.toString(),
        prefix + "keyStoreType",
        "PKCS12",
        prefix + "keyStorePassword",
        password,
        prefix + "keyPassword",
        password,
        prefix + "needClientAuth",
        "true",
        prefix + "trustStore",
        store.toString(),
        prefix + "trustStoreType",
        "PKCS12",
        prefix + "trustStorePassword",
        password);
  }
}
