package io.eley.origin.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.DurableOutput;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.api.process.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an origin promises, of a directory of HDFS. */
@Timeout(120)
class HdfsOriginTest {
  @TempDir private static Path temp;
  private static MiniHdfs hdfs;
  private static FileSystem files;
  private Origin origin;

  @BeforeAll
  static void start() throws Exception {
    hdfs = new MiniHdfs(temp);
    files = hdfs.files();
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @BeforeEach
  void open() throws Exception {
    files.delete(path("/data"), true);
    files.mkdirs(path("/data/dir"));
    Bytes.write(files, "/data/f", Bytes.random(1, 100_000));
    Bytes.write(files, "/outside", Bytes.random(2, 10));
    origin = Origins.open(hdfs.address("/data").toString(), "test");
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name);
  }

  private static void refused(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(EleyException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void filesAreSeenFromTheDirectoryDown() throws Exception {
    OriginStatus file = origin.stat("/f");
    assertThat(file.length()).isEqualTo(100_000);
    assertThat(file.directory()).isFalse();
    assertThat(file.permissions()).isEqualTo(0644);
    assertThat(file.stamp().inode()).isPositive();
    assertThat(origin.stat("/").directory()).isTrue();
    assertThat(origin.list("/")).extracting(OriginStatus::path).containsExactly("/dir", "/f");
    assertThat(origin.list("/").get(1).version()).isEqualTo(file.version());
    assertThat(origin.list("/dir")).isEmpty();
    assertThat(origin.address()).isEqualTo(hdfs.address("/data").toString());
    refused(ErrorCode.NOT_FOUND, () -> origin.stat("/outside"));
    refused(ErrorCode.OUTSIDE_ORIGIN, () -> origin.stat("/../outside"));
    refused(ErrorCode.ORIGIN_FAILED, () -> origin.list("/f"));
    refused(ErrorCode.ORIGIN_FAILED, () -> origin.open("/dir"));
  }

  @Test
  void rangesAreReadWhereTheyAre() throws Exception {
    byte[] all = Bytes.random(1, 100_000);
    try (var file = origin.open("/f")) {
      assertThat(Bytes.read(file, 0, 100_000)).isEqualTo(all);
      assertThat(Bytes.read(file, 99_990, 100)).isEqualTo(Arrays.copyOfRange(all, 99_990, 100_000));
      assertThat(Bytes.read(file, 70_000, 3)).isEqualTo(Arrays.copyOfRange(all, 70_000, 70_003));
      assertThat(Bytes.read(file, 100_000, 1)).isEmpty();
      assertThat(file.currentStatus()).isEqualTo(file.status());
    }
  }

  /** An origin has one owner, its client, which streams of others may still use. */
  @Test
  void whoClosesAllOfHadoopsFileSystemsClosesNoOrigin() throws Exception {
    var user = UserGroupInformation.createRemoteUser("ann");
    PrivilegedExceptionAction<Origin> opening =
        () -> Origins.open(hdfs.address("/data").toString(), "test");
    try (Origin anns = user.doAs(opening)) {
      FileSystem.closeAllForUGI(user);
      assertThat(anns.stat("/f").length()).isEqualTo(100_000);
    }
  }

  /** As without us, where Hadoop's own cache of file systems is closed. */
  @Test
  void aFileThatNobodyClosedIsClosedAtTheJvmsEnd() throws Exception {
    List<String> command =
        JavaCommand.ofThisJvm()
            .classPath(List.of(System.getProperty("java.class.path").split(File.pathSeparator)))
            .run(
                LeavesStreamOpenMain.class.getName(),
                List.of(hdfs.address("/data").toString(), "/left", "/late"));
    Path log = temp.resolve("left.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor()).as(Files.readString(log)).isZero();
    for (String file : List.of("/data/left", "/data/late")) {
      assertThat(((DistributedFileSystem) files).isFileClosed(path(file))).as(file).isTrue();
      assertThat(files.getFileStatus(path(file)).getLen()).as(file).isEqualTo("told".length());
    }
  }

  /** Ours serve readers until they are told to end, and close what they read from behind that. */
  @Test
  void originsOfOurOwnProcessesAreNotClosedUnderThem() {
    var conf = new Configuration(false);
    assertThat(ClosedAtEnd.isWanted(conf, "app")).isTrue();
    assertThat(ClosedAtEnd.isWanted(conf, null)).isTrue();
    assertThat(ClosedAtEnd.isWanted(conf, Origins.APART)).isFalse();
    conf.setBoolean("fs.automatic.close", false);
    assertThat(ClosedAtEnd.isWanted(conf, "app")).isFalse();
  }

  /** With the time set back, too: its id tells. */
  @Test
  void aFileThatTookTheOthersPlaceIsAnotherVersion() throws Exception {
    OriginStatus before = origin.stat("/f");
    try (var open = origin.open("/f")) {
      Bytes.write(files, "/data/g", Bytes.random(3, 100_000));
      files.setTimes(path("/data/g"), before.modifiedMillis(), -1);
      files.delete(path("/data/f"), false);
      assertThat(files.rename(path("/data/g"), path("/data/f"))).isTrue();

      OriginStatus after = origin.stat("/f");
      assertThat(after.length()).isEqualTo(before.length());
      assertThat(after.modifiedMillis()).isEqualTo(before.modifiedMillis());
      assertThat(after.version()).isNotEqualTo(before.version());
      assertThat(open.currentStatus().version()).isEqualTo(after.version());
    }
  }

  @Test
  void writesArriveAndReplaceNothingUnasked() throws Exception {
    try (var out = origin.create("/new/deep/f", false)) {
      out.write(Bytes.random(4, 1000), 0, 500);
      out.flush();
      assertThat(files.open(path("/data/new/deep/f")).readNBytes(1000)).hasSize(500);
      out.write(Bytes.random(4, 1000), 500, 500);
      ((DurableOutput) out).force();
      assertThat(origin.stat("/new/deep/f").length()).isEqualTo(1000);
      assertThat(files.open(path("/data/new/deep/f")).readNBytes(1000))
          .isEqualTo(Bytes.random(4, 1000));
    }
    assertThat(origin.appends()).isTrue();
    try (var out = origin.append("/new/deep/f")) {
      out.write(7);
    }
    assertThat(origin.stat("/new/deep/f").length()).isEqualTo(1001);
    refused(ErrorCode.ORIGIN_FAILED, () -> origin.create("/f", false));
    refused(ErrorCode.ORIGIN_FAILED, () -> origin.rename("/new/deep/f", "/f"));
    refused(ErrorCode.ORIGIN_FAILED, () -> origin.rename("/f", "/dir"));
    refused(ErrorCode.NOT_FOUND, () -> origin.rename("/none", "/other"));
    refused(ErrorCode.ORIGIN_FAILED, () -> origin.delete("/new", false));
    origin.rename("/new/deep/f", "/h");
    origin.delete("/new", true);
    assertThat(origin.list("/")).extracting(OriginStatus::path).containsExactly("/dir", "/f", "/h");
    refused(ErrorCode.NOT_FOUND, () -> origin.delete("/new", true));
    origin.makeDirectories("/a/b");
    origin.makeDirectories("/a/b");
    refused(ErrorCode.ORIGIN_FAILED, () -> origin.makeDirectories("/f/b"));
    origin.setPermissions("/f", 0600);
    assertThat(origin.stat("/f").permissions()).isEqualTo(0600);
    refused(ErrorCode.ORIGIN_FAILED, () -> origin.setTimes("/f", 0, -1));
    assertThat(origin.space("/").free()).isPositive();
  }

  /** Where somebody else deletes each file, and makes each new name, in the moment before. */
  static final class Raced extends DistributedFileSystem {
    @Override
    @SuppressWarnings("deprecation") // what it extends
    public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to)
        throws IOException {
      create(to, false).close();
      return super.rename(from, to);
    }

    @Override
    public boolean delete(org.apache.hadoop.fs.Path path, boolean recursive) throws IOException {
      assertThat(super.delete(path, recursive)).isTrue();
      return super.delete(path, recursive);
    }
  }

  @Test
  void whatSomebodyElseHasDeletedMeanwhileIsNotThere() throws Exception {
    Configuration conf = ClientSettings.load(HdfsOriginTest.class.getClassLoader());
    conf.setClass("fs.hdfs.impl", Raced.class, FileSystem.class);
    try (var raced = HadoopOrigin.open(hdfs.address("/data"), conf)) {
      refused(ErrorCode.NOT_FOUND, () -> raced.delete("/f", false));
      assertThat(origin.list("/")).extracting(OriginStatus::path).containsExactly("/dir");
    }
  }

  /** As writers of a table's log are told, who then take the next name. */
  @Test
  void whoseNameIsTakenIsToldThatNothingWasDone() throws Exception {
    Configuration conf = ClientSettings.load(HdfsOriginTest.class.getClassLoader());
    conf.setClass("fs.hdfs.impl", Raced.class, FileSystem.class);
    try (var raced = HadoopOrigin.open(hdfs.address("/data"), conf)) {
      for (String what : new String[] {"made since we looked", "there before"}) {
        assertThatThrownBy(() -> raced.rename("/f", "/taken"))
            .as(what)
            .hasCauseInstanceOf(FileAlreadyExistsException.class);
      }
      assertThat(origin.stat("/f").length()).isEqualTo(100_000);
      assertThat(origin.stat("/taken").length()).isZero();
    }
  }

  /** Where nothing is ever gone. */
  static final class Keeping extends DistributedFileSystem {
    @Override
    public boolean delete(org.apache.hadoop.fs.Path path, boolean recursive) throws IOException {
      throw new IOException(path + " is to be deleted");
    }
  }

  @Test
  void aFileIsReplacedInOneStep() throws Exception {
    Bytes.write(files, "/data/g", Bytes.random(3, 1_000));
    Configuration conf = ClientSettings.load(HdfsOriginTest.class.getClassLoader());
    conf.setClass("fs.hdfs.impl", Keeping.class, FileSystem.class);
    try (var keeping = HadoopOrigin.open(hdfs.address("/data"), conf)) {
      refused(ErrorCode.ORIGIN_FAILED, () -> keeping.replace("/g", "/dir"));
      refused(ErrorCode.NOT_FOUND, () -> keeping.replace("/none", "/f"));
      keeping.replace("/g", "/f");
      assertThat(origin.list("/")).extracting(OriginStatus::path).containsExactly("/dir", "/f");
      assertThat(files.open(path("/data/f")).readAllBytes()).isEqualTo(Bytes.random(3, 1_000));
    }
  }

  @Test
  void whatCannotBeAnOriginIsToldInOneLine() {
    for (String wrong : new String[] {"/none", "/outside"}) {
      String address = hdfs.address(wrong).toString();
      assertThatThrownBy(() -> Origins.open(address, "test"))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
          .hasMessageContaining(address)
          .hasMessageNotContaining("\n");
    }
    refused(ErrorCode.NOT_FOUND, () -> Origins.open("hdfs:///data", "test"));
    refused(ErrorCode.NOT_FOUND, () -> Origins.open(hdfs.address("/data") + "?x=1", "test"));
    refused(ErrorCode.UNAVAILABLE, () -> Origins.open("nosuch://host/data", "test"));
  }
}
