package io.eley.scheduler.hooks.submission;

import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.job.BufferSubmitter;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * Has a {@link SubmissionServer} on this host submit. What it answers becomes the environment of
 * somebody's job, so it must be root's, or this user's own in a trial. For one thread; blocks until
 * there is an answer, which Slurm's time limit of the stage bounds.
 */
public final class SubmissionClient implements BufferSubmitter {
  private final Path socket;

  /** Asks nothing yet. */
  public SubmissionClient(Path socket) {
    this.socket = socket;
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
    try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      Peer.requireRootOr(OwnPaths.user(), channel);
      Channels.newOutputStream(channel).write(SubmissionAnswer.question(job));
      channel.shutdownOutput();
      return SubmissionAnswer.read(Channels.newInputStream(channel));
    } catch (EleyException e) {
      throw new EleyException(e.code(), socket + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "no `eley slurm serve` answers at " + socket + ": " + e.getMessage(),
          e);
    }
  }
}
