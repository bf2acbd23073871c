package io.eley.scheduler.hooks.submission;

import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.job.BufferSubmitter;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Has a {@link SubmissionServer} on this host submit. What it answers becomes the environment of
 * somebody's job, so it must be root's, or this user's own in a trial. For one thread; blocks until
 * there is an answer, for four minutes at most: a server asks Slurm a dozen things in that time,
 * and Slurm ends a stage without a reason after five (OtherTimeout).
 */
public final class SubmissionClient implements BufferSubmitter {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final Path socket;
  private final Duration patience;

  /** Asks nothing yet. */
  public SubmissionClient(Path socket) {
    this(socket, PATIENCE);
  }

  SubmissionClient(Path socket, Duration patience) {
    this.socket = socket;
    this.patience = patience;
  }

  @Override
  public String submit(long job) throws EleyException {
    SubmissionAnswer answer = ask(job);
    if (!answer.submitted()) {
      throw new EleyException(ErrorCode.UNAVAILABLE, answer.text());
    }
    return answer.text();
  }

  private SubmissionAnswer ask(long job) throws EleyException {
    var over = new CompletableFuture<Void>().orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS);
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      var unused = over.whenComplete((answered, late) -> close(channel));
      channel.connect(UnixDomainSocketAddress.of(socket));
      Peer.requireRootOr(OwnPaths.user(), channel);
      Channels.newOutputStream(channel).write(SubmissionAnswer.question(job));
      channel.shutdownOutput();
      return SubmissionAnswer.read(Channels.newInputStream(channel));
    } catch (EleyException e) {
      throw new EleyException(e.code(), socket + ": " + e.getMessage(), e);
    } catch (ClosedChannelException e) {
      throw new EleyException(
          ErrorCode.DEADLINE,
          "`eley slurm serve` at "
              + socket
              + " has not answered for "
              + patience.toSeconds()
              + " s",
          e);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "no `eley slurm serve` answers at " + socket + ": " + e.getMessage(),
          e);
    } finally {
      over.complete(null);
    }
  }

  /** Whoever waits for the other end gets a {@link ClosedChannelException}. */
  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // It is of no use any more, closed or not.
    }
  }
}
