package io.eley.workloads;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

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
  private static final int DEADLINE_SECONDS = 60;

  /** Makes a key. Blocks for a second: it is keytool(1) that does. */
  static WebCertificate create(Path store) throws IOException {
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    var certificate = new WebCertificate(store, HexFormat.of().formatHex(random));
    Files.deleteIfExists(store);
    certificate.generate();
    Files.setPosixFilePermissions(
        store, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
    return certificate;
  }

  /** In the owner's own directory, so that the file is never another's, whatever the umask. */
  private void generate() throws IOException {
    var keytool =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "web",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=eley",
                "-validity",
                "3650",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass:env",
                "ELEY_WEB_PASSWORD"));
    keytool.environment().put("ELEY_WEB_PASSWORD", password);
    Process process = keytool.redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("keytool cannot make a key: " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keytool made a key", e);
    }
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
