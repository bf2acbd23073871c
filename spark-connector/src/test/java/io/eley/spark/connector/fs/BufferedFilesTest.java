package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.FileNotFoundException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is opened for unchanged paths is read by us, or fails: nothing passes us by. */
class BufferedFilesTest {
  @TempDir private Path temp;

  private BufferedFiles files() throws Exception {
    var conf = new Configuration(false);
    conf.set("eley.client.origin", "counted://" + temp);
    conf.set("eley.client.origin-deadline", "3s");
    return new BufferedFiles(conf, null);
  }

  private org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path("counted://" + temp + "/" + name);
  }

  @Test
  void whatLiesBelowTheOriginIsServedAndNothingElse() throws Exception {
    Files.writeString(temp.resolve("in"), "input");
    try (var files = files();
        var in = files.open(path("in"))) {
      assertThat(in).isNotNull();
      assertThat(in.readAllBytes()).asString().isEqualTo("input");
      assertThat(files.open(new org.apache.hadoop.fs.Path("file:///elsewhere"))).isNull();
      assertThatThrownBy(() -> files.open(path("none"))).isInstanceOf(FileNotFoundException.class);
    }
  }

  @Test
  void whatALinkLeadsToElsewhereIsLeftToItsOwnFileSystem() throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    Path elsewhere = Files.writeString(temp.resolve("elsewhere"), "input");
    Files.createSymbolicLink(origin.resolve("in"), elsewhere);
    var conf = new Configuration(false);
    conf.set("eley.client.origin", origin.toString());
    try (var fs = new EleyLocalFileSystem()) {
      fs.initialize(URI.create("file:///"), conf);
      try (var in = fs.open(new org.apache.hadoop.fs.Path(origin.resolve("in").toUri()))) {
        assertThat(in.readAllBytes()).asString().isEqualTo("input");
      }
    }
    try (var bb = new BbFileSystem()) {
      bb.initialize(URI.create("bb:///"), conf);
      assertThatThrownBy(() -> bb.open(new org.apache.hadoop.fs.Path("bb:///in")))
          .isInstanceOf(AccessControlException.class);
    }
  }

  @Test
  void anOriginThatHangsFailsAnOpenAndIsNotReadBehindOurBack() throws Exception {
    Files.writeString(temp.resolve("in"), "input");
    CountedOrigin.Calls calls = CountedOrigin.calls(temp);
    calls.hangs = true;
    try (var files = files()) {
      assertThatThrownBy(() -> files.open(path("in")))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ORIGIN_HUNG));
      calls.hangs = false;
      try (var in = files.open(path("in"))) {
        assertThat(in).isNotNull();
      }
    } finally {
      calls.answers.countDown();
    }
  }
}
