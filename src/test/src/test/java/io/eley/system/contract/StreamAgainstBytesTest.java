package io.eley.system.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.spark.connector.fs.BbFileSystem;
import io.eley.system.Deployments;
import java.io.EOFException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A stream is the bytes of its file, whatever is done to it: random sequences of everything that a
 * Hadoop stream can do, held against a byte array. Sizes lie around the edges of blocks and chunks.
 */
@Timeout(180)
class StreamAgainstBytesTest {
  private static final int SEQUENCES = 120;
  private static final int STEPS = 40;
  private static final int BLOCK = Deployments.GEOMETRY.blockSize();
  private static final int[] SIZES = {
    0, 1, Deployments.GEOMETRY.chunkSize(), BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7
  };

  @TempDir private Path temp;

  /** What was read by all ways together, to be held against Hadoop's statistics. */
  private long returned;

  /** Same-host readers, readers over connections, readers that check each chunk. */
  @ParameterizedTest
  @CsvSource({"true, false", "false, false", "false, true"})
  void aStreamIsItsBytesWhateverIsDoneToIt(String local, String verify) throws Exception {
    long base = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the sequences (-Deley.test.seed=...): " + base);
    Path origin = Files.createDirectory(temp.resolve("origin"));
    try (var deployment = new Deployments(temp, origin, BufferMode.NO_ACTION)) {
      deployment.startNode("a", "4m");
      deployment.startNode("b", "4m");
      try (var fs = fileSystem(deployment, local, verify)) {
        for (int i = 0; i < SEQUENCES; i++) {
          sequence(fs, origin, base + i, SIZES[Math.floorMod(base + i, SIZES.length)]);
        }
      }
    }
  }

