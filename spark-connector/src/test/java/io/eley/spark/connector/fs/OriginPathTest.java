package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginPathTest {
  private static Optional<String> served(String path, String origin) {
    return OriginPath.served(URI.create(path), origin);
  }

  @ParameterizedTest
  @CsvSource({
    "bb:///a/b,              s3a://bucket/data,      /a/b",
    "bb:///a/b,              '',                     /a/b",
    "file:///mnt/pfs/a,      /mnt/pfs,               /a",
    "/mnt/pfs/a,             file:///mnt/pfs,        /a",
    "s3a://bucket/data/a/b,  s3a://bucket/data,      /a/b",
    "s3a://bucket/data,      s3a://bucket/data,      /",
    "s3a://bucket/a,         s3a://bucket/,          /a",
    "hdfs://nn/data/a,       hdfs://nn/data,         /a",
    "hdfs://nn:8020/data/a,  hdfs://nn/data,         /a",
    "hdfs://nn/data/a,       hdfs://nn:8020/data,    /a",
  })
  void whatLiesBelowTheOriginIsServed(String path, String origin, String expected) {
    assertThat(served(path, origin)).contains(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "s3a://bucket/database,    s3a://bucket/data",
    "s3a://other/data/a,       s3a://bucket/data",
    "s3a://bucket/data/a,      hdfs://bucket/data",
    "s3a://bucket/data/a,      ''",
    "s3a://bucket/data/a,      /data",
    "file:///data/a,           s3a://bucket/data",
    "hdfs://nn:9000/data/a,    hdfs://nn:8020/data",
    "file:///mnt/pfs2/a,       /mnt/pfs",
  })
  void whatLiesElsewhereIsNot(String path, String origin) {
    assertThat(served(path, origin)).isEmpty();
  }

  @Test
  void ourFileSystemsAreKnownByTheirNames() {
    assertThat(Openers.serve(EleyLocalFileSystem.class.getName())).isTrue();
    assertThat(Openers.serve("io.eley.spark.connector.fs.EleyHdfsFileSystem")).isTrue();
    assertThat(Openers.serve("io.eley.spark.connector.fs.EleyS3aFileSystem")).isTrue();
    assertThat(Openers.serve("org.apache.hadoop.fs.s3a.S3AFileSystem")).isFalse();
    assertThat(Openers.serve(null)).isFalse();
  }
}
