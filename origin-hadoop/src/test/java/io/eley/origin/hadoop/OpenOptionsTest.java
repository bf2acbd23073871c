package io.eley.origin.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.origin.OriginFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Hadoop's clients are told of each file that is opened. */
class OpenOptionsTest {
  @TempDir private Path temp;

  /** Local files, as those of a host. */
  public static final class RecordingFiles extends RawLocalFileSystem {
    private static final String SCHEME = "recording";
    private static final List<Configuration> OPENED = new CopyOnWriteArrayList<>();

    @Override
    public URI getUri() {
      return URI.create(SCHEME + "://host/");
    }

    /** Without owner and permissions, which Hadoop looks up for paths of file: alone. */
    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
      FileStatus found = super.getFileStatus(path);
      return new FileStatus(
          found.getLen(),
          found.isDirectory(),
          1,
          found.getBlockSize(),
          found.getModificationTime(),
          found.getPath());
    }

    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(
        org.apache.hadoop.fs.Path path, OpenFileParameters parameters) throws IOException {
      OPENED.add(parameters.getOptions());
      return super.openFileWithOptions(path, parameters);
    }
  }

  /** Azure's client else reads 4 MiB for each page: past its permit, and not in the ledger. */
  @Test
  void aReadIsOfTheBytesThatWereAskedForAlone() throws Exception {
    Files.writeString(temp.resolve("f"), "0123456789");
    Configuration user = ClientSettings.load(OpenOptionsTest.class.getClassLoader());
    user.setClass(
        "fs." + RecordingFiles.SCHEME + ".impl",
        RecordingFiles.class,
        org.apache.hadoop.fs.FileSystem.class);
    var address = URI.create(RecordingFiles.SCHEME + "://host" + temp);
    try (HadoopOrigin origin = HadoopOrigin.open(address, user);
        OriginFile file = origin.open("/f")) {
      assertThat(Bytes.read(file, 3, 4)).containsExactly('3', '4', '5', '6');
    }
    assertThat(RecordingFiles.OPENED)
        .singleElement()
        .satisfies(
            options -> {
              assertThat(options.get("fs.azure.buffered.pread.disable")).isEqualTo("true");
              assertThat(options.get("fs.option.openfile.read.policy")).isEqualTo("random");
              assertThat(options.get("fs.option.openfile.length")).isEqualTo("10");
            });
  }
}
