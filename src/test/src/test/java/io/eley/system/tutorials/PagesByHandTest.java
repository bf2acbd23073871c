package io.eley.system.tutorials;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands on pages that are no tutorials, typed in their order by one user in one shell: each
 * must succeed. Sizes and pauses are small ones here. What is left out stands in docs/commands.md.
 */
@Tag("spark")
@Tag("system")
@Timeout(400)
class PagesByHandTest {
  /** Sizes of a real site, and what a test does with. */
  private static final Map<String, String> SMALL =
      Map.of("--memory 4g", "--memory 128m", "-b 1g", "-b 1m", "-b 4g", "-b 1m", "-d 20", "-d 0");

  @TempDir private Path temp;

  private HandMachine machine;

  @BeforeEach
  void aMachine() throws Exception {
    machine = HandMachine.in(temp);
    machine.put("spark-submit job.py bb:///input", "spark-submit " + wordCount());
    machine.put("/in/part-0", "/in/part-00000");
    machine.put("/nvme:200g", Files.createDirectory(temp.resolve("nvme")) + ":1g");
    SMALL.forEach(machine::put);
    Files.writeString(machine.home().resolve("checkpoint"), "state of the simulation");
    machine.bring(true);
  }

  private String wordCount() {
    return machine.here(
        "--master local[2] --class io.eley.workloads.WordCount /shared/workloads.jar"
            + " bb:///in bb:///counts 2");
  }

  @AfterEach
  void stop() throws Exception {
    machine.stop();
  }

  private Terminal open() throws Exception {
    Terminal terminal = machine.open();
    succeed(terminal, "mkdir eley");
    succeed(terminal, "tar -xzf eley-*.tar.gz -C eley --strip-components=1");
    succeed(terminal, machine.here("export SPARK_HOME=/shared/spark"));
    succeed(terminal, "export PATH=~/eley/bin:$SPARK_HOME/bin:$PATH");
    return terminal;
  }

  private static void succeed(Terminal terminal, String command) throws Exception {
    List<String> printed = terminal.run(command + "\ncode=$?");
    assertThat(terminal.run("echo $code")).as("%s: %s", command, printed).containsExactly("0");
    System.out.println("$ " + command + "\n" + String.join("\n", printed));
  }

  /** The lines of the page that begin with {@code eley}, but those that have one of the words. */
  private static List<String> commands(String page, String but) throws IOException {
    List<String> commands =
        Files.readAllLines(HandMachine.ROOT.resolve(page)).stream()
            .map(String::strip)
            .filter(line -> line.matches("(\\./)?eley [a-z].*") && !line.matches(but))
            .map(line -> line.replaceFirst("^\\./", ""))
            .toList();
    assertThat(commands).as(page).isNotEmpty();
    return commands;
  }

  private void type(Terminal terminal, String page, String but) throws Exception {
    for (String command : commands(page, but)) {
      succeed(terminal, machine.here(command));
    }
  }

  @Test
  void theReadme() throws Exception {
    try (var terminal = open()) {
      type(terminal, "README.md", "\\S+ (demo|sbatch).*");
    }
    assertThat(machine.origin().resolve("counts/_SUCCESS")).exists();
    assertThat(machine.origin().resolve("checkpoint")).exists();
  }

  @Test
  void whatPagesOfReferenceShow() throws Exception {
    try (var terminal = open()) {
      type(terminal, "docs/scratch.md", "none");
      // With Scratch in a deployment of its own; the next page has another one.
      succeed(terminal, "eley stop");
      type(terminal, "docs/scratch-room.md", "none");
      machine.put("--announce DEPLOYMENT", "--announce ~/.eley/deployment");
      type(terminal, "docs/ior.md", "none");
      // jq is not on every machine; what it is given is.
      if (terminal.run("command -v jq").isEmpty()) {
        succeed(terminal, "jq() { cat; }");
      }
      succeed(terminal, "set -o pipefail");
      type(terminal, "docs/json.md", "eley jobs.*");
    }
  }
}
