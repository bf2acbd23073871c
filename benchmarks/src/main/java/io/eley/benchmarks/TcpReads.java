package io.eley.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
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
  private final ByteBuffer block = ByteBuffer.allocateDirect(OneNode.BLOCK);
  private final ByteBuffer small = ByteBuffer.allocateDirect(Positions.SMALL);
  private final Positions positions = new Positions();

  /** Eley's side. */
  @State(Scope.Benchmark)
  public static class Ours extends Deployed {
    public Ours() {
      super(Started.start(() -> new OneNode(false)));
    }
  }

  /** Eley's side, with every page checked. */
  @State(Scope.Benchmark)
  public static class Verified extends Deployed {
    public Verified() {
      super(Started.start(() -> new OneNode(false, Map.of("eley.client.verify", "true"))));
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
      sender.read(0, ByteBuffer.allocateDirect(Positions.SMALL));
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      sender.close();
      ram.close();
    }
  }

  @Benchmark
  public ByteBuffer blockOurs(Ours ours) throws IOException {
    ours.deployment().file().readFully(positions.nextBlock(), block.clear());
    return block;
  }

  @Benchmark
  public ByteBuffer blockVerified(Verified verified) throws IOException {
    verified.deployment().file().readFully(positions.nextBlock(), block.clear());
    return block;
  }

  @Benchmark
  public ByteBuffer smallVerified(Verified verified) throws IOException {
    verified.deployment().file().readFully(positions.somewhere(), small.clear());
    return small;
  }

  @Benchmark
  public ByteBuffer blockRaw(Raw raw) throws IOException {
    raw.sender.read(positions.nextBlock(), block.clear());
    return block;
  }

  @Benchmark
  public ByteBuffer smallOurs(Ours ours) throws IOException {
    ours.deployment().file().readFully(positions.somewhere(), small.clear());
    return small;
  }

  @Benchmark
  public ByteBuffer smallRaw(Raw raw) throws IOException {
    raw.sender.read(positions.somewhere(), small.clear());
    return small;
  }
}
