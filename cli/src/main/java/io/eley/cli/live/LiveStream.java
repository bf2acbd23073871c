package io.eley.cli.live;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.coordinator.live.LiveDocument;
import io.eley.coordinator.live.LiveJson;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's stream of live documents, with the URL, the token and the certificate that are
 * in the deployment's directory. For one thread.
 */
public final class LiveStream {
  private static final Duration CONNECT = Duration.ofSeconds(15);

  private final HttpClient http;
  private final URI page;

  private LiveStream(HttpClient http, URI page) {
    this.http = http;
    this.page = page;
  }

  /**
   * The stream of the coordinator that runs there now.
   *
   * @throws IOException in one line, also when none serves by HTTP
   */
  public static LiveStream of(DeploymentFiles files) throws IOException {
    if (!Files.exists(files.liveUrl())) {
      throw new IOException("its coordinator serves nothing by HTTP; see eley.http");
    }
    URI page = URI.create(OwnPaths.readPrivate(files.liveUrl()).strip());
    var client = HttpClient.newBuilder().connectTimeout(CONNECT);
    if (page.getScheme().equals("https")) {
      client.sslContext(trusting(files));
    }
    return new LiveStream(client.build(), page);
  }

  /** Trusts the coordinator's own certificate and no other. */
  private static SSLContext trusting(DeploymentFiles files) throws IOException {
    try (var in = Files.newInputStream(files.announceCertificate())) {
      var store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setCertificateEntry(
          "eley", CertificateFactory.getInstance("X.509").generateCertificate(in));
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the coordinator's certificate cannot be used: " + e.getMessage(), e);
    }
  }

  /** One document of this moment. */
  public LiveDocument once() throws IOException {
    return LiveJson.read(answer("/live/document", BodyHandlers.ofString()).body());
  }

  /**
   * Hands each document on, with all traffic since the first; blocks until the stream ends.
   *
   * @throws IOException when it ends, as it does with the coordinator
   */
  public void follow(Consumer<LiveDocument> viewer) throws IOException {
    try (Stream<String> lines = answer("/live/events", BodyHandlers.ofLines()).body()) {
      @Nullable LiveDocument before = null;
      for (var each = lines.iterator(); each.hasNext(); ) {
        String line = each.next();
        if (line.startsWith("data: ")) {
          LiveDocument next = LiveJson.read(line.substring("data: ".length()));
          before = before == null ? next : next.following(before);
          viewer.accept(before);
        }
      }
    } catch (java.io.UncheckedIOException e) {
      throw new IOException("the coordinator is gone", e);
    }
    throw new IOException("the coordinator is gone");
  }

  private <T> HttpResponse<T> answer(String path, HttpResponse.BodyHandler<T> form)
      throws IOException {
    // In a header, so that the token is in no URL that an error could quote.
    String token = page.getRawQuery().substring("token=".length());
    var request =
        HttpRequest.newBuilder(page.resolve(path))
            .header("Authorization", "Bearer " + token)
            .build();
    try {
      var response = http.send(request, form);
      if (response.statusCode() != 200) {
        throw new IOException("the coordinator answered " + response.statusCode());
      }
      return response;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }
}
