package io.eley.cli.live;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.coordinator.live.LiveDocument;
import io.eley.coordinator.live.LiveJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's stream of live documents, with the URL, the token and the certificate that are
 * in the deployment's directory. For one thread.
 */
public final class LiveStream {
  /**
   * The coordinator's sign of life comes each ten seconds where no document does. Of a host that is
   * lost or frozen no other word comes: its connections stay open.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final HttpClient http;
  private final URI page;
  private final Duration patience;

  private LiveStream(HttpClient http, URI page, Duration patience) {
    this.http = http;
    this.page = page;
    this.patience = patience;
  }

  /**
   * The stream of the coordinator that runs there now.
   *
   * @throws IOException in one line, also when none serves by HTTP
   */
  public static LiveStream of(DeploymentFiles files) throws IOException {
    return of(files, PATIENCE);
  }

  /** The same with another patience for each answer, and between two lines of the stream. */
  static LiveStream of(DeploymentFiles files, Duration patience) throws IOException {
    if (!Files.exists(files.liveUrl())) {
      // One that is stopped takes both files away.
      throw new IOException(
          Files.exists(files.coordinatorAddress())
              ? "its coordinator serves nothing by HTTP; see eley.http"
              : "no coordinator runs there now");
    }
    URI page = URI.create(OwnPaths.readPrivate(files.liveUrl()).strip());
    var client = HttpClient.newBuilder().connectTimeout(patience);
    if (page.getScheme().equals("https")) {
      client.sslContext(trusting(files));
    }
    return new LiveStream(client.build(), page, patience);
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
   * @throws IOException when it ends, as it does with the coordinator, or falls silent
   */
  public void follow(Consumer<LiveDocument> viewer) throws IOException {
    // Closing it ends a read that still waits; closing a reader would wait for that read.
    try (InputStream in = answer("/live/events", BodyHandlers.ofInputStream()).body()) {
      var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      @Nullable LiveDocument before = null;
      for (var line = next(lines); line.isPresent(); line = next(lines)) {
        if (line.get().startsWith("data: ")) {
          LiveDocument next = LiveJson.read(line.get().substring("data: ".length()));
          before = before == null ? next : next.following(before);
          viewer.accept(before);
        }
      }
    }
    throw new IOException("the coordinator is gone");
  }

  private Optional<String> next(BufferedReader lines) throws IOException {
    var line =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Optional.ofNullable(lines.readLine());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return await(line, "the coordinator is gone");
  }

  private <T> HttpResponse<T> answer(String path, HttpResponse.BodyHandler<T> form)
      throws IOException {
    // In a header, so that the token is in no URL that an error could quote.
    String token = page.getRawQuery().substring("token=".length());
    var request =
        HttpRequest.newBuilder(page.resolve(path))
            .header("Authorization", "Bearer " + token)
            .build();
    var response = await(http.sendAsync(request, form), "the coordinator cannot be reached");
    if (response.statusCode() != 200) {
      throw new IOException("the coordinator answered " + response.statusCode());
    }
    return response;
  }

  /**
   * Waits as long as the patience lasts.
   *
   * @param failed what it means when it fails
   */
  private <T> T await(CompletableFuture<T> what, String failed) throws IOException {
    try {
      return what.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "the coordinator has said nothing for " + patience.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw new IOException(failed, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      what.cancel(true);
    }
  }
}
