package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
