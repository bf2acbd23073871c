package io.eley.system.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is unpacked on a machine that did not build it: a site's archive, and the demo's. */
@Timeout(120)
class ArchivesTest {
  private static final Set<String> PRODUCT =
      Set.of(
          "bb-api",
          "bb-server",
          "prefetcher",
          "scheduler-hooks",
          "coordinator",
          "local-deployment",
          "spark-connector",
          "pages",
          "ior",
          "simulation",
          "cli");
  private static final Set<String> EXPERIMENTS =
      Set.of("emulated-pfs", "workloads", "report", "laboratory", "demo", "experiments");

  /** What of a source tree's {@code deploy} is for who builds Eley stays there. */
  private static final Pattern BESIDE =
      Pattern.compile(
          "`(deploy/(?!target|testbed|licences|pom\\.xml)[\\w./-]+|slurm/[\\w-]+\\.(?:lua|sh))`");

  private static final Duration SHORT = Duration.ofSeconds(60);
  private static final Duration LONG = Duration.ofSeconds(110);

  @TempDir private Path temp;

  /** How a command ended. */
  private record Ended(int code, String out, String err) {}

  @Test
  void aSitesArchiveHoldsTheProductAndNoFakes() throws Exception {
    Path site = unpacked("");
    assertThat(ours(site)).containsAll(PRODUCT).doesNotContainAnyElementsOf(EXPERIMENTS);
    assertThat(jarsNaming(site, "emulated")).isEmpty();
    try (var beside = Files.list(site.resolve("lib/origin"))) {
      assertThat(beside.map(jar -> jar.getFileName().toString()))
          .hasSize(1)
          .allMatch(name -> name.startsWith("eley-origin-hadoop-"));
    }
    assertThat(site.resolve("share/man/man1/eley-start.1")).isRegularFile();
    assertThat(site.resolve("share/bash-completion/completions/eley")).isRegularFile();
    assertThat(site.resolve("python/eley/__init__.py")).isRegularFile();
  }

  /** The archive's name, what the command says, and whatever names a version by itself. */
  @Test
  void theVersionIsTheSameEverywhere() throws Exception {
    String version = archive("").getFileName().toString().replaceAll("^eley-|\\.tar\\.gz$", "");
    Path site = unpacked("");
    assertThat(eley(site, "--version").out()).startsWith("eley " + version + "\n");
    String release = version.replace("-SNAPSHOT", "");
    assertThat(Files.readString(site.resolve("python/pyproject.toml")))
        .contains("version = \"" + release + "\"");
    Path root = Path.of(System.getProperty("eley.root"));
    assertThat(Files.readString(root.resolve("CHANGELOG.md"))).contains("\n## " + release);
    assertThat(root.resolve("docs/releases/" + release + ".md")).exists();
    assertThat(Files.readString(root.resolve("deploy/spack/package.py")))
        .contains("version(\"" + release + "\"", "eley-" + release + ".tar.gz");
  }

  /** Pages are read beside an unpacked archive, in which not all is where a source tree has it. */
  @Test
  void whatPagesNameBesideThemIsInTheArchive() throws Exception {
    Path site = unpacked("");
    var named = new TreeSet<String>();
    for (String folder : List.of("docs", "docs/tutorials")) {
      try (var pages = Files.newDirectoryStream(site.resolve(folder), "*.md")) {
        for (Path page : pages) {
          BESIDE.matcher(Files.readString(page)).results().forEach(m -> named.add(m.group(1)));
        }
      }
    }
    assertThat(named).contains("slurm/job_submit.lua", "slurm/burst_buffer.lua", "deploy/systemd/");
    assertThat(named).allMatch(name -> Files.exists(site.resolve(name)));
  }

  /** In both archives a user's Python and {@code man} find what is theirs. */
  @Test
  void theModuleNamesDirectoriesThatAreThere() throws Exception {
    Path site = unpacked("");
    var paths =
        Pattern.compile("prepend_path\\(\"(\\w+)\", pathJoin\\(root, \"(.*)\"\\)\\)")
            .matcher(Files.readString(site.resolve("deploy/modulefile/eley.lua")))
            .results()
            .toList();
    assertThat(paths).extracting(p -> p.group(1)).containsExactly("PATH", "PYTHONPATH", "MANPATH");
    assertThat(paths).allMatch(p -> Files.isDirectory(site.resolve(p.group(2))));
  }

