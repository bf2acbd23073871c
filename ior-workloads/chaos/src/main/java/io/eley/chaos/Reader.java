package io.eley.chaos;

import io.eley.bb.api.client.BbFile;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.chaos.ChaosFile.Generation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * One task: opens files, reads pieces of them, in order or not, and compares every byte. A stream
 * must stay with one generation of its file, the one that was there when it was opened or a later
 * one, or say that it was replaced. For one thread.
 */
final class Reader implements Runnable {
  private static final int LARGEST = 256 << 10;
  private static final int READS_OF_A_STREAM = 6;

  private final EleyClient client;
  private final List<ChaosFile> files;
  private final Random random;
  private final Findings findings;
  private final BooleanSupplier over;

  Reader(
      EleyClient client,
      List<ChaosFile> files,
      Random random,
      Findings findings,
      BooleanSupplier over) {
    this.client = client;
    this.files = files;
    this.random = random;
    this.findings = findings;
    this.over = over;
  }

  @Override
  public void run() {
    do {
      ChaosFile file = files.get(random.nextInt(files.size()));
      try {
        read(file);
      } catch (EleyException e) {
        if (e.code() == ErrorCode.STALE_VERSION && file.generations().size() > 1) {
          findings.noteReplaced();
        } else {
          findings.noteFailed(file.path() + ": " + e.code() + ": " + e.getMessage());
        }
      } catch (RuntimeException e) {
        findings.noteFailed(file.path() + ": " + e);
      }
    } while (!over.getAsBoolean());
  }

  private void read(ChaosFile file) throws EleyException {
    int first = Math.max(0, file.placed() - 1);
    try (BbFile stream = timed("open " + file.path(), () -> client.openFile(file.path()))) {
      long length = stream.status().length();
      var possible =
          new ArrayList<>(
              file.generations().stream().skip(first).filter(g -> g.length() == length).toList());
      boolean inOrder = random.nextBoolean();
      long position = 0;
      for (int i = 0; i < READS_OF_A_STREAM && length > 0; i++) {
        position = inOrder && position < length ? position : random.nextLong(length);
        int wanted = (int) Math.min(length - position, 1 + random.nextInt(LARGEST));
        check(file, stream, position, wanted, possible);
        position += wanted;
      }
    }
  }

  private interface Call<T> {
    T run() throws EleyException;
  }

  /** Runs a call and notes how long it took, however it ended. */
  private <T> T timed(String what, Call<T> call) throws EleyException {
    long began = System.nanoTime();
    Ways before = Ways.of(client);
    try {
      return call.run();
    } finally {
      long took = System.nanoTime() - began;
      findings.noteCall(took);
      if (took > Findings.SLOW_NANOS) {
        findings.noteSlow(what, began, took, Ways.of(client).since(before));
      }
    }
  }

  private void check(
      ChaosFile file, BbFile stream, long position, int wanted, List<Generation> possible)
      throws EleyException {
    var bytes = ByteBuffer.allocate(wanted);
    timed(
        "read " + wanted + " bytes at " + position + " of " + file.path(),
        () -> {
          stream.readFully(position, bytes);
          return wanted;
        });
    findings.noteRead(wanted);
    bytes.flip();
    int before = possible.size();
    possible.removeIf(g -> !g.matches(position, bytes));
    if (possible.isEmpty()) {
      findings.noteWrong(
          file.path()
              + ": "
              + wanted
              + " bytes at "
              + position
              + " are of none of the "
              + before
              + " generations that the stream could have");
      possible.addAll(file.generations());
    }
  }
}
