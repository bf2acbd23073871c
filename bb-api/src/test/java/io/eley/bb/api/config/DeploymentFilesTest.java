package io.eley.bb.api.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeploymentFilesTest {
  private static final Pattern IN_A_SCRIPT =
      Pattern.compile("\\$\\{?(?:deployment|ELEY_DEPLOYMENT)\\}?/([a-z.-]+)");
  private static final Path ROOT = Path.of("..");

  private final DeploymentFiles files = new DeploymentFiles(Path.of("/d"));

  @Test
  void everyFileIsBelowTheDirectory() {
    assertThat(
            Stream.of(
                files.secret(),
                files.coordinatorAddress(),
                files.origin(),
                files.applications(),
                files.coordinatorLock(),
                files.startLock(),
                files.announceUrl(),
                files.announceCurl(),
                files.announceCertificate(),
                files.liveUrl(),
                files.ledger(),
                files.logs(),
                files.ramDisks(),
                files.settings()))
        .extracting(file -> files.directory().relativize(file).toString())
        .containsExactlyElementsOf(DeploymentFiles.names());
    assertThat(files.log("node-1")).isEqualTo(Path.of("/d/logs/node-1.log"));
  }

  @Test
  void aPidFileNamesItsProcess() {
    Path file = files.pidFile("node-12");
    assertThat(file).isEqualTo(Path.of("/d/node-12.pid"));
    assertThat(DeploymentFiles.isPidFile(file)).isTrue();
    assertThat(DeploymentFiles.processOf(file)).isEqualTo("node-12");
    assertThat(DeploymentFiles.isPidFile(files.secret())).isFalse();
    assertThat(DeploymentFiles.isPidFile(Path.of("/"))).isFalse();
  }

  @Test
  void theDirectoryIsAbsoluteHoweverItWasNamed() {
    assertThat(new DeploymentFiles(Path.of("a/../b")).directory())
        .isEqualTo(Path.of("b").toAbsolutePath());
  }

  @Test
  void theEnvironmentNamesTheDeploymentOfAUserWhoNamesNone() {
    Path home = Path.of("/home/a");
    assertThat(DeploymentFiles.standard(Map.of("ELEY_DEPLOYMENT", "/x"), home).directory())
        .isEqualTo(Path.of("/x"));
    for (Map<String, String> environment :
        List.of(Map.<String, String>of(), Map.of("ELEY_DEPLOYMENT", " "))) {
      assertThat(DeploymentFiles.standard(environment, home).directory())
          .isEqualTo(Path.of("/home/a/.eley/deployment"));
    }
  }

  /** Shell scripts cannot ask this class. */
  @Test
  void scriptsSpellTheNamesAsTheyAre() throws IOException {
    var spelled = new java.util.TreeSet<String>();
    Path deploy = ROOT.resolve("deploy");
    Path built = deploy.resolve("target");
    try (Stream<Path> scripts = Files.walk(deploy)) {
      for (Path script :
          scripts.filter(f -> Files.isRegularFile(f) && !f.startsWith(built)).toList()) {
        IN_A_SCRIPT
            .matcher(Files.readString(script))
            .results()
            .forEach(m -> spelled.add(m.group(1)));
      }
    }
    assertThat(spelled).contains("coordinator.address", "ledger.csv", "announce.url");
    assertThat(DeploymentFiles.names()).containsAll(spelled);
  }

  @Test
  void theDocumentationExplainsEveryFile() throws IOException {
    String page = Files.readString(ROOT.resolve(Path.of("docs", "operations.md")));
    for (String name : DeploymentFiles.names()) {
      assertThat(page).as(name).containsPattern("`" + Pattern.quote(name) + "[`/]");
    }
  }
}
