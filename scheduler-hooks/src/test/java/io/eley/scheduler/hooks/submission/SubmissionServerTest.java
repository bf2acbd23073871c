package io.eley.scheduler.hooks.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.job.BufferSubmitter;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends of the socket by which root is asked to submit a buffer, and what else may be said. */
@Timeout(60)
class SubmissionServerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int NOBODY = 65534;
  private static final int GAMES = 5;

  private static final String ASKS =
      """
      my $s = IO::Socket::UNIX->new(Peer => shift) or die "$!";
      print $s "42\n";
      $s->shutdown(1);
      print <$s>;
      """;

  private static final String ANSWERS =
      """
      my $s = IO::Socket::UNIX->new(Local => shift, Listen => 1) or die "$!";
      $| = 1;
      print "listens\n";
      my $peer = $s->accept;
      print $peer "ok\nLD_PRELOAD=/x\n";
      """;

  @TempDir private Path temp;
  private Path socket;
  private long own;
  private @Nullable SubmissionServer server;
  private final List<Long> submitted = new CopyOnWriteArrayList<>();
  private final BufferSubmitter submitter =
      job -> {
        submitted.add(job);
        return "ELEY_DEPLOYMENT=/d/" + job + "\n";
      };

  @BeforeEach
  void place() throws IOException {
    socket = temp.resolve("submit");
    own = OwnPaths.user();
  }

  private void serve(BufferSubmitter answers) throws EleyException {
    server = SubmissionServer.start(socket, own, answers, PATIENCE);
  }

  @AfterEach
  void stop() throws IOException {
    if (server != null) {
      server.close();
      assertThat(socket).doesNotExist();
    }
  }

  /** What it answers to these bytes. */
  private String said(String question) throws IOException {
    try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      Channels.newOutputStream(channel).write(question.getBytes(StandardCharsets.UTF_8));
      channel.shutdownOutput();
      byte[] answer = Channels.newInputStream(channel).readAllBytes();
      return new String(answer, StandardCharsets.UTF_8);
    }
  }

  @Test
  void aNumberIsSubmittedAndTheEnvironmentComesBack() throws Exception {
    serve(submitter);
    var client = new SubmissionClient(socket);
    assertThat(client.submit(42)).isEqualTo("ELEY_DEPLOYMENT=/d/42\n");
    assertThat(client.submit(999_999_999_999_999_999L)).endsWith("/999999999999999999\n");
    assertThat(submitted).containsExactly(42L, 999_999_999_999_999_999L);
    assertThat(Files.getPosixFilePermissions(socket))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aRefusalIsItsReason() throws Exception {
    BufferSubmitter refuses =
        job -> {
          throw new EleyException(ErrorCode.NOT_FOUND, "Slurm knows no job " + job);
        };
    serve(refuses);
    assertThatThrownBy(() -> new SubmissionClient(socket).submit(7))
        .isInstanceOf(EleyException.class)
        .hasMessage("Slurm knows no job 7");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "42",
        "-1\n",
        "42\n43\n",
        "42 --uid=0\n",
        "１\n",
        "x\n",
        "1000000000000000000\n"
      })
  void whatIsNoNumberIsRefused(String question) throws Exception {
    serve(submitter);
    assertThat(said(question)).isEqualTo("no\nthe question is no job's number");
    assertThat(said("7\n")).isEqualTo("ok\nELEY_DEPLOYMENT=/d/7\n");
    assertThat(submitted).containsExactly(7L);
  }

  /** More than a question is not read: the kernel may tell the asker so by a reset. */
  @Test
  void aQuestionWithoutAnEndIsCutOff() throws Exception {
    serve(submitter);
    try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      Channels.newOutputStream(channel).write("1".repeat(4096).getBytes(StandardCharsets.UTF_8));
      byte[] answer = Channels.newInputStream(channel).readNBytes(3);
      assertThat(answer).isEqualTo("no\n".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(said("7\n")).startsWith("ok\n");
  }

  @Test
  void whoSaysNothingIsHungUpOnAndTheNextIsHeard() throws Exception {
    server = SubmissionServer.start(socket, own, submitter, Duration.ofSeconds(2));
    try (var silent = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      assertThat(silent.isConnected()).isTrue();
      // One after the other is answered: this one waits until the silent one is hung up on.
      assertThat(said("7\n")).isEqualTo("ok\nELEY_DEPLOYMENT=/d/7\n");
    }
  }

  @Test
  void aDefectCostsOneAnswer() throws Exception {
    BufferSubmitter broken =
        job -> {
          if (job == 1) {
            throw new IllegalStateException("defect");
          }
          return submitter.submit(job);
        };
    serve(broken);
    assertThatThrownBy(() -> new SubmissionClient(socket).submit(1))
        .hasMessageContaining("an answer of 0 bytes that makes no sense");
    assertThat(new SubmissionClient(socket).submit(2)).contains("/d/2");
  }

  /** As when the system has no thread for the process that submits. */
  @Test
  void whereNoThreadCanBeStartedTheJobIsRefusedAndTheNextIsHeard() throws Exception {
    BufferSubmitter starved =
        job -> {
          if (job == 1) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return submitter.submit(job);
        };
    serve(starved);
    assertThatThrownBy(() -> new SubmissionClient(socket).submit(1))
        .hasMessage("nothing can be submitted now: unable to create native thread");
    assertThat(new SubmissionClient(socket).submit(2)).contains("/d/2");
  }

  @Test
  void whatOneThatWasKilledHasLeftIsReplaced() throws Exception {
    try (var killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      killed.bind(UnixDomainSocketAddress.of(socket));
    }
    assertThatThrownBy(() -> new SubmissionClient(socket).submit(1))
        .hasMessageContaining("no `eley slurm serve` answers at " + socket);
    serve(submitter);
    assertThat(new SubmissionClient(socket).submit(2)).contains("/d/2");
  }

  @Test
  void aDirectoryThatOthersMayWriteToIsRefused() throws Exception {
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> serve(submitter))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining(temp.toString());
    assertThat(socket).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yes\n", "ok", "LD_PRELOAD=/x\n"})
  void anAnswerThatMakesNoSenseIsNoEnvironment(String answer) throws Exception {
    try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(socket));
      var served =
          CompletableFuture.runAsync(
              () -> {
                try (var peer = listener.accept()) {
                  Channels.newOutputStream(peer).write(answer.getBytes(StandardCharsets.UTF_8));
                  peer.shutdownOutput();
                  byte[] unused = Channels.newInputStream(peer).readAllBytes();
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      assertThatThrownBy(() -> new SubmissionClient(socket).submit(1))
          .hasMessage(socket + ": an answer of " + answer.length() + " bytes that makes no sense");
      served.join();
    }
  }

  /** As one that is stopped, or whose Slurm does not answer: the kernel has connected us. */
  @Test
  void aServerThatHangsIsNotWaitedForForEver() throws Exception {
    try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(socket));
      assertThatThrownBy(() -> new SubmissionClient(socket, Duration.ofSeconds(1)).submit(1))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE))
          .hasMessage("`eley slurm serve` at " + socket + " has not answered for 1 s");
    }
    assertThat(submitted).isEmpty();
  }

  /** Beside the mode of the socket, which another user would have to get past first. */
  @Test
  void anybodyElseIsRefused() throws Exception {
    assumeTrue(own == 0, "only root can be somebody else");
    server = SubmissionServer.start(socket, NOBODY, submitter, PATIENCE);
    assertThat(Files.getAttribute(socket, "unix:uid", LinkOption.NOFOLLOW_LINKS)).isEqualTo(NOBODY);
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(said(as(NOBODY, ASKS))).isEqualTo("ok\nELEY_DEPLOYMENT=/d/42\n");
    assertThat(said(as(GAMES, ASKS))).as("kept out by the mode").contains("Permission denied");
    Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThat(said(as(GAMES, ASKS)))
        .as("told so, unless it was still asking when it was hung up on")
        .isIn("", "no\nuser games is at the other end");
    assertThat(submitted).containsExactly(42L);
  }

  /** What it says would become the environment of a user's job. */
  @Test
  void anAnswerOfAnybodyElseIsRefused() throws Exception {
    assumeTrue(own == 0, "only root can be somebody else");
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxrwxrwx"));
    Process impostor = as(GAMES, ANSWERS);
    assertThat(impostor.inputReader().readLine()).isEqualTo("listens");
    assertThatThrownBy(() -> new SubmissionClient(socket).submit(1))
        .hasMessage(socket + ": user games is at the other end");
    int unused = impostor.waitFor();
  }

  /** A program as another user, in what every Debian has. */
  private Process as(int uid, String perl) throws IOException {
    return new ProcessBuilder(
            "setpriv",
            "--reuid=" + uid,
            "--regid=" + uid,
            "--clear-groups",
            "perl",
            "-MIO::Socket::UNIX",
            "-e",
            perl,
            socket.toString())
        .redirectErrorStream(true)
        .start();
  }

  private static String said(Process process) throws Exception {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int unused = process.waitFor();
    return said;
  }
}
