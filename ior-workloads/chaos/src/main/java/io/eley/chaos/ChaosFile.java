package io.eley.chaos;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A file on the origin, with all the generations that it has had. One thread replaces it, any
 * thread may ask.
 */
final class ChaosFile {
  private static final int PIECE = 1 << 16;

  /** One content of the file, whole. */
  record Generation(KnownBytes bytes, long length) {
    /** Whether these bytes at this place are this generation's. */
    boolean matches(long position, ByteBuffer read) {
      return position + read.remaining() <= length && bytes.matches(position, read);
    }
  }

  private final Path origin;
  private final String path;
  private final List<Generation> generations = new CopyOnWriteArrayList<>();
  private volatile int placed;

  /**
   * A file that is not there yet.
   *
   * @param path below the origin, beginning with a slash
   */
  ChaosFile(Path origin, String path) {
    this.origin = origin;
    this.path = path;
  }

  String path() {
    return path;
  }

  /** How many contents are or were at its place for sure; the next one may be there already. */
  int placed() {
    return placed;
  }

  /** Every content that it has had so far. */
  List<Generation> generations() {
    return List.copyOf(generations);
  }

  /** Gives it another content at once, by a rename, as whoever replaces a data set does. */
  void replace(long seed, long length) throws IOException {
    var generation = new Generation(new KnownBytes(seed), length);
    Path file = origin.resolve(path.substring(1));
    Path fresh = origin.resolve(".fresh-" + Long.toUnsignedString(seed, 36));
    try (var out =
        FileChannel.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      var piece = ByteBuffer.allocate(PIECE);
      for (long at = 0; at < length; at += PIECE) {
        piece.clear().limit((int) Math.min(PIECE, length - at));
        generation.bytes().fill(at, piece);
        piece.flip();
        while (piece.hasRemaining()) {
          out.write(piece);
        }
      }
    }
    // Before the rename: whoever reads the new bytes must find them here.
    generations.add(generation);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    placed = generations.size();
  }
}
