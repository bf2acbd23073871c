package io.eley.bb.server.scratch;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage;
import io.eley.bb.api.wire.ScratchMessage.AbandonScratch;
import io.eley.bb.api.wire.ScratchMessage.CommitScratch;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.bb.api.wire.ScratchMessage.ReserveScratch;
import io.eley.bb.api.wire.ScratchMessage.ScratchReserved;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.server.net.ReceivedBytes;
import io.eley.bb.server.net.Session;
import io.eley.bb.server.scratch.IncomingOutputs.Granted;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers what clients ask of scratch, on threads of its own: an event loop must wait for no file
 * and no process. What a connection has not committed when it ends is given up.
 *
 * <p>Safe for several threads.
 */
public final class ScratchRequests implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScratchRequests.class);

  /** All pieces that are granted, and as many questions beside them; more is refused. */
  private static final int WAITING_MAX = 2 * PieceGrants.MOST;

  private static final Failure TOO_MUCH =
      new Failure(ErrorCode.UNAVAILABLE, "too much is waiting to be written to scratch");

  private final ScratchStore store;
  private final PieceGrants grants = new PieceGrants(System::nanoTime);
  private final ThreadPoolExecutor threads;

  /** A service takes a second to start; no other application's pieces may wait for that. */
  private final ThreadPoolExecutor starts;

  private final ThreadFactory ends;

  /** Gives up what no other thread can be started for: its own is there from the beginning. */
  private final ThreadPoolExecutor spare;

  /**
   * @param store owned
   * @param threads that copy and delete
   * @throws OutOfMemoryError when the system does not give a thread; the store is closed then
   */
  public ScratchRequests(ScratchStore store, int threads) {
    this(store, threads, daemons("eley-scratch-end"));
  }

  /**
   * @param ends makes the threads of what is given up
   */
  ScratchRequests(ScratchStore store, int threads, ThreadFactory ends) {
    this.store = store;
    this.threads = pool("eley-scratch", threads);
    this.starts = pool("eley-scratch-start", 1);
    this.ends = ends;
    // Discards what comes after the end: the store has deleted all then.
    spare =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            ends,
            new ThreadPoolExecutor.DiscardPolicy());
    try {
      spare.prestartCoreThread();
    } catch (OutOfMemoryError e) {
      store.close();
      throw e;
    }
  }

  private static ThreadPoolExecutor pool(String name, int threads) {
    var pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            daemons(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static ThreadFactory daemons(String name) {
    return task -> {
      var thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Takes a message; never blocks.
   *
   * @param mine what the session is writing
   */
  public void received(
      Session session, IncomingOutputs mine, long correlation, ScratchMessage message) {
    Optional<Message> known = known(message);
    if (known.isPresent()) {
      reply(session, correlation, known.get());
      return;
    }
    try {
      threads(message).execute(() -> answer(session, correlation, () -> handle(mine, message)));
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      reply(session, correlation, TOO_MUCH);
    }
  }

  /** Who asks for a service need not wait for others' starts when its own is up, or will not be. */
  private Optional<Message> known(ScratchMessage message) {
    if (!(message instanceof OpenScratch open)) {
      return Optional.empty();
    }
    try {
      return store.known(open).map(Message.class::cast);
    } catch (EleyException e) {
      return Optional.of(Failure.of(e));
    }
  }

  private Executor threads(ScratchMessage message) {
    if (message instanceof OpenScratch) {
      return starts;
    }
    // The pool may be full of the very pieces that are given up, and a refusal be the reason. What
    // is dropped nobody drops again: were it refused, it would stay until its application ends.
    return message instanceof AbandonScratch || message instanceof DropScratch
        ? this::giveUp
        : threads;
  }

  /**
   * Works on a thread of its own: what is given up must neither be forgotten because a queue is
   * full, nor wait for another one, whose disk may hang. While the system gives no further thread
   * it waits for its turn on the spare one.
   */
  private void giveUp(Runnable work) {
    try {
      ends.newThread(work).start();
    } catch (OutOfMemoryError e) {
      spare.execute(work);
    }
  }

  /**
   * Takes a piece of an output; never blocks.
   *
   * @param bytes closed when they are written
   */
  public void received(
      Session session,
      IncomingOutputs mine,
      long correlation,
      WriteScratch piece,
      ReceivedBytes bytes) {
    var writing = new Writing(session, mine, correlation, piece, bytes);
    try {
      threads.execute(writing);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      writing.refuse();
    }
  }

  /** A piece that is to be written. */
  private final class Writing implements Runnable {
    private final Session session;
    private final IncomingOutputs mine;
    private final long correlation;
    private final WriteScratch piece;
    private final ReceivedBytes bytes;

    Writing(
        Session session,
        IncomingOutputs mine,
        long correlation,
        WriteScratch piece,
        ReceivedBytes bytes) {
      this.session = session;
      this.mine = mine;
      this.correlation = correlation;
      this.piece = piece;
      this.bytes = bytes;
    }

    @Override
    public void run() {
      answer(
          session,
          correlation,
          () -> {
            try (bytes) {
              store.write(mine.get(piece.handle()), piece, bytes);
            }
            return new Ok();
          });
    }

    void refuse() {
      bytes.close();
      reply(session, correlation, TOO_MUCH);
    }
  }

  /** What one message asks for. */
  private interface Work {
    Message done() throws EleyException;
  }

  private void answer(Session session, long correlation, Work work) {
    Message answer;
    try {
      answer = work.done();
    } catch (EleyException e) {
      answer = Failure.of(e);
    } catch (RuntimeException e) {
      LOG.error("defect in scratch", e);
      answer = new Failure(ErrorCode.INTERNAL, "a defect: " + e);
    } catch (OutOfMemoryError e) { // of memory outside of the heap, or of threads
      answer = new Failure(ErrorCode.UNAVAILABLE, "scratch has not what it needs: " + e);
    }
    reply(session, correlation, answer);
  }

  private static void reply(Session session, long correlation, Message answer) {
    if (correlation != FrameHeader.PUSH) {
      session.reply(correlation, answer);
    }
  }

  private Message handle(IncomingOutputs mine, ScratchMessage message) throws EleyException {
    if (message instanceof OpenScratch open) {
      return store.open(open);
    } else if (message instanceof ReserveScratch reserve) {
      return reserve(mine, reserve);
    } else if (message instanceof CommitScratch commit) {
      commit(mine.takeToCommit(commit.handle()));
    } else if (message instanceof AbandonScratch abandon) {
      abandon(mine, abandon.handle());
    } else if (message instanceof DropScratch drop) {
      store.drop(drop);
    } else {
      throw new EleyException(ErrorCode.MALFORMED, "a node has no answer to " + message.type());
    }
    return new Ok();
  }

  private ScratchReserved reserve(IncomingOutputs mine, ReserveScratch question)
      throws EleyException {
    PieceGrants.Grant grant = grants.take();
    IncomingOutput output;
    try {
      output = store.reserve(question);
    } catch (EleyException | RuntimeException | OutOfMemoryError e) {
      grant.giveBack();
      throw e;
    }
    var granted = new Granted(output, grant);
    long handle = mine.add(granted);
    if (handle == 0) {
      abandon(granted);
      throw new EleyException(ErrorCode.UNAVAILABLE, "the connection has ended");
    }
    return new ScratchReserved(handle, output.given(), grant.pieces());
  }

  /** Also what is being committed, or was: its writer has not heard so, and went elsewhere. */
  private void abandon(IncomingOutputs mine, long handle) throws EleyException {
    Optional<Granted> written = mine.take(handle);
    if (written.isPresent()) {
      abandon(written.get());
    } else {
      store.takeBack(mine.takeCommitted(handle));
    }
  }

  private void abandon(Granted written) {
    written.grant().giveBack();
    store.abandon(written.output());
  }

  private void commit(Granted written) throws EleyException {
    written.grant().giveBack(); // none of them is under way any more
    IncomingOutput output = written.output();
    boolean committed = false;
    try {
      store.commit(output);
      committed = true;
    } finally {
      if (!committed) {
        store.abandon(output);
      }
    }
  }

  /** A connection has ended: what it has not committed is given up. Never blocks. */
  public void closed(IncomingOutputs mine) {
    List<Granted> left = mine.end();
    if (!left.isEmpty()) {
      giveUp(() -> left.forEach(this::abandon));
    }
  }

  /**
   * Drops what nobody will read any more: it is refused from now on, and deleted on a thread of its
   * own. Does not block: to end a service takes seconds, and other orders wait behind this one.
   */
  public void drop(DropScratch which) {
    store.noteDropped(which);
    giveUp(() -> store.drop(which));
  }

  public NodeCounters.Scratch counters() {
    return store.counters();
  }

  @Override
  public void close() {
    starts.shutdownNow();
    spare.shutdown();
    for (Runnable left : threads.shutdownNow()) {
      if (left instanceof Writing writing) {
        writing.refuse();
      }
    }
    store.close();
  }
}
