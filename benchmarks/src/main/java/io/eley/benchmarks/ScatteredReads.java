package io.eley.benchmarks;

import io.eley.bb.api.client.ClientCounters.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Small reads anywhere in a file of many blocks of 1 MiB, from a node on the same host, against the
 * same reads of the origin's file on the same RAM-disk.
 */
@State(Scope.Benchmark)
public class ScatteredReads {
  private static final OneNode.Size FEW = new OneNode.Size(1 << 20, 48);
  private static final OneNode.Size MANY = new OneNode.Size(1 << 20, 1000);

  private final ByteBuffer small = ByteBuffer.allocateDirect(Positions.SMALL);
  private final Random random = new Random(11);

  /** Eley's side. */
  @State(Scope.Benchmark)
  public abstract static class Ours {
    private final OneNode.Size size;
    private final OneNode deployment;

    Ours(OneNode.Size size, boolean verify) {
      this.size = size;
      var more = Map.of("eley.client.verify", Boolean.toString(verify));
      deployment = Started.start(() -> new OneNode(size, true, more));
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      deployment.requireServedFrom(Source.LOCAL_RAM);
      deployment.close();
    }
  }

  /** Over 48 blocks. */
  public static class FewOurs extends Ours {
    public FewOurs() {
      super(FEW, false);
    }
  }

  /** Over 1,000 blocks. */
  public static class ManyOurs extends Ours {
    public ManyOurs() {
      super(MANY, false);
    }
  }

  /** Over 1,000 blocks, with every page checked once a lease. */
  public static class ManyVerified extends Ours {
    public ManyVerified() {
      super(MANY, true);
    }
  }

  /** The limit's side. */
  @State(Scope.Benchmark)
  public abstract static class Raw {
    private final OneNode.Size size;
    private final Ram ram = Started.start(Ram::new);
    private final FileChannel file;

    Raw(OneNode.Size size) {
      this.size = size;
      file = Started.start(() -> FileChannel.open(ram.file("origin/file", size.length())));
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      file.close();
      ram.close();
    }
  }

  /** Over 48 blocks. */
  public static class FewRaw extends Raw {
    public FewRaw() {
      super(FEW);
    }
  }

  /** Over 1,000 blocks. */
  public static class ManyRaw extends Raw {
    public ManyRaw() {
      super(MANY);
    }
  }

  @Benchmark
  public ByteBuffer fewOurs(FewOurs ours) throws IOException {
    return read(ours);
  }

  @Benchmark
  public int fewRaw(FewRaw raw) throws IOException {
    return read(raw);
  }

  @Benchmark
  public ByteBuffer manyOurs(ManyOurs ours) throws IOException {
    return read(ours);
  }

  @Benchmark
  public ByteBuffer manyVerified(ManyVerified verified) throws IOException {
    return read(verified);
  }

  @Benchmark
  public int manyRaw(ManyRaw raw) throws IOException {
    return read(raw);
  }

  private ByteBuffer read(Ours ours) throws IOException {
    ours.deployment.file().readFully(somewhere(ours.size), small.clear());
    return small;
  }

  private int read(Raw raw) throws IOException {
    return raw.file.read(small.clear(), somewhere(raw.size));
  }

  private long somewhere(OneNode.Size size) {
    return (long) random.nextInt((int) (size.length() / Positions.SMALL)) * Positions.SMALL;
  }
}
