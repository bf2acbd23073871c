package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.HangingOrigin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reading past the buffer: one version, whatever becomes of the file. */
@Timeout(60)
class OriginReaderTest {
  private static final int MIB = 1 << 20;
  private final byte[] content = new byte[2 * MIB + 77];
  private Path directory;
  private Path path;
  private EleyClient client;
  private FileVersion version;

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    new Random(3).nextBytes(content);
    directory = temp;
    path = Files.write(temp.resolve("f"), content);
    client =
        EleyClient.open(
            ClientOptions.from(Settings.of(Map.of("eley.client.origin", temp.toString()))));
    version = client.stat("/f").version();
  }

  @AfterEach
  void stop() {
    client.close();
  }

  @Test
  void aReadIsAtMostOneMebibyteAndEndsWithTheFile() throws Exception {
    try (var reader = new OriginReader(client, version)) {
      var target = ByteBuffer.allocate(3 * MIB).position(5);
      assertThat(reader.read(9, target, ReadCause.DIRECT)).isEqualTo(MIB);
      assertThat(target.position()).isEqualTo(5 + MIB);
      assertThat(Arrays.copyOfRange(target.array(), 5, 5 + MIB))
          .isEqualTo(Arrays.copyOfRange(content, 9, 9 + MIB));
      assertThat(reader.read(2L * MIB, target, ReadCause.DIRECT)).isEqualTo(77);
      assertThat(reader.read(50, ByteBuffer.allocate(7), ReadCause.DIRECT)).isEqualTo(7);
    }
  }

  /** A range of a vectored read may be under way then. */
  @Test
  void whatIsClosedOpensNothingAnyMore() throws Exception {
    var reader = new OriginReader(client, version);
    assertThat(reader.read(0, ByteBuffer.allocate(1), ReadCause.DIRECT)).isEqualTo(1);
    reader.close();
    failsWith(ErrorCode.UNAVAILABLE, () -> reader.read(0, ByteBuffer.allocate(1), ReadCause.DIRECT))
        .hasMessageContaining("closed");
  }

  @Test
  void aFileThatWasChangedBeforeItIsOpenedIsStale() throws Exception {
    Files.setLastModifiedTime(path, FileTime.fromMillis(version.modifiedMillis() + 5000));
    try (var reader = new OriginReader(client, version)) {
      for (int i = 0; i < 2; i++) {
        failsWith(
                ErrorCode.STALE_VERSION,
                () -> reader.read(0, ByteBuffer.allocate(1), ReadCause.DIRECT))
            .hasMessageContaining(version.toString());
      }
    }
  }

  @Test
  void aFileThatIsCutWhileItIsReadIsStaleWhereItEnds() throws Exception {
    try (var reader = new OriginReader(client, version)) {
      var target = ByteBuffer.allocate(MIB);
      assertThat(reader.read(0, target, ReadCause.DIRECT)).isEqualTo(MIB);
      try (var file = Files.newByteChannel(path, StandardOpenOption.WRITE)) {
        file.truncate(100);
      }
      failsWith(
              ErrorCode.STALE_VERSION,
              () -> reader.read(100, ByteBuffer.allocate(1), ReadCause.DIRECT))
          .hasMessageContaining("it ends at byte 100");
    }
  }

  /** Nobody knows that its old bytes have stayed; who reads it is told how it can be read. */
  @Test
  void aFileThatIsAppendedToWhileItIsReadIsStaleAndSaidToHaveGrown() throws Exception {
    try (var reader = new OriginReader(client, version)) {
      assertThat(reader.read(0, ByteBuffer.allocate(9), ReadCause.DIRECT)).isEqualTo(9);
      Files.write(path, new byte[100], StandardOpenOption.APPEND);
      var target = ByteBuffer.allocate(9);
      failsWith(ErrorCode.STALE_VERSION, () -> reader.read(9, target, ReadCause.DIRECT))
          .hasMessageContaining(version.toString())
          .hasMessageContaining("it has grown: of a file that is still written to, read a copy");
      assertThat(target.position()).isZero();
    }
  }

  @Test
  void theFileIsOpenedOnceSoThatAReplacementIsNotSeen() throws Exception {
    try (var reader = new OriginReader(client, version)) {
      reader.read(0, ByteBuffer.allocate(1), ReadCause.DIRECT);
      Path other = Files.write(path.resolveSibling("g"), new byte[content.length]);
      Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
      var target = ByteBuffer.allocate(100);
      assertThat(reader.read(1000, target, ReadCause.DIRECT)).isEqualTo(100);
      assertThat(target.array()).isEqualTo(Arrays.copyOfRange(content, 1000, 1100));
    }
    try (var reader = new OriginReader(client, version)) {
      failsWith(
          ErrorCode.STALE_VERSION, () -> reader.read(0, ByteBuffer.allocate(1), ReadCause.DIRECT));
    }
  }

  @Test
  void aFileThatIsOverwrittenBetweenTwoPiecesIsStaleThoughItsTimeIsSetBack() throws Exception {
    try (var reader = new OriginReader(client, version)) {
      reader.read(0, ByteBuffer.allocate(MIB), ReadCause.FALLBACK);
      FileTime before = Files.getLastModifiedTime(path);
      Files.write(path, new byte[content.length]);
      Files.setLastModifiedTime(path, before);
      var target = ByteBuffer.allocate(100);
      failsWith(ErrorCode.STALE_VERSION, () -> reader.read(1000, target, ReadCause.FALLBACK));
      assertThat(target.position()).as("no byte of the new content").isZero();
    }
  }

  @Test
  void aCopyWithTheSameTimeUnderTheSameNameIsAnotherVersion() throws Exception {
    Path copy = Files.write(path.resolveSibling("copy"), new byte[content.length]);
    Files.setLastModifiedTime(copy, Files.getLastModifiedTime(path));
    Files.move(copy, path, StandardCopyOption.REPLACE_EXISTING);
    FileVersion replaced = client.stat("/f").version();
    assertThat(replaced.length()).isEqualTo(version.length());
    assertThat(replaced.modifiedMillis()).isEqualTo(version.modifiedMillis());
    assertThat(replaced).isNotEqualTo(version);
    assertThat(version.olderThan(replaced)).isTrue();
    try (var reader = new OriginReader(client, version)) {
      failsWith(
          ErrorCode.STALE_VERSION, () -> reader.read(0, ByteBuffer.allocate(1), ReadCause.DIRECT));
    }
  }

  @Test
  void aFileThatIsOverwrittenAndThenReplacedIsStale() throws Exception {
    try (var reader = new OriginReader(client, version)) {
      reader.read(0, ByteBuffer.allocate(1), ReadCause.FALLBACK);
      try (var out = new java.io.RandomAccessFile(path.toFile(), "rw")) {
        out.seek(1000);
        out.write(new byte[200]);
      }
      Files.setLastModifiedTime(path, FileTime.fromMillis(version.modifiedMillis() + 1000));
      Path other = Files.write(path.resolveSibling("g"), new byte[content.length]);
      Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
      failsWith(
          ErrorCode.STALE_VERSION,
          () -> reader.read(1000, ByteBuffer.allocate(100), ReadCause.FALLBACK));
    }
  }

  @Test
  void theFileIsClosedWithTheReaderAndWhenItIsOfAnotherVersion() throws Exception {
    try (var reader = new OriginReader(client, version)) {
      reader.read(0, ByteBuffer.allocate(1), ReadCause.DIRECT);
      assertThat(timesOpen()).isEqualTo(1);
    }
    assertThat(timesOpen()).isZero();
    Files.setLastModifiedTime(path, FileTime.fromMillis(version.modifiedMillis() + 5000));
    try (var reader = new OriginReader(client, version)) {
      failsWith(
          ErrorCode.STALE_VERSION, () -> reader.read(0, ByteBuffer.allocate(1), ReadCause.DIRECT));
      assertThat(timesOpen()).isZero();
    }
  }

  @Test
  void aStreamPutsThePiecesBehindEachOtherAndClosesTheFileWithItself() throws Exception {
    var target = ByteBuffer.allocate(content.length);
    try (var file = client.openFile("/f")) {
      file.readFully(0, target);
      assertThat(timesOpen()).isEqualTo(1);
    }
    assertThat(target.array()).isEqualTo(content);
    assertThat(timesOpen()).isZero();
  }

  private long timesOpen() throws IOException {
    long open = 0;
    try (var descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : descriptors) {
        try {
          open += Files.readSymbolicLink(each).equals(path) ? 1 : 0;
        } catch (IOException e) {
          // It was closed meanwhile, and so is none of ours.
        }
      }
    }
    return open;
  }

  @Test
  void aFileThatIsGoneIsNotFound() throws Exception {
    Files.delete(path);
    try (var reader = new OriginReader(client, version)) {
      failsWith(
          ErrorCode.NOT_FOUND, () -> reader.read(0, ByteBuffer.allocate(1), ReadCause.DIRECT));
    }
  }

  @Test
  void aReadThatHangsDoesNotHangTheClosingAndItsFileIsClosedBehindIt() throws Exception {
    var mount = new HangingOrigin(directory);
    try (var impatient = client(mount)) {
      var file = impatient.openFile("/f");
      file.readFully(0, ByteBuffer.allocate(1));
      mount.freeze();
      failsWith(ErrorCode.ORIGIN_HUNG, () -> file.readFully(0, ByteBuffer.allocate(1)));
      assertThat(closing(file)).succeedsWithin(Duration.ofSeconds(20));
      assertThat(mount.closed).hasValue(0);
      mount.thaw();
      await().until(() -> mount.closed.get() == 1);
      assertThat(mount.opened).hasValue(1);
    }
  }

  @Test
  void aFileThatIsOpenedTooLateIsClosed() throws Exception {
    var mount = new HangingOrigin(directory);
    try (var impatient = client(mount)) {
      var file = impatient.openFile("/f");
      mount.freeze();
      failsWith(ErrorCode.ORIGIN_HUNG, () -> file.readFully(0, ByteBuffer.allocate(1)));
      assertThat(closing(file)).succeedsWithin(Duration.ofSeconds(20));
      mount.thaw();
      await().until(() -> mount.closed.get() == 1);
      assertThat(mount.opened).hasValue(1);
    }
  }

  private static EleyClient client(HangingOrigin mount) throws Exception {
    return EleyClient.open(
        ClientOptions.from(
            Settings.of(
                Map.of(
                    ClientKeys.ORIGIN.name(),
                    mount.address(),
                    ClientKeys.ORIGIN_DEADLINE.name(),
                    "2s"))));
  }

  private static CompletableFuture<Void> closing(BbFile file) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            file.close();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
