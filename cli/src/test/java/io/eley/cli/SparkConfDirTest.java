package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.edge.OwnPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkConfDirTest {
  @TempDir private Path temp;

  @Test
  void whatIsConfiguredStaysAndListsAreJoined() throws Exception {
    Path own = temp.resolve("own");
    Files.createDirectories(own.resolve("inner"));
    Files.writeString(own.resolve("log4j2.properties"), "level=warn\n");
    Files.writeString(own.resolve("inner/site.xml"), "<x/>");
    // Its last line has no end, as of files that people make.
    Files.writeString(
        own.resolve("spark-defaults.conf"), "spark.plugins=a.B\nspark.eventLog.enabled  true");
    var settings = Map.of("spark.plugins", "io.eley.P", "spark.hadoop.eley.deployment", "/d");
    Path made;
    try (var conf = SparkConfDir.make(temp, Optional.of(own), settings)) {
      made = conf.directory();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
          .isEqualTo("rwx------");
      assertThat(made.resolve("log4j2.properties")).hasContent("level=warn");
      assertThat(made.resolve("inner/site.xml")).exists();
      assertThat(Files.readAllLines(made.resolve("spark-defaults.conf")))
          .contains(
              "spark.eventLog.enabled  true",
              "spark.plugins io.eley.P,a.B",
              "spark.hadoop.eley.deployment /d")
          .last()
          .isNotEqualTo("spark.plugins=a.B");
    }
    assertThat(made).doesNotExist();
    assertThat(own.resolve("spark-defaults.conf")).exists();
  }

  /** As a site's with a directory that users may not list, which root may. */
  @Test
  void whatCannotBeReadIsLeftOut() throws Exception {
    Path own = Files.createDirectory(temp.resolve("own"));
    Files.writeString(own.resolve("site.xml"), "<x/>");
    Files.createSymbolicLink(own.resolve("again"), own);
    try (var conf = SparkConfDir.make(temp, Optional.of(own), Map.of("spark.plugins", "P"))) {
      assertThat(conf.directory()).isDirectoryContaining("glob:**/site.xml");
      assertThat(conf.directory().resolve("again")).doesNotExist();
    }
  }

  /** Else Spark would run without what the site wants of it. */
  @Test
  void aConfigurationThatIsNotReadAtAllIsRefused() throws Exception {
    refuses(temp.resolve("none"));
    Path own = Files.createDirectory(temp.resolve("own"));
    Path defaults = own.resolve("spark-defaults.conf");
    Files.writeString(own.resolve("log4j2.properties"), "level=warn\n");
    Files.createSymbolicLink(defaults, temp.resolve("away"));
    refuses(own);
    Files.delete(defaults);
    Files.createSymbolicLink(defaults, defaults);
    refuses(own);
  }

  @Test
  void aConfigurationThatMayNotBeListedIsRefused() throws Exception {
    assumeTrue(OwnPaths.user() != 0, "root may list and read everything");
    Path own = Files.createDirectory(temp.resolve("own"));
    Path defaults = Files.writeString(own.resolve("spark-defaults.conf"), "spark.plugins=a.B\n");
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("-wx------"));
    refuses(own);
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
    Files.setPosixFilePermissions(defaults, PosixFilePermissions.fromString("-w-------"));
    refuses(own);
  }

  private void refuses(Path own) {
    assertThatThrownBy(() -> SparkConfDir.make(temp, Optional.of(own), Map.of()))
        .isInstanceOf(IOException.class);
    assertThat(temp).isDirectoryNotContaining("glob:**/spark-conf-*");
  }

  @Test
  void whatCannotBeMadeLeavesNoCopy() throws Exception {
    Path own = Files.createDirectory(temp.resolve("own"));
    Files.createDirectories(own.resolve("spark-defaults.conf/inner"));
    refuses(own);
  }

  @Test
  void whereNothingIsConfiguredItHasOurSettingsAlone() throws Exception {
    try (var conf = SparkConfDir.make(temp, Optional.empty(), Map.of("spark.plugins", "P"))) {
      assertThat(conf.directory().resolve("spark-defaults.conf")).hasContent("\nspark.plugins P\n");
    }
  }

  @Test
  void theUsersConfigurationIsWhereSparkFindsIt() throws Exception {
    Path conf = Files.createDirectories(temp.resolve("spark/conf"));
    Path named = Files.createDirectory(temp.resolve("named"));
    String home = temp.resolve("spark").toString();
    assertThat(SparkConfDir.ofUser(Map.of())).isEmpty();
    assertThat(SparkConfDir.ofUser(Map.of("SPARK_HOME", home))).contains(conf);
    assertThat(SparkConfDir.ofUser(Map.of("SPARK_HOME", home, "SPARK_CONF_DIR", named + "")))
        .contains(named);
    assertThat(SparkConfDir.ofUser(Map.of("SPARK_HOME", temp + "/none"))).isEmpty();
  }
}
