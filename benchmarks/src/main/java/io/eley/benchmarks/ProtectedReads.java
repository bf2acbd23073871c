package io.eley.benchmarks;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.client.ClientCounters.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The reads of {@link TcpReads} with payloads that are protected: what goes to another host, or
 * what an operator asks for. One stream; both ends are in this JVM.
 */
@State(Scope.Benchmark)
public class ProtectedReads {
  private static final int SMALL = 64 << 10;
  private static final int WARM_BLOCKS = 40;

  private final ByteBuffer block = ByteBuffer.allocateDirect(OneNode.BLOCK);
  private final ByteBuffer small = ByteBuffer.allocateDirect(SMALL);
  private final Random random = new Random(11);
  private int next;

  /** Everything encrypted. */
  @State(Scope.Benchmark)
  public static class Encrypted {
    private final OneNode deployment;

    public Encrypted() {
      deployment = warm(NetworkProtection.ENCRYPT);
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      deployment.requireServedFrom(Source.REMOTE_RAM);
      deployment.close();
    }
  }

  /** Everything authenticated, nothing encrypted. */
  @State(Scope.Benchmark)
  public static class Authenticated {
    private final OneNode deployment;

    public Authenticated() {
      deployment = warm(NetworkProtection.AUTHENTICATE);
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      deployment.requireServedFrom(Source.REMOTE_RAM);
      deployment.close();
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
    ours.deployment.file().readFully(nextBlock(), block.clear());
    return block;
  }

  @Benchmark
  public ByteBuffer authenticatedBlock(Authenticated ours) throws IOException {
    ours.deployment.file().readFully(nextBlock(), block.clear());
    return block;
  }

  @Benchmark
  public ByteBuffer encryptedSmall(Encrypted ours) throws IOException {
    ours.deployment.file().readFully(somewhere(), small.clear());
    return small;
  }

  private long nextBlock() {
    next = (next + 1) % OneNode.BLOCKS;
    return (long) next * OneNode.BLOCK;
  }

  private long somewhere() {
    return (long) random.nextInt((int) (OneNode.LENGTH / SMALL)) * SMALL;
  }
}
