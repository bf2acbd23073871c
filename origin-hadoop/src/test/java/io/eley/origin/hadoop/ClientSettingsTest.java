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

  @Test
  void anotherClientThatAUserHasStays() throws Exception {
    user.set("fs.s3a.impl", DistributedFileSystem.class.getName());
    assertThat(fileSystem(BUCKET, user)).isEqualTo(DistributedFileSystem.class);
  }
}
