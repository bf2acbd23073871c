package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.client.EngineFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks in Alluxio, by a client that looks like Alluxio's and reads a directory. */
class AlluxioFilesTest {
  private static final BlockId BLOCK = new BlockId(new FileVersion("/f", 10, 1), 1);

  @TempDir private Path temp;

  private String place(long blockId) throws IOException {
    Path file = temp.resolve("f #1");
    Files.writeString(file, "0123456789");
    return "alluxio://host:1" + file + "#" + blockId + ",4";
  }

  private static AlluxioFiles files(String client) {
    return new AlluxioFiles(conf(client));
  }

  private static Configuration conf(String client) {
    var conf = new Configuration(false);
    conf.set("fs.alluxio.impl", client);
    conf.set("eley.client.silence", "1s");
    return conf;
  }

  @Test
  void readsFromTheBlocksBeginningIntoAnyBuffer() throws Exception {
    try (var files = files(LooksLikeAlluxio.class.getName());
        EngineFiles.Opened block = files.open(place(7), BLOCK)) {
      for (var target : List.of(ByteBuffer.allocate(3), ByteBuffer.allocateDirect(3))) {
        assertThat(block.read(target, 2)).isEqualTo(3);
        assertThat(StandardCharsets.US_ASCII.decode(target.flip()).toString()).isEqualTo("678");
      }
      assertThat(block.read(ByteBuffer.allocate(3), 6)).isEqualTo(-1);
    }
  }

  @Test
  void whatAnotherVersionHasOrNoWorkerIsNotOpened() throws Exception {
    try (var files = files(LooksLikeAlluxio.class.getName())) {
      assertThatThrownBy(() -> files.open(place(8), BLOCK))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another version");
      assertThatThrownBy(() -> files.open(place(9), BLOCK))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no worker");
    }
  }

  @Test
  void withoutAlluxiosClientNothingIsOpened() throws Exception {
    try (var files = files("no.such.Client")) {
      assertThatThrownBy(() -> files.open(place(7), BLOCK))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no client of Alluxio");
    }
  }

  @Test
  void aWorkerThatHangsCostsAMomentAndAlluxioIsLeftAlone() throws Exception {
    try (var files = files(HangsAfterOneByte.class.getName())) {
      EngineFiles.Opened block = files.open(place(7), BLOCK);
      assertThat(block.read(ByteBuffer.allocate(1), 0)).isOne();
      assertThatThrownBy(() -> block.read(ByteBuffer.allocate(1), 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("3000 ms");
      assertThatThrownBy(() -> block.read(ByteBuffer.allocate(1), 1))
          .hasMessageContaining("has not answered a read of this block");
      assertThatThrownBy(() -> files.open(place(7), BLOCK))
          .hasMessageContaining("is asked again soon");
      block.close();
      assertThat(HangsAfterOneByte.closed.getCount()).isOne();
    } finally {
      HangsAfterOneByte.answers.countDown();
    }
    assertThat(HangsAfterOneByte.closed.await(45, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aClientThatNeverBeginsCostsAMoment() throws Exception {
    var patience = Duration.ofMillis(300);
    try (var files = new AlluxioFiles(conf(NeverBegins.class.getName()), patience)) {
      String place = place(7);
      var failure =
          CompletableFuture.supplyAsync(() -> catchThrowable(() -> files.open(place, BLOCK)));
      assertThat(failure)
          .succeedsWithin(Duration.ofSeconds(45))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ORIGIN_HUNG));
      assertThat(NeverBegins.answers.getCount()).isOne();
    } finally {
      NeverBegins.answers.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/f",
        "file:///f#1,2",
        "alluxio://h:1/f",
        "alluxio://h:1/f#1",
        "alluxio://h:1/f#,"
      })
  void whatIsNoPlaceIsNotOpened(String place) throws Exception {
    try (var files = files(LooksLikeAlluxio.class.getName())) {
      assertThatThrownBy(() -> files.open(place, BLOCK)).hasMessageContaining("not a place");
    }
  }

  /** Of its one file block 7 is on a worker, and block 9 on none. */
  public static class LooksLikeAlluxio extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("alluxio://host:1");
    }

    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) {
      return new Status();
    }
  }

  /** Waits for a master that does not answer as soon as it is made. */
  public static final class NeverBegins extends LooksLikeAlluxio {
    private static final CountDownLatch answers = new CountDownLatch(1);

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
      try {
        answers.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      super.initialize(name, conf);
    }
  }

  /** Gives one byte, then the worker hangs; a stream that is read is closed afterwards. */
  public static final class HangsAfterOneByte extends LooksLikeAlluxio {
    private static final CountDownLatch answers = new CountDownLatch(1);
    private static final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public FSDataInputStream open(org.apache.hadoop.fs.Path path, int bufferSize) {
      return new FSDataInputStream(new Stream());
    }

    /** Whose close waits for a read that is under way. */
    private static final class Stream extends FSInputStream {
      private long at;

      @Override
      public synchronized int read() throws IOException {
        if (at++ > 4) {
          try {
            answers.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        }
        return 1;
      }

      @Override
      public synchronized int read(byte[] target, int offset, int count) throws IOException {
        target[offset] = (byte) read();
        return 1;
      }

      @Override
      public void seek(long position) {
        at = position;
      }

      @Override
      public long getPos() {
        return at;
      }

      @Override
      public boolean seekToNewSource(long target) {
        return false;
      }

      @Override
      public synchronized void close() {
        closed.countDown();
      }
    }
  }

  /** A file's status with Alluxio's own. */
  public static final class Status extends FileStatus {
    private static final long serialVersionUID = 1;

    public UriStatus getUriStatus() {
      return new UriStatus();
    }
  }

  /** Alluxio's own status. */
  public static final class UriStatus {
    public @Nullable BlockInfo getBlockInfo(long id) {
      return id == 8 ? null : new BlockInfo(id == 7 ? List.of("worker") : List.of());
    }
  }

  /** A block's. */
  public static final class BlockInfo {
    private final List<String> locations;

    BlockInfo(List<String> locations) {
      this.locations = locations;
    }

    public List<String> getLocations() {
      return locations;
    }
  }
}
