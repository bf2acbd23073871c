package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OriginsTest {
  @Test
  void aDirectoryIsAnOriginByItsPathAndByItsUri(@TempDir Path temp) throws Exception {
    Path root = Files.createDirectory(temp.resolve("a b%20c#"));
    Files.writeString(root.resolve("f"), "123");
    for (String address : new String[] {root.toString(), root.toUri().toString()}) {
      try (var origin = Origins.open(address, "test")) {
        assertThat(origin.stat("/f").length()).as(address).isEqualTo(3);
        assertThat(origin.address()).isEqualTo(root.toRealPath().toString());
      }
    }
  }

  @Test
  void anAdapterOnTheClassPathIsToldTheAddressAndTheClient() {
    assertThatThrownBy(() -> Origins.open("refusing://host/path?x=1", "node"))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED))
        .hasMessage("refusing://host/path?x=1 for node");
  }

  /** That one alone serves what is {@code refusing:} is seen above. */
  @Test
  void anAdapterOfSeveralSchemesIsAskedForWhatNobodyElseIsThereFor() {
    for (String address : new String[] {"several://h/", "other://h/"}) {
      assertThatThrownBy(() -> Origins.open(address, "node"))
          .hasMessage("one of several: " + address);
    }
  }

  @Test
  void aSchemeThatNobodyServesIsToldWhichThereAre() {
    assertThatThrownBy(() -> Origins.open("gopher://host/", "test"))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessage(
            "no origin adapter for 'gopher://host/' on the class path; there are file, hanging,"
                + " refusing, several");
  }

  /** Half of AWS's secrets have a slash, behind which an address has its path. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3a://me:hidden@bucket/x",
        "s3a://me:hid/den@bucket/x",
        "s3a://me:/hidden@bucket/x",
        "s3a://me:h:i/dden@my_bucket/x",
        "s3a://me:hid den@bucket/x",
        "s3a://me:hid?den@bucket/x",
        "s3a://me:hid#den@bucket/x",
        "s3a://me%3Ahid/den@bucket/x",
        "S3A://me:123456/dden@bucket/x"
      })
  void aPasswordIsRefusedAndNotRepeated(String address) {
    assertThat(Origins.hasPassword(address)).isTrue();
    assertThatThrownBy(() -> Origins.open(address, "test"))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED))
        .hasMessageContaining("takes no password")
        .hasMessageNotContaining("bucket");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/mnt/a:b@c",
        "file:///mnt/a:b@c",
        "hdfs://host/user/me@site",
        "hdfs://host:8020/user/me@site",
        "hdfs://[::1]:8020/a:b",
        "hdfs://[fe80::1]/a",
        "alluxio://zk@one:2181,two:2181/a",
        "abfs://container@account.dfs.core.windows.net/a",
        "s3a://bucket",
        "emulated://127.0.0.1:1?secret=/s"
      })
  void anAddressWithoutOneIsNone(String address) {
    assertThat(Origins.hasPassword(address)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "relative/path", "a b", "://", "%"})
  void whatIsNoAddressIsQuoted(String address) {
    assertThatThrownBy(() -> Origins.open(address, "test"))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessageContaining("'" + address + "'");
  }
}
