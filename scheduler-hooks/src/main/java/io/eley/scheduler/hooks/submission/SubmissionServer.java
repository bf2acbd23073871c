package io.eley.scheduler.hooks.submission;

import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.job.BufferSubmitter;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits buffers for whoever runs slurmctld. Root's part of {@code burst_buffer.lua}, and as small
 * as it can be: of its peer it takes a job's number and nothing else. The socket's mode keeps
 * others out, and the kernel says who has connected.
 *
 * <p>One thread of its own answers one peer after the other. A peer that does not say its question
 * is hung up on, so that it does not keep the next one waiting.
 */
public final class SubmissionServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SubmissionServer.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long FAREWELL_MILLIS = 500;

  private final Path socket;
  private final long user;
  private final BufferSubmitter submitter;
  private final Duration patience;
  private final ServerSocketChannel listener;
  private final ScheduledExecutorService hangUp;
  private final Thread thread;

  private SubmissionServer(
      Path socket,
      long user,
      BufferSubmitter submitter,
      Duration patience,
      ServerSocketChannel listener) {
    this.socket = socket;
    this.user = user;
    this.submitter = submitter;
    this.patience = patience;
    this.listener = listener;
    thread = daemon(this::serve, "eley-submission");
    hangUp =
        Executors.newSingleThreadScheduledExecutor(
            work -> daemon(work, "eley-submission-patience"));
  }

  private static Thread daemon(Runnable work, String name) {
    var thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Listens, and answers until it is closed.
   *
   * @param socket to be made; nobody else may be able to write to its directory
   * @param user number of the one user who may ask, besides root
   * @throws EleyException in one line when it cannot listen there
   */
  public static SubmissionServer start(Path socket, long user, BufferSubmitter submitter)
      throws EleyException {
    return start(socket, user, submitter, PATIENCE);
  }

  static SubmissionServer start(
      Path socket, long user, BufferSubmitter submitter, Duration patience) throws EleyException {
    try {
      OwnPaths.requireParents(socket);
      var server =
          new SubmissionServer(socket, user, submitter, patience, listen(socket, (int) user));
      server.thread.start();
      LOG.info("buffers are submitted for user {} at {}", user, socket);
      return server;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot listen at " + socket + ": " + e, e);
    }
  }

  /** What one that was killed has left there is replaced. */
  private static ServerSocketChannel listen(Path socket, int user) throws IOException {
    Files.deleteIfExists(socket);
    var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      listener.bind(UnixDomainSocketAddress.of(socket));
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
      Files.setAttribute(socket, "unix:uid", user);
      return listener;
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }

  private void serve() {
    while (listener.isOpen()) {
      try (SocketChannel peer = listener.accept()) {
        answer(peer);
      } catch (ClosedChannelException e) {
        LOG.debug("closed, or a peer was hung up on", e);
      } catch (IOException e) {
        LOG.warn("a question could not be answered: {}", e.toString());
      } catch (RuntimeException e) {
        LOG.error("defect in the submission of buffers", e);
      }
    }
  }

  private void answer(SocketChannel peer) throws IOException {
    SubmissionAnswer answer;
    try {
      Peer.requireRootOr(user, peer);
      String environment = submitter.submit(question(peer));
      answer = new SubmissionAnswer(true, environment);
    } catch (EleyException e) {
      LOG.warn("refused: {}", e.getMessage());
      answer = new SubmissionAnswer(false, e.getMessage() + "");
    } catch (OutOfMemoryError e) { // also what the JDK says where the system has no thread for it
      LOG.warn("nothing can be submitted now: {}", e.getMessage());
      answer = new SubmissionAnswer(false, "nothing can be submitted now: " + e.getMessage());
    }
    var bytes = ByteBuffer.wrap(answer.bytes());
    while (bytes.hasRemaining()) {
      int unused = peer.write(bytes);
    }
  }

  private long question(SocketChannel peer) throws IOException, EleyException {
    var late = hangUp.schedule(() -> close(peer), patience.toMillis(), TimeUnit.MILLISECONDS);
    try {
      return SubmissionAnswer.readQuestion(Channels.newInputStream(peer));
    } finally {
      late.cancel(false);
    }
  }

  private static void close(SocketChannel peer) {
    try {
      peer.close();
    } catch (IOException e) {
      LOG.debug("cannot hang up", e);
    }
  }

  /** Hears nobody any more; waits for a submission under way for half a second at most. */
  @Override
  public void close() throws IOException {
    listener.close();
    hangUp.shutdownNow();
    Files.deleteIfExists(socket);
    thread.interrupt();
    try {
      thread.join(FAREWELL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
