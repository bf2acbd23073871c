package io.eley.benchmarks;

import io.eley.bb.api.client.ClientCounters.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Reads over TCP against sendfile(2) of the same RAM-disk file to a bare loopback socket. Both ends
 * of both are in this JVM; both read into the same direct buffer, one request at a time.
 */
@State(Scope.Benchmark)
public class TcpReads {
  private static final int SMALL = 64 << 10;

  private final ByteBuffer block = ByteBuffer.allocateDirect(OneNode.BLOCK);
  private final ByteBuffer small = ByteBuffer.allocateDirect(SMALL);
  private final Random random = new Random(11);
  private int next;

  /** Eley's side. */
  @State(Scope.Benchmark)
  public static class Ours {
    private final OneNode deployment;

    public Ours() {
      deployment = Started.start(() -> new OneNode(false));
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      deployment.requireServedFrom(Source.REMOTE_RAM);
      deployment.close();
    }
  }

  /** Eley's side, with every page checked. */
  @State(Scope.Benchmark)
  public static class Verified {
    private final OneNode deployment;

    public Verified() {
      deployment = Started.start(() -> new OneNode(false, Map.of("eley.client.verify", "true")));
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      deployment.requireServedFrom(Source.REMOTE_RAM);
      deployment.close();
    }
  }

  /** The limit's side. */
  @State(Scope.Benchmark)
  public static class Raw {
    private final Ram ram = Started.start(Ram::new);
    private final RawSender sender;

    public Raw() {
      sender = Started.start(() -> new RawSender(ram.file("origin/file", OneNode.LENGTH)));
    }

    @Setup
    public void warm() throws IOException {
      sender.read(0, ByteBuffer.allocateDirect(SMALL));
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      sender.close();
      ram.close();
    }
  }

  @Benchmark
  public ByteBuffer blockOurs(Ours ours) throws IOException {
    ours.deployment.file().readFully(nextBlock(), block.clear());
    return block;
  }

  @Benchmark
  public ByteBuffer blockVerified(Verified verified) throws IOException {
    verified.deployment.file().readFully(nextBlock(), block.clear());
    return block;
  }

  @Benchmark
  public ByteBuffer smallVerified(Verified verified) throws IOException {
    verified.deployment.file().readFully(somewhere(), small.clear());
    return small;
  }

  @Benchmark
  public ByteBuffer blockRaw(Raw raw) throws IOException {
    raw.sender.read(nextBlock(), block.clear());
    return block;
  }

  @Benchmark
  public ByteBuffer smallOurs(Ours ours) throws IOException {
    ours.deployment.file().readFully(somewhere(), small.clear());
    return small;
  }

  @Benchmark
  public ByteBuffer smallRaw(Raw raw) throws IOException {
    raw.sender.read(somewhere(), small.clear());
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
