package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.system.origin.StoreProcess;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code eley sbatch} over a store that is no mount: HDFS, by the clients of the job's Spark. */
@Timeout(300)
class StoreJobTest extends JobSite {
  private StoreProcess hdfs;
  private URI address;

  @BeforeEach
  void startHdfs() throws Exception {
    hdfs = StoreProcess.hdfs(Files.createDirectory(base.resolve("hdfs")));
    address = URI.create(hdfs.client().get("fs.defaultFS"));
    var client = new Configuration();
    client.set("dfs.replication", "1");
    var data = new org.apache.hadoop.fs.Path("/data");
    try (var fs = FileSystem.newInstance(address, client)) {
      fs.mkdirs(data);
      fs.setPermission(data, new FsPermission((short) 0777)); // its user is whoever starts it
      fs.copyFromLocalFile(new org.apache.hadoop.fs.Path(origin.resolve("in").toUri()), data);
    }
  }

  @AfterEach
  void stopHdfs() {
    hdfs.close();
  }

  private String[] command(String from, String... more) {
    var words = new ArrayList<>(List.of(sbatch(NOBODY, List.of(more), sparkJob())));
    words.replaceAll(word -> word.equals("--origin=" + origin) ? "--origin=" + from : word);
    return words.toArray(String[]::new);
  }

  @Test
  void itsInputComesThroughTheBufferAndItsOutputReachesIt() throws Exception {
    whatCannotBeReadIsRefusedInOneLineBeforeAnythingIsSubmitted();

    String answer = as(NOBODY, command(address.resolve("/data").toString()));
    assertThat(answer).contains("submitted job ");
    long job = Long.parseLong(answer.replaceAll("(?s).*submitted job (\\d+).*", "$1"));
    slurm.await(() -> over(job), "the Spark job does not end: " + output(NOBODY, job));
    String output = output(NOBODY, job);
    assertThat(output).containsSubsequence("ready after", "exit code 0");
    sameDigest(output);
    assertThat(output)
        .as("most of it from RAM: nobody was told of a node that could not serve yet")
        .containsPattern("eley: \\d+ tasks of 1 application read \\d+m, ([6-9]\\d|100) % of it");
    try (var fs = FileSystem.newInstance(address, new Configuration())) {
      assertThat(fs.exists(new org.apache.hadoop.fs.Path("/data/out/_SUCCESS"))).isTrue();
    }
    nothingIsLeftOf(List.of(job));
  }

  private void whatCannotBeReadIsRefusedInOneLineBeforeAnythingIsSubmitted() throws Exception {
    assertThat(as(NOBODY, command(address.resolve("/none").toString())))
        .contains("/none cannot be used: File does not exist")
        .hasLineCount(1);
    Path none = base.resolve("no-jars");
    assertThat(as(NOBODY, command(address + "/data", "--origin-classpath=" + none + "/*")))
        .contains("--origin-classpath: there is no '" + none + "/*'");
    assertThat(slurm.run("squeue", "-h")).isBlank();
  }
}
