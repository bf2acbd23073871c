package io.eley.origin.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;

/** What Hadoop's clients are told, whatever the user's configuration says. */
class ClientSettingsTest {
  private static final URI BUCKET = URI.create("s3a://bucket/data");
  private static final URI HDFS = URI.create("hdfs://host/data");

  private final Configuration user = ClientSettings.load(ClientSettingsTest.class.getClassLoader());

  private static Class<?> fileSystem(URI address, Configuration user) throws Exception {
    return FileSystem.getFileSystemClass(address.getScheme(), ClientSettings.client(address, user));
  }

  /** The connector's would read by the buffer what is to be read past it. */
  @Test
  void theClientIsHadoopsOwnWhereSparkHasTheConnectors() throws Exception {
    user.set("fs.s3a.impl", "io.eley.spark.connector.fs.EleyS3aFileSystem");
    user.set("fs.hdfs.impl", "io.eley.spark.connector.fs.EleyHdfsFileSystem");
    assertThat(fileSystem(BUCKET, user)).isEqualTo(S3AFileSystem.class);
    assertThat(fileSystem(HDFS, user)).isEqualTo(DistributedFileSystem.class);
    assertThat(user.get("fs.s3a.impl")).startsWith("io.eley");
  }

  /** What reads ahead by itself has no permit, and what takes any version mixes two. */
  @Test
  void whatReadsAheadOrTakesAnyVersionIsOffWhateverTheUserSays() {
    user.set("fs.azure.enable.readahead", "true");
    user.set("fs.azure.enable.readahead.a.dfs.core.windows.net", "true");
    user.set("fs.azure.readaheadqueue.depth", "8");
    user.set("fs.azure.io.read.tolerate.concurrent.append", "true");
    user.set("fs.s3a.bucket.bucket.readahead.range", "1M");
    user.set("fs.s3a.change.detection.mode", "none");
    var container = URI.create("abfs://c@a.dfs.core.windows.net/data");
    Configuration azure = ClientSettings.client(container, user);
    assertThat(azure.get("fs.azure.enable.readahead")).isEqualTo("false");
    assertThat(azure.get("fs.azure.enable.readahead.a.dfs.core.windows.net")).isNull();
    assertThat(azure.get("fs.azure.readaheadqueue.depth")).isEqualTo("0");
    assertThat(azure.get("fs.azure.io.read.tolerate.concurrent.append")).isEqualTo("false");
    Configuration s3 = ClientSettings.client(BUCKET, user);
    assertThat(s3.get("fs.s3a.bucket.bucket.readahead.range")).isNull();
    assertThat(s3.get("fs.s3a.readahead.range")).isEqualTo("0");
    assertThat(s3.get("fs.s3a.change.detection.mode")).isEqualTo("server");
  }

  @Test
  void anotherClientThatAUserHasStays() throws Exception {
    user.set("fs.s3a.impl", DistributedFileSystem.class.getName());
    assertThat(fileSystem(BUCKET, user)).isEqualTo(DistributedFileSystem.class);
  }
}
