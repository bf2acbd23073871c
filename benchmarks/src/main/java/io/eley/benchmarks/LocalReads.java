package io.eley.benchmarks;

import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.origin.OriginStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Reads of a node on the same host, and attributes from the coordinator's cache, against the system
 * calls on the same RAM-disk file.
 */
@State(Scope.Benchmark)
public class LocalReads {
  private static final int LARGE = 1 << 20;
  private static final int SMALL = 64 << 10;

  private final ByteBuffer large = ByteBuffer.allocateDirect(LARGE);
  private final ByteBuffer small = ByteBuffer.allocateDirect(SMALL);
  private final Random random = new Random(11);
  private long next;

  /** Eley's side. */
  @State(Scope.Benchmark)
  public static class Ours {
    private final OneNode deployment = Started.start(() -> new OneNode(true));

    OriginStatus stat() throws IOException {
      return deployment.client().stat(OneNode.PATH);
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      deployment.requireServedFrom(Source.LOCAL_RAM);
      deployment.close();
    }
  }

  /** Eley's side, with every page checked. */
  @State(Scope.Benchmark)
  public static class Verified {
    private final OneNode deployment =
        Started.start(() -> new OneNode(true, Map.of("eley.client.verify", "true")));

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      deployment.requireServedFrom(Source.LOCAL_RAM);
      deployment.close();
    }
  }

  /** The limit's side. */
  @State(Scope.Benchmark)
  public static class Raw {
    private final Ram ram = Started.start(Ram::new);
    private final Path path = Started.start(() -> ram.file("origin/file", OneNode.LENGTH));
    private final FileChannel file = Started.start(() -> FileChannel.open(path));

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      file.close();
      ram.close();
    }
  }

  @Benchmark
  public ByteBuffer sequentialOurs(Ours ours) throws IOException {
    ours.deployment.file().readFully(nextLarge(), large.clear());
    return large;
  }

  @Benchmark
  public ByteBuffer sequentialVerified(Verified verified) throws IOException {
    verified.deployment.file().readFully(nextLarge(), large.clear());
    return large;
  }

  @Benchmark
  public ByteBuffer smallVerified(Verified verified) throws IOException {
    verified.deployment.file().readFully(somewhere(), small.clear());
    return small;
  }

  @Benchmark
  public int sequentialRaw(Raw raw) throws IOException {
    return raw.file.read(large.clear(), nextLarge());
  }

  @Benchmark
  public ByteBuffer smallOurs(Ours ours) throws IOException {
    ours.deployment.file().readFully(somewhere(), small.clear());
    return small;
  }

  @Benchmark
  public int smallRaw(Raw raw) throws IOException {
    return raw.file.read(small.clear(), somewhere());
  }

  @Benchmark
  public OriginStatus statOurs(Ours ours) throws IOException {
    return ours.stat();
  }

  @Benchmark
  public BasicFileAttributes statRaw(Raw raw) throws IOException {
    return Files.readAttributes(raw.path, BasicFileAttributes.class);
  }

  private long nextLarge() {
    next = (next + LARGE) % OneNode.LENGTH;
    return next;
  }

  private long somewhere() {
    return (long) random.nextInt((int) (OneNode.LENGTH / SMALL)) * SMALL;
  }
}
