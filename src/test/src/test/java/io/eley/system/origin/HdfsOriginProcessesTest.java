package io.eley.system.origin;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.client.ClientCounters;
import io.eley.spark.connector.fs.BbFileSystem;
import io.eley.spark.connector.fs.EleyHdfsFileSystem;
import io.eley.spark.connector.fs.SharedClients;
import io.eley.system.EleyCommand;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code eley start} over HDFS: the processes have Hadoop's clients from a class path that was
 * named, and all that this JVM reads comes through a node.
 */
@Timeout(180)
class HdfsOriginProcessesTest {
  private static final int LENGTH = 9_000_000;
  private static final ClientCounters.Source[] THROUGH_NODES = {
    ClientCounters.Source.LOCAL_RAM,
    ClientCounters.Source.REMOTE_RAM,
    ClientCounters.Source.ARRIVING
  };

  @TempDir private Path temp;
  private StoreProcess hdfs;
  private URI address;
  private byte[] content;

  @BeforeEach
  void startHdfs() throws Exception {
    hdfs = StoreProcess.hdfs(temp);
    address = URI.create(hdfs.client().get("fs.defaultFS"));
    content = new byte[LENGTH];
    new Random(5).nextBytes(content);
    var client = new Configuration();
    client.set("dfs.replication", "1");
    try (var fs = FileSystem.newInstance(address, client);
        var out = fs.create(new org.apache.hadoop.fs.Path("/data/in/f"))) {
      out.write(content);
    }
  }

  @AfterEach
  void stopHdfs() throws Exception {
    if (Files.exists(temp.resolve("d"))) {
      assertThat(eley("stop", "-d", temp + "/d").code()).isZero();
    }
    hdfs.close();
  }

  @Test
  void filesOfHdfsAreReadThroughNodesByTheirOwnPathsToo() throws Exception {
    var started = start(address.resolve("/data").toString(), StoreProcess.hadoopJars());
    assertThat(started.code()).as(started.text()).isZero();
    assertThat(started.text())
        .contains("spark.hadoop.fs.hdfs.impl=" + EleyHdfsFileSystem.class.getName())
        .contains("lib/origin/*");
    // At once: what it has said to be started serves.
    assertThat(read(new BbFileSystem(), URI.create("bb:///"), "bb:///in/f")).isEqualTo(content);
    String own = address.resolve("/data/in/f").toString();
    assertThat(read(new EleyHdfsFileSystem(), address, own)).isEqualTo(content);
  }

  @Test
  void whatCannotBeServedIsToldInOneLineBeforeAnythingStarts() throws Exception {
    String data = address.resolve("/data").toString();
    var without = start(data, "/no/such/jars/*");
    assertThat(without.code()).as(without.text()).isEqualTo(2);
    assertThat(without.text()).contains("--origin-classpath: there is no '/no/such/jars/*'");
    var none = start(address.resolve("/none").toString(), StoreProcess.hadoopJars());
    assertThat(none.code()).as(none.text()).isEqualTo(1);
    assertThat(none.text()).contains("/none cannot be used: File does not exist");
    var lacking = start(data, temp.toString());
    assertThat(lacking.code()).as(lacking.text()).isEqualTo(1);
    assertThat(lacking.text()).contains("the class path lacks org.apache.hadoop.");
    assertThat(temp.resolve("d")).doesNotExist();
  }

  /** Reads it all, and says that none of it came past the buffer. */
  private byte[] read(FileSystem fs, URI uri, String path) throws Exception {
    var conf = new Configuration();
    conf.set("eley.deployment", temp.resolve("d").toString());
    // On a busy machine a coordinator that is slow to answer is no coordinator that is away.
    conf.set("eley.client.connect-timeout", "20s");
    conf.set("eley.client.silence", "10s");
    long before = SharedClients.bytes(THROUGH_NODES);
    fs.initialize(uri, conf);
    try (fs;
        var in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      byte[] all = in.readAllBytes();
      assertThat(SharedClients.bytes(THROUGH_NODES) - before).isGreaterThanOrEqualTo(LENGTH);
      return all;
    }
  }

  private EleyCommand.Ended start(String origin, String classPath) throws Exception {
    return eley(
        "start",
        "-d",
        temp + "/d",
        "--origin",
        origin,
        "--origin-classpath",
        classPath,
        "--nodes",
        "1",
        "--memory",
        "64m",
        "--no-scratch",
        "--ram-disk",
        temp.toString());
  }

  private EleyCommand.Ended eley(String... words) throws Exception {
    return EleyCommand.run(temp, words);
  }
}
