package io.eley.benchmarks;

import io.eley.bb.api.origin.MountedOrigin;
import io.eley.bb.api.origin.OriginStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The status of a file of a mounted origin, as the coordinator asks for it, against stat(2). */
@State(Scope.Benchmark)
public class StatusReads {
  private final Ram ram = Started.start(Ram::new);
  private final Path file = Started.start(() -> ram.file("origin/file", 1));
  private final MountedOrigin origin =
      Started.start(() -> MountedOrigin.open(ram.resolve("origin")));

  @Benchmark
  public OriginStatus mountedOurs() throws IOException {
    return origin.stat("/file");
  }

  @Benchmark
  public BasicFileAttributes mountedRaw() throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class);
  }

  @TearDown(Level.Trial)
  public void stop() throws IOException {
    origin.close();
    ram.close();
  }
}
