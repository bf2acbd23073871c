package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GivenSettingsTest {
  @TempDir private Path temp;
  private DeploymentFiles files;
  private GivenSettings given;

  @BeforeEach
  void surroundings() {
    files = new DeploymentFiles(temp);
    given = new GivenSettings(files);
  }

  @Test
  void whatIsNotedIsReadAsItWasUntilItIsRemoved() throws Exception {
    assertThat(given.noted()).isEmpty();
    given.note(Map.of("eley.delay.max", "3s"));
    var settings = Map.of("eley.client.read-ahead", "false", "eley.http", "a=b");
    given.note(settings);
    assertThat(given.noted()).as("of the last start alone").isEqualTo(settings);
    given.remove();
    assertThat(given.noted()).isEmpty();
    given.remove();
  }

  @Test
  void theyAreTheirOwnersAlone() throws Exception {
    given.note(Map.of("eley.delay.max", "3s"));
    assertThat(Files.getPosixFilePermissions(files.settings()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(files.settings(), PosixFilePermissions.fromString("rw-rw----"));
    assertThatThrownBy(given::noted).isInstanceOf(EleyException.class);
  }
}
