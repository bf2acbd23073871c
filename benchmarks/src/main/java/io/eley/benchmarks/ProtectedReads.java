package io.eley.benchmarks;

import io.eley.bb.api.NetworkProtection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The reads of {@link TcpReads} with payloads that are protected: what goes to another host, or
 * what an operator asks for. One stream; both ends are in this JVM.
 */
@State(Scope.Benchmark)
public class ProtectedReads {
  private static final int WARM_BLOCKS = 40;

  private final ByteBuffer block = ByteBuffer.allocateDirect(OneNode.BLOCK);
  private final ByteBuffer small = ByteBuffer.allocateDirect(Positions.SMALL);
  private final Positions positions = new Positions();

  /** Everything encrypted. */
  @State(Scope.Benchmark)
  public static class Encrypted extends Deployed {
    public Encrypted() {
      super(warm(NetworkProtection.ENCRYPT));
    }
  }

  /** Everything authenticated, nothing encrypted. */
  @State(Scope.Benchmark)
  public static class Authenticated extends Deployed {
    public Authenticated() {
      super(warm(NetworkProtection.AUTHENTICATE));
    }
  }

  /** The cipher is slow until the JVM has compiled it, which takes longer than a warm-up. */
  private static OneNode warm(NetworkProtection protection) {
    return Started.start(
        () -> {
          var node = new OneNode(false, Map.of("eley.network.protection", protection.label()));
          var target = ByteBuffer.allocateDirect(OneNode.BLOCK);
          for (int i = 0; i < WARM_BLOCKS; i++) {
            node.file().readFully((long) (i % OneNode.BLOCKS) * OneNode.BLOCK, target.clear());
          }
          return node;
        });
  }

  @Benchmark
  public ByteBuffer encryptedBlock(Encrypted ours) throws IOException {
    ours.deployment().file().readFully(positions.nextBlock(), block.clear());
    return block;
  }

  @Benchmark
  public ByteBuffer authenticatedBlock(Authenticated ours) throws IOException {
    ours.deployment().file().readFully(positions.nextBlock(), block.clear());
    return block;
  }

  @Benchmark
  public ByteBuffer encryptedSmall(Encrypted ours) throws IOException {
    ours.deployment().file().readFully(positions.somewhere(), small.clear());
    return small;
  }
}
