package io.eley.system.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The recipe for an OCI image, followed by buildah as Debian has it: no registry is asked, the base
 * image is a Debian that mmdebstrap makes from the distribution's packages. Those come over the
 * network, so this is no test for every build. Needs root.
 */
@Tag("slow")
@Tag("system")
@Timeout(900)
@EnabledIfSystemProperty(named = "eley.test.containers", matches = "true")
class ContainersTest {
  private static final Path DEPLOY = Path.of(System.getProperty("eley.root"), "deploy");
  private static final List<String> ISOLATION = List.of("--isolation", "chroot");

  @TempDir private Path temp;

  @Test
  void theImageThatTheRecipeMakesRunsADeployment() throws Exception {
    Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
    Assumptions.assumeTrue(isThere("buildah"), "there is no buildah");
    Assumptions.assumeTrue(isThere("mmdebstrap"), "there is no mmdebstrap");
    Path context = Files.createDirectory(temp.resolve("context"));
    String archive = into(context);
    base();

    var build = new ArrayList<>(List.of("build", "--tag", "eley"));
    build.addAll(ISOLATION);
    build.addAll(List.of("--build-arg", "BASE=localhost/base", "--build-arg"));
    build.addAll(List.of("ARCHIVE=" + archive, context.toString()));
    buildah(build);

    Path origin = Files.createDirectory(temp.resolve("pfs"));
    String container = last(buildah(List.of("from", "localhost/eley")));
    assertThat(inIt(container, origin, "eley --version")).contains("eley ", "Java 17");
    String said =
        inIt(
            container,
            origin,
            "set -e; eley start --origin /mnt/pfs --nodes 1 --memory 64m; eley status; eley stop");
    assertThat(said).contains("FullDelay over /mnt/pfs", "/     64 ", "stopped 3 processes of ");
  }

  /** Puts the recipe and the archive beside each other, and says the archive's name. */
  private static String into(Path context) throws Exception {
    Files.copy(DEPLOY.resolve("container/Containerfile"), context.resolve("Containerfile"));
    try (Stream<Path> files = Files.list(DEPLOY.resolve("target"))) {
      Path archive =
          files
              .filter(file -> file.toString().endsWith(".tar.gz"))
              .filter(file -> !file.toString().contains("-demo"))
              .findFirst()
              .orElseThrow();
      String name = archive.getFileName().toString();
      Files.copy(archive, context.resolve(name), StandardCopyOption.REPLACE_EXISTING);
      return name;
    }
  }

  private void base() throws Exception {
    Path tar = temp.resolve("base.tar");
    run(List.of("mmdebstrap", "--variant=apt", "bookworm", tar.toString()));
    String container = last(buildah(List.of("from", "scratch")));
    buildah(List.of("add", container, tar.toString(), "/"));
    buildah(List.of("commit", container, "base"));
    buildah(List.of("rm", container));
  }

  private String inIt(String container, Path origin, String script) throws Exception {
    var words = new ArrayList<>(List.of("run"));
    words.addAll(ISOLATION);
    words.addAll(List.of("--volume", origin + ":/mnt/pfs", "--volume", "/dev/shm:/dev/shm"));
    words.addAll(List.of(container, "--", "sh", "-c", script));
    return buildah(words);
  }

  private String buildah(List<String> words) throws Exception {
    var all = new ArrayList<>(List.of("buildah", "--root", temp.resolve("images").toString()));
    all.addAll(List.of("--runroot", temp.resolve("run").toString(), "--storage-driver", "vfs"));
    all.addAll(words);
    return run(all);
  }

  private String run(List<String> command) throws Exception {
    File output = Files.createTempFile(temp, "output", ".txt").toFile();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(output)
            .start();
    boolean ended = process.waitFor(10, TimeUnit.MINUTES);
    if (!ended) {
      process.destroyForcibly();
    }
    String said = Files.readString(output.toPath());
    assertThat(ended).as("%s ends: %s", command, said).isTrue();
    assertThat(process.exitValue()).as("%s: %s", command, said).isZero();
    return said;
  }

  private static String last(String said) {
    return said.strip().lines().reduce((before, line) -> line).orElseThrow();
  }

  private static boolean isThere(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }
}