  @Test
  void theDemosArchiveHoldsAllThatASitesDoesAndTheExperiments() throws Exception {
    Path demo = unpacked("-demo");
    assertThat(ours(demo)).containsAll(PRODUCT).containsAll(EXPERIMENTS);
    assertThat(filesWithoutJars(demo)).containsAll(filesWithoutJars(unpacked("")));
    assertThat(jarsNaming(demo, "emulated")).hasSize(1);
  }

  @Test
  void aSitesDemoSaysInOneLineWhatItNeeds() throws Exception {
    Path site = unpacked("");
    for (String verb : List.of("demo", "report")) {
      var ended = eley(site, verb, "--quick");
      assertThat(ended.code()).isEqualTo(1);
      assertThat(ended.out()).isEmpty();
      assertThat(ended.err().lines()).hasSize(1);
      assertThat(ended.err())
          .startsWith("eley: `eley " + verb + "` needs the experiments")
          .contains(archive("-demo").getFileName().toString());
    }
  }

  @Test
  void aSiteHasTheIorLoadWithoutTheEmulatedPfs() throws Exception {
    Path site = unpacked("");
    var written = eley(site, "ior", "-w", "-q", "-b", "64k", "-t", "16k", "-o", temp + "/f");
    assertThat(written.code()).as(written.err()).isZero();
    assertThat(written.out()).contains("Summary of all tests:");
    var refused = eley(site, "ior", "-w", "-o", "emulated://127.0.0.1:1/f");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).startsWith("eley: no storage adapter for 'emulated:");
  }

  @Test
  void theDemosArchiveHasTheVerbsOfExperiments() throws Exception {
    Path demo = unpacked("-demo");
    assertThat(eley(demo, "demo", "--help").out()).contains("--quick", "--capacity");
    assertThat(eley(demo, "report", "--help").out()).contains("show", "html", "check");
    var bad = eley(demo, "demo", "--size", "many");
    assertThat(bad.code()).isEqualTo(2);
    assertThat(bad.err()).startsWith("eley: ").contains("not a size: 'many'");
    var withoutSpark = eley(demo, "demo", "--out", temp + "/out");
    assertThat(withoutSpark.code()).isEqualTo(1);
    assertThat(withoutSpark.err().lines()).hasSize(1);
    assertThat(withoutSpark.err()).contains("SPARK_HOME");
  }

  /** Whatever becomes of what was stored, the command runs and complains of nothing. */
  @Test
  void classesThatWereStoredAreUsedWhereTheyFit() throws Exception {
    Path site = unpacked("");
    var made = run(LONG, site.resolve("bin/make-class-archive").toString());
    assertThat(made.code()).as(made.err()).isZero();
    assertThat(made.out()).containsPattern("lib/eley.jsa: \\d+ MiB of classes\n");
    assertThat(
            run(SHORT, "env", "ELEY_JAVA_OPTS=-Xlog:class+load", site + "/bin/eley", "--version")
                .out())
        .contains("io.eley.cli.Main source: shared objects file", "protocol ");
    Path moved = Files.move(site, temp.resolve("moved"));
    assertThat(eley(moved, "--version").out()).contains("protocol ");
    Files.writeString(moved.resolve("lib/eley.jsa"), "damaged");
    var damaged = eley(moved, "--version");
    assertThat(damaged.out()).contains("protocol ");
    assertThat(damaged.err()).isEmpty();
  }

  @Test
  void classesAreStoredWhateverEngineASiteHasAndKeptWhenThatFails() throws Exception {
    Path site = unpacked("");
    Path conf = site.resolve("conf/eley.conf");
    Files.writeString(conf, "engine = alluxio\nalluxio-master = h:1\n");
    var made = run(LONG, site.resolve("bin/make-class-archive").toString());
    assertThat(made.code()).as(made.err()).isZero();

    byte[] stored = Files.readAllBytes(site.resolve("lib/eley.jsa"));
    Files.writeString(conf, "eley.no.such = 1\n");
    var failed = run(SHORT, site.resolve("bin/make-class-archive").toString());
    assertThat(failed.code()).isOne();
    assertThat(Files.readAllBytes(site.resolve("lib/eley.jsa"))).isEqualTo(stored);
    try (var archives = Files.list(site.resolve("lib"))) {
      assertThat(archives.filter(f -> f.getFileName().toString().startsWith("eley.jsa")))
          .hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-demo"})
  void whatIsOfOthersIsNamedWithItsLicence(String kind) throws Exception {
    Path unpacked = unpacked(kind);
    var parts = new TreeSet<String>(List.of("echarts", "zrender", "tslib")); // in a jar of ours
    try (var files = Files.list(unpacked.resolve("lib"))) {
      files
          .map(f -> f.getFileName().toString())
          .filter(n -> n.endsWith(".jar") && !n.startsWith("eley-"))
          .forEach(n -> parts.add(n.replaceAll("-\\d.*", "")));
    }
    assertThat(parts).hasSizeGreaterThan(20);
    assertThat(unpacked.resolve("licences").toFile().list())
        .containsExactlyInAnyOrder(parts.toArray(String[]::new));
    for (String part : parts) {
      assertThat(unpacked.resolve("licences").resolve(part).toFile().list()).isNotEmpty();
    }
    assertThat(Files.readAllLines(unpacked.resolve("THIRD-PARTY"))).hasSameSizeAs(parts);
    assertThat(Files.readString(unpacked.resolve("NOTICE"))).contains("---- jackson-core");
    assertThat(Files.readString(unpacked.resolve("eley.cdx.json")).split("\"purl\"", -1))
        .hasSize(parts.size() + 2); // and Eley itself
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-demo"})
  void aChecksumLiesBesideTheArchive(String kind) throws Exception {
    Path sum = Path.of(archive(kind) + ".sha256");
    var ended = run("sh", "-c", "cd " + sum.getParent() + " && sha256sum -c " + sum.getFileName());
    assertThat(ended.code()).as(ended.err()).isZero();
  }

  private Path unpacked(String kind) throws Exception {
    Path directory = temp.resolve("unpacked" + kind);
    if (Files.isDirectory(directory)) {
      return directory;
    }
    Files.createDirectory(directory);
    var ended =
        run("tar", "-xzf", archive(kind) + "", "-C", directory + "", "--strip-components=1");
    assertThat(ended.code()).as(ended.err()).isZero();
    return directory;
  }

  private static Path archive(String kind) throws Exception {
    Path target = Path.of(System.getProperty("eley.root"), "deploy", "target");
    try (var files = Files.list(target)) {
      return files
          .filter(f -> f.getFileName().toString().endsWith(kind + ".tar.gz"))
          .filter(f -> f.toString().contains("-demo") == kind.equals("-demo"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** The modules whose jars are there. */
  private static Set<String> ours(Path unpacked) throws Exception {
    var names = new TreeSet<String>();
    try (var files = Files.list(unpacked.resolve("lib"))) {
      files
          .map(f -> f.getFileName().toString())
          .filter(n -> n.startsWith("eley-"))
          .forEach(n -> names.add(n.replaceAll("^eley-(.*?)-\\d.*", "$1")));
    }
    return names;
  }

  private static List<Path> jarsNaming(Path unpacked, String word) throws Exception {
    try (var files = Files.list(unpacked.resolve("lib"))) {
      var naming = new ArrayList<Path>();
      for (Path jar : files.filter(f -> f.getFileName().toString().startsWith("eley-")).toList()) {
        try (var zip = new ZipFile(jar.toFile())) {
          if (zip.stream().anyMatch(e -> e.getName().contains(word))) {
            naming.add(jar);
          }
        }
      }
      return naming;
    }
  }

  private static Set<String> filesWithoutJars(Path unpacked) throws Exception {
    try (var files = Files.walk(unpacked)) {
      var names = new TreeSet<String>();
      files
          .map(f -> unpacked.relativize(f).toString())
          .filter(n -> !n.endsWith(".jar"))
          .forEach(names::add);
      return names;
    }
  }

  private Ended eley(Path unpacked, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(unpacked.resolve("bin/eley").toString()));
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new));
  }

  private Ended run(String... command) throws Exception {
    return run(SHORT, command);
  }

  private Ended run(Duration patience, String... command) throws Exception {
    Path out = Files.createTempFile(temp, "run", ".out");
    Path err = Files.createTempFile(temp, "run", ".err");
    var builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().remove("SPARK_HOME");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
