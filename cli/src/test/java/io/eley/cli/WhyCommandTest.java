package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may be typed for a file. */
class WhyCommandTest {
  @ParameterizedTest
  @CsvSource({
    "/mnt/my data/f,         /mnt/my data,       /f",
    "/mnt/100%/f,            /mnt/100%,          /f",
    "/mnt/a%20b/f,           /mnt/a%20b,         /f",
    "file:///mnt/pfs/in/f@9, /mnt/pfs,           /in/f@9",
    "/mnt/pfs/f,             file:///mnt/pfs/,   /f",
    "/mnt/my data/f,         file:///mnt/my%20data, /f",
    "bb:///in/f,             /mnt/pfs,           /in/f",
    "bb:/in/f,               /mnt/pfs,           /in/f",
    "file:/mnt/pfs/in/f@9,   /mnt/pfs,           /in/f@9",
    "/mnt/pfs2/f,            /mnt/pfs,           /mnt/pfs2/f",
    "app-1/2/3,              s3a://bucket,       app-1/2/3",
    "/data/f,                hdfs://nn:8020/data, /f",
  })
  void aFileMayHaveItsNameOnTheMount(String typed, String origin, String expected) {
    assertThat(WhyCommand.onOrigin(typed, origin)).isEqualTo(expected);
  }
}
