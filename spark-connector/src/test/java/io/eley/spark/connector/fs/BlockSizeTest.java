package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TextInputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tasks of {@code sc.textFile} are as many whether files are read as file:// or as bb://. */
class BlockSizeTest {
  private static final long LENGTH = 300L << 20;

  @TempDir private Path origin;

  @BeforeEach
  void makeFile() throws Exception {
    try (var file = new RandomAccessFile(origin.resolve("in").toFile(), "rw")) {
      file.setLength(LENGTH);
    }
  }

  private List<String> splits(String path) throws Exception {
    var conf = new Configuration(false);
    conf.setClass("fs.bb.impl", BbFileSystem.class, FileSystem.class);
    conf.set("fs.bb.impl.disable.cache", "true"); // other tests have other origins
    conf.set("eley.client.origin", origin.toString());
    var job = new JobConf(conf);
    FileInputFormat.setInputPaths(job, path);
    var format = new TextInputFormat();
    format.configure(job);
    return Arrays.stream(format.getSplits(job, 2)) // what Spark asks for by default
        .map(FileSplit.class::cast)
        .map(split -> split.getStart() + "+" + split.getLength())
        .toList();
  }

  @Test
  void splitsAreThoseOfPlainFiles() throws Exception {
    assertThat(splits("bb:///in"))
        .isEqualTo(splits("file://" + origin.resolve("in")))
        .hasSizeGreaterThan(2);
  }
}
