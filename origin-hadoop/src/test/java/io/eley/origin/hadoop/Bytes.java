package io.eley.origin.hadoop;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.OriginFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Files of random bytes. */
final class Bytes {
  private Bytes() {}

  static byte[] random(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static void write(FileSystem files, String path, byte[] bytes) throws IOException {
    try (var out = files.create(new Path(path), true)) {
      out.write(bytes);
    }
  }

  static byte[] read(OriginFile file, long position, int length) throws EleyException {
    ByteBuffer target = ByteBuffer.allocateDirect(length);
    int read = file.read(position, target, ReadCause.PREFETCH);
    byte[] bytes = new byte[Math.max(0, read)];
    target.flip().get(bytes);
    return bytes;
  }
}
