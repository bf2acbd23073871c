package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.system.InTurn;
import io.eley.system.origin.StoreProcess;
import io.eley.test.fixtures.LiveTree;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** {@code eley sbatch} over a store that is no mount, by the clients of the job's Spark. */
@Timeout(500)
class StoreJobTest extends JobSite {
  /** A node that a busy machine lets stand still is read from, not gone past. */
  private static final String PATIENT_CLIENTS =
      "SPARK_OPTIONS=--conf spark.hadoop.eley.client.silence=10s"
          + " --conf spark.hadoop.eley.client.connect-timeout=20s";

  private @Nullable StoreProcess store;

  @AfterEach
  void stopStore() {
    if (store != null) {
      store.close();
    }
  }

  private String[] command(String from, String... more) {
    var words = new ArrayList<>(List.of(sbatch(NOBODY, List.of(more), sparkJob())));
    words.replaceAll(word -> word.equals("--origin=" + origin) ? "--origin=" + from : word);
    return words.toArray(String[]::new);
  }

  @Test
  @InTurn(turn = 2, of = 3)
  void inputComesFromHdfsThroughTheBufferAndOutputReachesIt() throws Exception {
    var hdfs = StoreProcess.hdfs(Files.createDirectory(base.resolve("hdfs")));
    store = hdfs;
    var client = new Configuration();
    client.set("dfs.replication", "1");
    URI address = URI.create(hdfs.client().get("fs.defaultFS"));
    var data = new org.apache.hadoop.fs.Path("/data");
    try (var fs = FileSystem.newInstance(address, client)) {
      fs.mkdirs(data);
      fs.setPermission(data, new FsPermission((short) 0777)); // its user is whoever starts it
      fs.copyFromLocalFile(new org.apache.hadoop.fs.Path(origin.resolve("in").toUri()), data);
    }
    whatCannotBeReadIsRefusedInOneLineBeforeAnythingIsSubmitted(address);
    environment = List.of("env", PATIENT_CLIENTS);

    long job = submitted(command(address.resolve("/data").toString()));
    slurm.await(() -> over(job), "the Spark job does not end: " + output(NOBODY, job));
    mostCameFromRam(job);
    try (var fs = FileSystem.newInstance(address, new Configuration())) {
      assertThat(fs.exists(new org.apache.hadoop.fs.Path("/data/out/_SUCCESS"))).isTrue();
    }
    nothingIsLeftOf(List.of(job));
  }

  /** The credentials are in a file of the user's that nobody else reads, and stay there. */
  @Test
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  void inputComesFromS3AndTheSecretIsSeenNowhere() throws Exception {
    Path server = Files.createDirectory(base.resolve("server"));
    var s3 = StoreProcess.s3(server);
    store = s3;
    String secret = String.valueOf(s3.client().get("fs.s3a.secret.key"));
    var client = new Configuration();
    client.addResource(s3.client());
    var data = new org.apache.hadoop.fs.Path("s3a://bucket/data");
    try (var fs = FileSystem.newInstance(data.toUri(), client)) {
      fs.mkdirs(data);
      // S3A's own way from a local file takes one library more.
      var in = new org.apache.hadoop.fs.Path(origin.resolve("in").toUri());
      assertThat(FileUtil.copy(FileSystem.getLocal(client), in, fs, data, false, client)).isTrue();
    }
    Path credentials = credentials(s3.client());
    environment =
        List.of(
            "env",
            PATIENT_CLIENTS,
            "HADOOP_CONF_DIR=" + credentials.getParent(),
            "SPARK_HOME=" + sparkWithS3a());

    long job = submitted(command("s3a://bucket/data"));
    var commandLines = new TreeSet<String>();
    slurm.await(
        () -> {
          ProcessHandle.allProcesses()
              .flatMap(process -> process.info().commandLine().stream())
              .forEach(commandLines::add);
          return over(job);
        },
        "the Spark job does not end: " + output(NOBODY, job));
    mostCameFromRam(job);
    try (var fs = FileSystem.newInstance(data.toUri(), client)) {
      assertThat(fs.exists(new org.apache.hadoop.fs.Path(data, "out/_SUCCESS"))).isTrue();
    }
    assertThat(commandLines).anyMatch(line -> line.contains("s3a://bucket/data"));
    assertThat(commandLines).noneMatch(line -> line.contains(secret));
    assertThat(filesWith(secret))
        .as("logs, scripts, reports, what Slurm keeps")
        .containsExactlyInAnyOrder(credentials, server.resolve("written.xml"));
    nothingIsLeftOf(List.of(job));
  }

  private long submitted(String[] command) throws Exception {
    String answer = as(NOBODY, command);
    assertThat(answer).contains("submitted job ");
    return Long.parseLong(answer.replaceAll("(?s).*submitted job (\\d+).*", "$1"));
  }

  private void mostCameFromRam(long job) throws IOException {
    String output = output(NOBODY, job);
    assertThat(output).containsSubsequence("ready after", "exit code 0");
    sameDigest(output);
    assertThat(output)
        .as("most of it from RAM: nobody was told of a node that could not serve yet")
        .containsPattern("eley: \\d+ tasks of 1 application read \\d+m, ([6-9]\\d|100) % of it");
  }

  private Path credentials(Configuration client) throws Exception {
    Path directory = Files.createDirectory(home(NOBODY).resolve("hadoop"));
    Path file = directory.resolve("core-site.xml");
    try (var out = Files.newOutputStream(file)) {
      client.writeXml(out);
    }
    run("chmod", "600", file.toString());
    run("chmod", "700", directory.toString());
    run("chown", "-R", NOBODY.id() + ":" + NOBODY.id(), directory.toString());
    return file;
  }

  private Path sparkWithS3a() throws Exception {
    Path home = base.resolve("spark");
    run("cp", "-r", site.resolve("spark").toString(), home.toString());
    for (Path jar : StoreProcess.s3aJars()) {
      Path there = home.resolve("jars").resolve(jar.getFileName());
      if (!Files.exists(there)) {
        Files.copy(jar, there);
      }
    }
    run("chmod", "-R", "a+rX", home.toString());
    return home;
  }

  private List<Path> filesWith(String secret) throws IOException {
    var found = new ArrayList<Path>();
    for (Path file : LiveTree.files(base)) {
      if (!file.toString().endsWith(".jar") && LiveTree.text(file).contains(secret)) {
        found.add(file);
      }
    }
    return found;
  }

  private void whatCannotBeReadIsRefusedInOneLineBeforeAnythingIsSubmitted(URI address)
      throws Exception {
    assertThat(as(NOBODY, command(address.resolve("/none").toString())))
        .contains("/none cannot be used: File does not exist")
        .hasLineCount(1);
    Path none = base.resolve("no-jars");
    assertThat(as(NOBODY, command(address + "/data", "--origin-classpath=" + none + "/*")))
        .contains("--origin-classpath: there is no '" + none + "/*'");
    assertThat(slurm.run("squeue", "-h")).isBlank();
  }
}
