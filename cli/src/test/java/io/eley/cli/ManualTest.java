package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion and the manual pages of an installation. */
class ManualTest {
  @TempDir private Path temp;

  @Test
  void everyVerbHasAPageAndTheSameTreeGivesTheSameBytes() throws Exception {
    Manual.write(temp.resolve("a"));
    Manual.write(temp.resolve("b"));
    VerbsTest.commands()
        .forEach(
            typed -> {
              String page =
                  "man/man1/eley" + (typed.isEmpty() ? "" : "-") + String.join("-", typed);
              assertThat(temp.resolve("a/" + page + ".1"))
                  .hasSameBinaryContentAs(temp.resolve("b/" + page + ".1"));
            });
    assertThat(temp.resolve("a/bash-completion/completions/eley"))
        .hasSameBinaryContentAs(temp.resolve("b/bash-completion/completions/eley"));
    assertThat(Files.readString(temp.resolve("a/man/man1/eley-start.1")))
        .startsWith(".TH ELEY\\-START 1".replace("\\", ""))
        .contains(".B \\-\\-origin DIR", "number of nodes, 1 to 64 (default: 2)")
        .contains(" \\-\\-origin=DIR")
        .doesNotContain("${");
  }

  /** As a shell has it: the verb's options behind the verb. */
  @Test
  void bashCompletesVerbsAndTheirOptions() throws Exception {
    Manual.write(temp);
    assertThat(completed("eley", "sta")).contains("start", "status");
    assertThat(completed("eley", "status", "--js")).contains("--json");
  }

  /** As somebody types it: an interactive zsh behind a terminal of its own (zsh/zpty). */
  @Test
  void zshCompletesVerbsAndTheirOptions() throws Exception {
    assumeTrue(installed("zsh"), "there is no zsh here: apt-get install zsh");
    Manual.write(temp);
    assertThat(typedInZsh("eley stat", "status")).contains("eley status");
    assertThat(typedInZsh("eley status --js", "--json")).contains("eley status --json");
  }

  private static boolean installed(String program) {
    return Arrays.stream(System.getenv("PATH").split(":", -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  /** What its screen shows after TAB, control sequences left out. */
  private String typedInZsh(String typed, String expected) throws Exception {
    String script =
        """
        zmodload zsh/zpty zsh/zselect
        seen() { # waits for what is on the screen
          local all= more
          while [[ $all != *"$1"* ]]; do
            zpty -r -t shell more && all+=$more || zselect -t 2
          done
          print -r -- "$all"
        }
        zpty shell zsh -f -i
        zpty -w shell "PS1= ; source $1 ; print load''ed"
        seen loaded >/dev/null
        zpty -w -n shell "$2"$'\\t'
        seen "$3"
        zpty -d shell
        """;
    var zsh =
        new ProcessBuilder(
                "zsh",
                "-f",
                "-c",
                script,
                "zsh",
                temp.resolve("bash-completion/completions/eley").toString(),
                typed,
                expected)
            .redirectErrorStream(true);
    zsh.environment().put("HOME", temp.toString());
    var process = zsh.start();
    var said =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try {
      return said.get(30, TimeUnit.SECONDS).replaceAll("\u001b\\[[0-9;?]*[A-Za-z]", "");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private String completed(String... words) throws IOException, InterruptedException {
    String typed = String.join("' '", words);
    String script =
        "source '%s/bash-completion/completions/eley'; COMP_WORDS=('%s'); COMP_CWORD=%d;"
                .formatted(temp, typed, words.length - 1)
            + " _complete_eley; printf '%s ' \"${COMPREPLY[@]}\"";
    var bash = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true).start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return said;
  }
}
