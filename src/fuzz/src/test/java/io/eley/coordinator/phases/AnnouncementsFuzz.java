package io.eley.coordinator.phases;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.edge.NameRule;
import io.eley.bb.api.edge.PlainText;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.PhaseHeld;
import io.eley.fuzz.Input;
import io.eley.fuzz.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Announcements by HTTP, with and without the token: a plain answer with a status of ours, and
 * nobody without the token, or under a name that is none, begins a phase.
 */
public final class AnnouncementsFuzz {
  private static final Set<Integer> STATUSES = Set.of(200, 400, 401, 404, 405);
  private static final List<String> PATHS = List.of("/begin", "/end", "/status", "/begin?x");
  private static final HttpToken TOKEN = new HttpToken();
  private static final String HEADER = header();
  private static final Recorded PHASES = new Recorded();
  private static final HttpAnnouncements ENDPOINT = endpoint();

  private AnnouncementsFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    int choice = Input.choice(input);
    String text = Input.text(Input.rest(input));
    boolean proved = choice % 8 != 7;
    var exchange =
        new ScriptedExchange(
            choice % 16 == 0 ? "GET" : "POST",
            choice < 128 ? PATHS.get(choice / 16 % 4) : text,
            proved ? HEADER : text,
            Input.rest(input));
    PHASES.changes = 0;
    ENDPOINT.handle(exchange);
    Input.require(STATUSES.contains(exchange.status()), "status " + exchange.status());
    Input.require(
        PlainText.escapeLines(exchange.answer()).equals(exchange.answer()), "not a plain answer");
    Input.require(proved || PHASES.changes == 0, "a stranger has announced");
  }

  private static String header() {
    try {
      Path file = Scratch.directory().resolve("announce.curl");
      TOKEN.write(file, Optional.empty());
      String text = Files.readString(file);
      int from = text.indexOf("Bearer");
      return text.substring(from, text.indexOf('"', from));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HttpAnnouncements endpoint() {
    try {
      return HttpAnnouncements.start(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
          Optional.empty(),
          TOKEN,
          PHASES,
          HttpAnnouncements.Extension.NONE);
    } catch (EleyException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Recorded implements HttpAnnouncements.Phases {
    private int changes;

    @Override
    public CompletableFuture<PhaseHeld> begin(BeginPhase phase) {
      changes++;
      NameRule.APPLICATION.require(phase.application());
      return CompletableFuture.completedFuture(new PhaseHeld(1, 1, 1));
    }

    @Override
    public CompletableFuture<Boolean> end(String application) {
      changes++;
      NameRule.APPLICATION.require(application);
      return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletableFuture<DeploymentReport> report() {
      return CompletableFuture.completedFuture(
          new DeploymentReport(
              BufferMode.FULL_DELAY,
              "/mnt",
              3,
              4,
              "why",
              List.of(),
              new DeploymentReport.Control("full-delay", List.of(), List.of(), List.of()),
              List.of(),
              List.of()));
    }
  }
}
