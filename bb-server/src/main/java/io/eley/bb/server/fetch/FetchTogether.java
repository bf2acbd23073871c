package io.eley.bb.server.fetch;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedFile;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginFile;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.BlockWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches small blocks whole, several with one hand-over to an expendable thread: for each in turn
 * it opens the file, checks the version, reads, checks the version again and closes. Between two of
 * them the lane is looked at, so a hold stops them where it would have stopped chunks.
 *
 * <p>When the call hangs, the blocks that it has not come to are given up with the one that hangs,
 * and it touches no further file if it ever comes back. For several fetcher threads, each with its
 * own buffer. Blocks up to the deadline of a call.
 */
final class FetchTogether {
  private static final Logger LOG = LoggerFactory.getLogger(FetchTogether.class);

  private final GuardedOrigin guard;
  private final Origin origin;
  private final BlockStore store;
  private final ChunkReader reader;
  private final PermitGate gate;

  FetchTogether(
      GuardedOrigin guard, Origin origin, BlockStore store, ChunkReader reader, PermitGate gate) {
    this.guard = guard;
    this.origin = origin;
    this.store = store;
    this.reader = reader;
    this.gate = gate;
  }

  /**
   * What has become of the fetches of a turn; those that are named nowhere are committed.
   *
   * @param later to be gone on with one by one: the lane is closed, or the store has a part
   * @param failed with their reasons, to be ended
   */
  record Outcome(List<FetchJob> later, Map<FetchJob, EleyException> failed) {}

  /** One block: its writer, and where its bytes go. */
  private record Piece(FetchJob job, BlockWriter writer, ByteBuffer target) {}

  Outcome fetch(FetchQueue.Turn turn, ChunkReader.Buffer buffer) {
    var outcome = new Outcome(new ArrayList<>(), new LinkedHashMap<>());
    var open = new LinkedHashSet<>(turn.jobs());
    EleyException failure;
    try {
      fetch(turn, buffer, open, outcome);
      return outcome;
    } catch (EleyException e) {
      failure = e;
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.error("a fetch of small blocks met a defect, the first of them {}", turn.job().id, e);
      failure = new EleyException(ErrorCode.INTERNAL, "the fetch failed: " + turn.job().id, e);
    }
    open.forEach(job -> outcome.failed.put(job, failure));
    return outcome;
  }

  private void fetch(
      FetchQueue.Turn turn, ChunkReader.Buffer buffer, Set<FetchJob> open, Outcome outcome)
      throws EleyException {
    int bytes = turn.jobs().stream().mapToInt(this::length).sum();
    ByteBuffer whole = buffer.take(bytes);
    var pieces = new ArrayList<Piece>();
    int at = 0;
    for (FetchJob job : turn.jobs()) {
      Optional<BlockWriter> writer = settling(job, open, outcome, () -> prepare(job, turn.cause()));
      if (writer.isPresent()) {
        pieces.add(new Piece(job, writer.get(), whole.slice(at, length(job))));
        at += length(job);
      } else if (open.remove(job)) {
        outcome.later.add(job);
      }
    }
    int came = pieces.isEmpty() ? 0 : call(pieces, turn.cause(), open, outcome);
    for (Piece piece : pieces.subList(0, came)) {
      if (open.contains(piece.job)) {
        Optional<Boolean> unused = settling(piece.job, open, outcome, () -> commit(piece));
        open.remove(piece.job);
      }
    }
    outcome.later.addAll(open);
    open.clear();
    buffer.give(whole);
  }

  private int length(FetchJob job) {
    return store.geometry().length(job.id);
  }

  /** A step of one fetch. */
  private interface Step<T> {
    Optional<T> run() throws EleyException;
  }

  private static <T> Optional<T> settling(
      FetchJob job, Set<FetchJob> open, Outcome outcome, Step<T> step) {
    try {
      return step.run();
    } catch (EleyException e) {
      outcome.failed.put(job, e);
      open.remove(job);
      return Optional.empty();
    }
  }

  /** Reserves the space; empty when the store has the block or a part of it. */
  private Optional<BlockWriter> prepare(FetchJob job, ReadCause cause) throws EleyException {
    Optional<BlockWriter> writer = job.writer(store, cause).filter(w -> w.written().isEmpty());
    if (writer.isPresent()) {
      writer.get().requireRoom(length(job));
    }
    return writer;
  }

  private static Optional<Boolean> commit(Piece piece) throws EleyException {
    piece.writer.write(0, piece.target.flip());
    piece.job.finish();
    return Optional.of(true);
  }

  /** Reads the files; returns how many it has come to before the lane was closed. */
  private int call(List<Piece> pieces, ReadCause cause, Set<FetchJob> open, Outcome outcome)
      throws EleyException {
    var waitedFor = new AtomicBoolean(true);
    var errors = new ConcurrentHashMap<Piece, EleyException>();
    try {
      int came =
          guard.call(
              "read " + pieces.size() + " small files, " + pieces.get(0).job.id.file().path(),
              () -> readAll(pieces, cause, waitedFor, errors));
      errors.forEach(
          (piece, error) -> {
            open.remove(piece.job);
            outcome.failed.put(piece.job, error);
          });
      return came;
    } finally {
      waitedFor.set(false);
    }
  }

  /** Runs on the expendable thread. */
  private int readAll(
      List<Piece> pieces,
      ReadCause cause,
      AtomicBoolean waitedFor,
      Map<Piece, EleyException> errors) {
    int came = 0;
    while (came < pieces.size() && waitedFor.get() && (came == 0 || !gate.closed(cause))) {
      Piece piece = pieces.get(came);
      try {
        read(piece, cause);
      } catch (EleyException e) {
        errors.put(piece, e);
      }
      came++;
    }
    return came;
  }

  private void read(Piece piece, ReadCause cause) throws EleyException {
    BlockId block = piece.job.id;
    FileVersion version = block.file();
    OriginFile file = origin.open(version);
    try {
      GuardedFile.requireSame(version, file.status().version());
      long position = store.geometry().range(block).offset();
      var place = new ChunkReader.Place(block, position, piece.target.remaining());
      reader.read(file::read, place, cause, piece.target);
      GuardedFile.requireSame(version, file.currentStatus().version());
    } finally {
      close(file);
    }
  }

  private static void close(OriginFile file) {
    try {
      file.close();
    } catch (EleyException e) {
      LOG.warn("cannot close an origin file: {}", e.getMessage());
    }
  }
}
