package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.system.engine.RealAlluxio;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * {@code eley sbatch --engine alluxio}, over a real Alluxio of two workers, as an ordinary user.
 */
@EnabledIfSystemProperty(named = RealAlluxio.WANTED, matches = "true")
@Timeout(600)
class AlluxioJobTest extends JobSite {
  private static final Pattern JOINED = Pattern.compile("has joined in the view");

  private RealAlluxio alluxio;
  private Path client;

  @BeforeEach
  void startAlluxio() throws Exception {
    alluxio = new RealAlluxio(base.resolve("alluxio"), origin, 2, "64m", "4m");
    client = open(Files.createDirectory(base.resolve("client")));
    try (var jars = Files.newDirectoryStream(RealAlluxio.client())) {
      for (Path jar : jars) {
        Files.copy(jar, client.resolve(jar.getFileName()));
      }
    }
  }

  @AfterEach
  void stopAlluxio() {
    alluxio.close();
  }

  private String[] words(List<String> more, String... command) {
    var options =
        new ArrayList<>(List.of("--engine=alluxio", "--alluxio-master=" + alluxio.master(), "-D"));
    options.addAll(List.of("eley.alluxio.life=1m", "--alluxio-client=" + client));
    options.addAll(more);
    var words = new ArrayList<>(List.of(sbatch(NOBODY, options, command)));
    words.remove("--buffer-nodes=2");
    words.replaceAll(word -> word.equals("--buffer-memory=128m") ? "--buffer-memory=48m" : word);
    return words.toArray(String[]::new);
  }

  private long job(List<String> more, String... command) throws Exception {
    String answer = as(NOBODY, words(more, command));
    assertThat(answer).contains("submitted job ");
    return Long.parseLong(answer.replaceAll("(?s).*submitted job (\\d+).*", "$1"));
  }

  private String nodes(long job) throws Exception {
    return Files.readString(jobs(NOBODY).resolve(job + "/logs/nodes.log"));
  }

  private List<ProcessHandle> helpers() {
    return ProcessHandle.allProcesses()
        .filter(
            p ->
                p.info()
                    .commandLine()
                    .filter(c -> c.contains("java ") && c.contains(" node "))
                    .filter(c -> c.contains("eley.alluxio.master=" + alluxio.master()))
                    .isPresent())
        .toList();
  }

  /** A helper dies before the application begins, and is there again when it does. */
  @Test
  void itsBlocksAreInAlluxioAndItsHelpersOnAHostOfSparks() throws Exception {
    Path go = base.resolve("go");
    String late = "while ! [ -e %s ]; do sleep 0.2; done; exec %s %s %s";
    var spark = sparkJob();
    long job = job(List.of(), "bash", "-c", late.formatted(go, spark[0], spark[1], spark[2]));
    slurm.await(() -> output(NOBODY, job).contains("ready after"), "not ready");
    assertThat(output(NOBODY, job))
        .contains("48m in each of 2 workers of Alluxio, 2 Spark workers");
    assertThat(slurm.run("squeue", "-h", "-o", "%i %D").strip())
        .as("Spark's hosts alone")
        .isEqualTo(job + " 2");
    assertThat(as(NOBODY, eley(), "status", "" + job)).contains("FullDelay over " + origin);
    List<ProcessHandle> helpers = helpers();
    assertThat(helpers).hasSize(2);
    for (ProcessHandle each : helpers) {
      System.out.println(
          "a helper: "
              + Files.readString(Path.of("/proc/" + each.pid() + "/status"))
                  .lines()
                  .filter(l -> l.startsWith("VmHWM") || l.startsWith("RssAnon"))
                  .toList());
    }
    helpers.get(0).destroyForcibly();
    slurm.await(() -> JOINED.matcher(nodes(job)).results().count() == 3, "it does not return");
    assertThat(nodes(job)).contains("has ended with 137; it is started again");
    Files.createFile(go);
    slurm.await(() -> over(job), "the Spark job does not end: " + output(NOBODY, job));
    String output = output(NOBODY, job);
    assertThat(output).containsSubsequence("ready after", "exit code 0");
    sameDigest(output);
    assertThat(output)
        .containsPattern("eley: \\d+ tasks of 1 application read \\d+m, ([6-9]\\d|100) % of it");
    nothingIsLeftOf(List.of(job));
    assertThat(helpers()).isEmpty();
  }

  @Test
  void workersThatAreThereWhenItBeginsAreTaken() throws Exception {
    whatCannotBeServedIsRefusedInOneLineBeforeAnythingIsSubmitted();
    long job = job(List.of("-S", "--hold"), sparkJob());
    alluxio.kill(1);
    slurm.run("scontrol", "release", "" + job);
    slurm.await(() -> over(job), "the Spark job does not end: " + output(NOBODY, job));
    String output = output(NOBODY, job);
    assertThat(output)
        .containsSubsequence(
            "Alluxio had 2 workers at submission and has 1 now",
            "48m in each of 1 worker of Alluxio",
            "exit code 0");
    sameDigest(output);
    nothingIsLeftOf(List.of(job));

    long late = job(List.of("-S", "--hold"), sparkJob());
    alluxio.kill(2);
    slurm.run("scontrol", "release", "" + late);
    slurm.await(() -> over(late), "it does not end: " + output(NOBODY, late));
    assertThat(output(NOBODY, late))
        .contains("eley: Alluxio's master " + alluxio.master() + " has no workers", "exit code 1");
    nothingIsLeftOf(List.of(late));
    assertRefused(words(List.of(), sparkJob()), "has no workers");
    alluxio.kill(0);
    assertRefused(words(List.of(), sparkJob()), "no Alluxio master answers at ");
  }

  private void whatCannotBeServedIsRefusedInOneLineBeforeAnythingIsSubmitted() throws Exception {
    Path elsewhere = open(Files.createDirectory(base.resolve("elsewhere")));
    assertRefused(of(elsewhere.toString()), "Alluxio has not mounted " + elsewhere);
    assertRefused(of("hdfs://127.0.0.1:1/data"), "which hdfs://127.0.0.1:1/data is not");
    String[] words = words(List.of("--buffer-memory=1g"), sparkJob());
    assertRefused(without(words, "--buffer-memory=48m"), "less than --buffer-memory 1g");
    assertRefused(
        words(List.of("--buffer-nodes=2"), sparkJob()), "--buffer-nodes goes with our own nodes");
    words = of(elsewhere.toString());
    words[1] = "salloc";
    assertRefused(words, "Alluxio has not mounted " + elsewhere);
    assertThat(slurm.run("squeue", "-h")).isBlank();
  }

  private String[] of(String from) {
    String[] words = words(List.of(), sparkJob());
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i].equals("--origin=" + origin) ? "--origin=" + from : words[i];
    }
    return words;
  }

  private static String[] without(String[] words, String word) {
    var left = new ArrayList<>(List.of(words));
    left.remove(word);
    return left.toArray(String[]::new);
  }

  private void assertRefused(String[] words, String why) throws Exception {
    String answer = as(NOBODY, words);
    assertThat(answer).contains(why);
    assertThat(answer.lines().filter(line -> !line.startsWith("Try '"))).as(answer).hasSize(1);
  }
}