  @Test
  void aSeekBackAfterALargeReadDoesNotFindWhatWasBufferedBefore() throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    byte[] content = new byte[4 * BLOCK];
    new Random(1).nextBytes(content);
    Files.write(origin.resolve("f"), content);
    try (var deployment = new Deployments(temp, origin, BufferMode.NO_ACTION)) {
      deployment.startNode("a", "8m");
      try (var fs = fileSystem(deployment, "false", "false");
          var in = fs.open(new org.apache.hadoop.fs.Path("/f"))) {
        in.readFully(new byte[64 << 10]); // the first fill, consumed whole
        in.readFully(new byte[2 * BLOCK - (64 << 10)]); // past the buffer, to a block's end
        long back = in.getPos() - 1000;
        in.seek(back);
        byte[] some = new byte[1000];
        in.readFully(some);
        assertThat(some).isEqualTo(Arrays.copyOfRange(content, (int) back, (int) back + 1000));
      }
    }
  }

  @Test
  void aScanHasTheNextPieceOnItsWayWhileOneIsRead() throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    byte[] content = new byte[6 << 20];
    new Random(2).nextBytes(content);
    Files.write(origin.resolve("f"), content);
    try (var deployment = new Deployments(temp, origin, BufferMode.NO_ACTION)) {
      var node = deployment.startNode("a", "16m");
      try (var fs = fileSystem(deployment, "false", "true");
          var in = fs.open(new org.apache.hadoop.fs.Path("/f"))) {
        byte[] read = new byte[6 << 20];
        in.readFully(0, read); // so that all is in the buffer
        long before = node.counters().servedBytes();
        for (int mib = 0; mib < 2; mib++) {
          in.readFully(read, mib << 20, 1 << 20);
        }
        await().until(() -> node.counters().servedBytes() - before >= 3 << 20);
        in.readFully(read, 2 << 20, 1 << 20);
        assertThat(Arrays.copyOf(read, 3 << 20)).isEqualTo(Arrays.copyOf(content, 3 << 20));
      }
    }
  }

  /** Mostly on and on, as who has the next piece on its way; with jumps and pauses in between. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aScanWithJumpsIsItsBytes(String verify) throws Exception {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the scan (-Deley.test.seed=...): " + seed);
    var random = new Random(seed);
    Path origin = Files.createDirectory(temp.resolve("origin"));
    byte[] content = new byte[(9 << 20) + 77];
    random.nextBytes(content);
    Files.write(origin.resolve("f"), content);
    try (var deployment = new Deployments(temp, origin, BufferMode.NO_ACTION)) {
      deployment.startNode("a", "16m");
      deployment.startNode("b", "16m");
      try (var fs = fileSystem(deployment, "false", verify)) {
        for (int round = 0; round < 10; round++) {
          scan(fs, content, random);
        }
      }
    }
  }

  private static void scan(FileSystem fs, byte[] content, Random random) throws Exception {
    var target = new byte[2 << 20];
    // Large enough that a scan comes further than it jumps back.
    int piece = 20_000 + random.nextInt(random.nextBoolean() ? 100_000 : 3 << 19);
    try (var in = fs.open(new org.apache.hadoop.fs.Path("/f"))) {
      for (int position = 0; position < content.length; ) {
        switch (random.nextInt(60)) {
          case 0 -> in.unbuffer();
          case 1 -> {
            position = Math.max(0, position - random.nextInt(300_000));
            in.seek(position);
          }
          default -> {}
        }
        int count = in.read(target, 0, piece);
        assertThat(Arrays.equals(target, 0, count, content, position, position + count))
            .as("%s bytes at %s", count, position)
            .isTrue();
        position += count;
        assertThat(in.getPos()).isEqualTo(position);
      }
      assertThat(in.read(target, 0, piece)).isEqualTo(-1);
    }
  }

  private static FileSystem fileSystem(Deployments deployment, String local, String verify)
      throws Exception {
    var conf = new Configuration(false);
    conf.set("eley.deployment", deployment.deploymentDirectory().toString());
    conf.set("eley.client.local", local);
    conf.set("eley.client.verify", verify);
    // On a busy machine a node that is slow to answer is no node that is away: it is counted.
    conf.set("eley.client.connect-timeout", "20s");
    conf.set("eley.client.silence", "10s");
    var fs = new BbFileSystem();
    fs.initialize(URI.create("bb:///"), conf);
    return fs;
  }

  private void sequence(FileSystem fs, Path origin, long seed, int size) throws Exception {
    var random = new Random(seed);
    byte[] content = new byte[size];
    random.nextBytes(content);
    String name = "f" + size;
    Path file = origin.resolve(name);
    if (Files.exists(file)) {
      content = Files.readAllBytes(file);
    } else {
      Files.write(file, content);
    }
    long before = bytesRead();
    returned = 0;
    try (var in = fs.open(new org.apache.hadoop.fs.Path("/" + name))) {
      long position = 0;
      for (int i = 0; i < STEPS; i++) {
        position = step(in, content, position, random);
        assertThat(in.getPos()).isEqualTo(position);
        assertThat(in.available()).isEqualTo((int) (content.length - position));
      }
    } catch (AssertionError | Exception e) {
      throw new AssertionError("replay with -Deley.test.seed=" + seed + ", size " + size, e);
    }
    assertThat(bytesRead() - before).as("statistics, seed %s", seed).isEqualTo(returned);
  }

  @SuppressWarnings("deprecation") // the one way to a scheme's sum, and the one that Spark takes
  private static long bytesRead() {
    return FileSystem.getStatistics("bb", BbFileSystem.class).getBytesRead();
  }

  /** Does one thing and says where the stream is then. */
  private long step(FSDataInputStream in, byte[] content, long position, Random random)
      throws Exception {
    int at = random.nextInt(content.length + 1);
    int count = length(random);
    switch (random.nextInt(9)) {
      case 0 -> {
        in.seek(at);
        return at;
      }
      case 1 -> {
        return one(in, content, position);
      }
      case 2 -> {
        byte[] some = new byte[count];
        return position + came(in.read(some, 0, count), some, content, position, count);
      }
      case 3 -> {
        var buffer =
            random.nextBoolean() ? ByteBuffer.allocate(count) : ByteBuffer.allocateDirect(count);
        int read = in.read(buffer);
        return position + came(read, bytes(buffer), content, position, count);
      }
      case 4 -> {
        byte[] there = new byte[count];
        came(in.read(at, there, 0, count), there, content, at, count);
        return position;
      }
      case 5 -> {
        fully(in, content, at, count);
        return position;
      }
      case 6 -> {
        vectored(in, content, random);
        return position;
      }
      case 7 -> {
        in.unbuffer();
        return position;
      }
      default -> {
        beyond(in, content, random);
        return position;
      }
    }
  }

  private static int length(Random random) {
    return random.nextInt(4) == 0 ? random.nextInt(2 * BLOCK) : random.nextInt(5000);
  }

  private long one(FSDataInputStream in, byte[] content, long position) throws Exception {
    int value = in.read();
    if (position == content.length) {
      assertThat(value).isEqualTo(-1);
      return position;
    }
    assertThat(value).isEqualTo(Byte.toUnsignedInt(content[(int) position]));
    returned++;
    return position + 1;
  }

  /** At least one byte unless none was asked for or none is left, and the right ones. */
  private int came(int read, byte[] bytes, byte[] content, long at, int wanted) {
    int left = (int) (content.length - at);
    if (wanted == 0) {
      assertThat(read).isBetween(-1, 0);
      return 0;
    }
    if (left == 0) {
      assertThat(read).isEqualTo(-1);
      return 0;
    }
    assertThat(read).isBetween(1, Math.min(wanted, left));
    int wrong = Arrays.mismatch(bytes, 0, read, content, (int) at, (int) at + read);
    assertThat(wrong).as("first wrong byte of %s at %s", read, at).isEqualTo(-1);
    returned += read;
    return read;
  }

  private void fully(FSDataInputStream in, byte[] content, int at, int count) throws Exception {
    byte[] all = new byte[count];
    if (at + count <= content.length) {
      in.readFully(at, all, 0, count);
      assertThat(Arrays.equals(all, 0, count, content, at, at + count)).isTrue();
      returned += count;
    } else {
      assertThatThrownBy(() -> in.readFully(at, all, 0, count)).isInstanceOf(EOFException.class);
      returned += content.length - at; // what there was has been read before the end was seen
    }
  }

  private void vectored(FSDataInputStream in, byte[] content, Random random) throws Exception {
    List<FileRange> ranges = new ArrayList<>();
    int at = 0;
    while (ranges.size() < 4 && at + 2 < content.length) {
      int offset = at + random.nextInt(Math.max(1, (content.length - at) / 2));
      int length = 1 + random.nextInt(Math.min(2 * BLOCK, content.length - offset));
      ranges.add(FileRange.createFileRange(offset, length));
      at = offset + length;
    }
    in.readVectored(ranges, ByteBuffer::allocate);
    for (FileRange range : ranges) {
      byte[] bytes =
          bytes(range.getData().get(20, TimeUnit.SECONDS).duplicate(), range.getLength());
      int from = (int) range.getOffset();
      assertThat(Arrays.equals(bytes, 0, bytes.length, content, from, from + bytes.length))
          .isTrue();
      returned += range.getLength();
    }
  }

  private static void beyond(FSDataInputStream in, byte[] content, Random random) throws Exception {
    long past = content.length + 1L + random.nextInt(100);
    assertThatThrownBy(() -> in.seek(past)).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> in.seek(-1)).isInstanceOf(EOFException.class);
    assertThat(in.read(past, new byte[3], 0, 3)).isEqualTo(-1);
  }

  private static byte[] bytes(ByteBuffer filled) {
    return bytes(filled.duplicate().flip(), filled.position());
  }

  private static byte[] bytes(ByteBuffer readable, int count) {
    byte[] bytes = new byte[count];
    readable.get(bytes);
    return bytes;
  }
}
