package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code eley salloc}: with a terminal, as a person has it, and without. */
@Timeout(500)
class InteractiveTest extends JobSite {
  private static final String PROMPT = "ready-to-type> ";

  private String[] salloc(String... command) {
    var words = new ArrayList<>(List.of(sbatch(NOBODY, List.of(), command)));
    words.set(words.indexOf("sbatch"), "salloc");
    words.removeIf(word -> word.equals("-S") || word.startsWith("--output="));
    return words.toArray(String[]::new);
  }

  /** A shell whose prompt can be told from everything else. */
  private PseudoTerminal shell() throws Exception {
    Path rc = base.resolve("rc");
    Files.writeString(rc, "PS1='" + PROMPT + "'\n");
    run("chmod", "a+r", rc.toString());
    var environment = new HashMap<>(slurm.environment());
    environment.put("HOME", home(NOBODY).toString());
    environment.put("SPARK_HOME", site.resolve("spark").toString());
    environment.put("TERM", "dumb");
    return new PseudoTerminal(
        List.of("setpriv", "--reuid=" + NOBODY.id(), "--regid=" + NOBODY.id(), "--clear-groups"),
        environment,
        String.join(" ", salloc("bash", "--noprofile", "--rcfile", rc.toString(), "-i")),
        base.resolve("shown.txt"));
  }

  private static long job(String shown) {
    return Long.parseLong(shown.replaceAll("(?s).*Granted job allocation (\\d+).*", "$1"));
  }

  /** As a notebook's server would be run, without a terminal around it. */
  @Test
  void aCommandHasAnAllocationAroundIt() throws Exception {
    String said = as(NOBODY, salloc(sparkJob()));
    assertThat(said)
        .containsSubsequence(
            "Granted job allocation", "ready after", "until " + wordCount(), "exit code 0");
    sameDigest(said);
    long job = job(said);
    nothingIsLeftOf(List.of(job));
    slurm.await(() -> !Files.exists(jobs(NOBODY).resolve("" + job)), "its directory is left");
  }

  @Test
  void aShellHasThePromptCtrlCAndATidyEnd() throws Exception {
    try (PseudoTerminal terminal = shell()) {
      slurm.await(() -> terminal.shown().contains(PROMPT), "no prompt: " + terminal.shown());
      long job = job(terminal.shown());
      terminal.type("tty && echo beg''un && sleep 1000\n");
      slurm.await(() -> terminal.shown().contains("\nbegun"), "not typed: " + terminal.shown());
      terminal.type(PseudoTerminal.CTRL_C);
      // What was interrupted is the command alone; the shell goes on, and so does all around it.
      terminal.type("echo on''ward $?\n");
      slurm.await(() -> terminal.shown().contains("\nonward 130"), "gone: " + terminal.shown());
      terminal.type(eley() + " why\n");
      slurm.await(
          () -> terminal.shown().contains("2 of 2 nodes say"), "no buffer: " + terminal.shown());
      terminal.type("exit 3\n");
      assertThat(terminal.status()).as(terminal.shown()).isEqualTo(3);
      assertThat(terminal.shown())
          .containsSubsequence("ready after", "until bash ends", PROMPT, "/dev/pts/", "exit code 3")
          .doesNotContain("not a tty")
          .doesNotContain("job control");
      nothingIsLeftOf(List.of(job));
    }
  }

  @Test
  void ctrlCWhileItComesUpLeavesNothing() throws Exception {
    try (PseudoTerminal terminal = shell()) {
      slurm.await(
          () -> terminal.shown().contains("Granted job allocation"),
          "no allocation: " + terminal.shown());
      long job = job(terminal.shown());
      Path log = jobs(NOBODY).resolve(job + "/logs/coordinator.log");
      slurm.await(() -> Files.exists(log), "never there: " + log);
      terminal.type(PseudoTerminal.CTRL_C);
      assertThat(terminal.status()).as(terminal.shown()).isEqualTo(130);
      assertThat(terminal.shown()).contains("exit code 130").doesNotContain(PROMPT);
      nothingIsLeftOf(List.of(job));
    }
  }
}
