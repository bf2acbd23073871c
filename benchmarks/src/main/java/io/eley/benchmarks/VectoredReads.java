package io.eley.benchmarks;

import io.eley.bb.api.ByteRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * 16 ranges of 64 KiB at once over TCP, side by side or anywhere in the file, against the stream's
 * read of as many bytes.
 */
@State(Scope.Benchmark)
public class VectoredReads {
  private static final int RANGES = 16;

  private final Positions positions = new Positions();
  private final ByteBuffer large = ByteBuffer.allocate(RANGES * Positions.SMALL);

  /** Eley's side. */
  @State(Scope.Benchmark)
  public static class Ours extends Deployed {
    public Ours() {
      super(Started.start(() -> new OneNode(false)));
    }
  }

  @Benchmark
  public ByteBuffer stream(Ours ours) throws IOException {
    ours.deployment().file().readFully(positions.nextBlock(), large.clear());
    return large;
  }

  @Benchmark
  public int near(Ours ours) {
    long begin = positions.nextBlock();
    return read(
        ours,
        IntStream.range(0, RANGES)
            .mapToObj(i -> new ByteRange(begin + (long) i * Positions.SMALL, Positions.SMALL))
            .toList());
  }

  @Benchmark
  public int anywhere(Ours ours) {
    return read(
        ours,
        IntStream.range(0, RANGES)
            .mapToObj(i -> new ByteRange(positions.somewhere(), Positions.SMALL))
            .toList());
  }

  private static int read(Ours ours, List<ByteRange> ranges) {
    return ours.deployment().file().readVectored(ranges, ByteBuffer::allocate).stream()
        .mapToInt(part -> part.join().remaining())
        .sum();
  }
}
