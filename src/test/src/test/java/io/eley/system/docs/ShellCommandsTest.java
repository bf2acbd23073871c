package io.eley.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellCommandsTest {
  private static List<List<String>> of(String page) {
    return ShellCommands.of(page.lines().toList());
  }

  @Test
  void fencedAndIndentedBlocksHoldCommandsAndProseDoesNot() {
    assertThat(
            of(
                """
                eley stop is prose

                ```
                ./eley status   # looks
                ```

                    $ ~/eley/bin/eley why
                    because nothing is held
                """))
        .containsExactly(List.of("./eley", "status"), List.of("~/eley/bin/eley", "why"));
  }

  @Test
  void aCommandEndsWhereTheShellSaysSo() {
    assertThat(
            of(
                """
                ```console
                root# cd /
                A=/x/y eley start -D a.b=1 \\
                    --origin '/mnt/a b' > log 2>&1 &
                me$ eley jobs --json | jq -r '.jobs'
                mounts=$(deploy/testbed up --rate 20mbps)
                ```
                """))
        .containsExactly(
            List.of("cd", "/"),
            List.of("eley", "start", "-D", "a.b=1", "--origin", "/mnt/a b"),
            List.of("eley", "jobs", "--json"));
  }

  @Test
  void whatIsPrintedOrDrawnIsNoCommand() {
    assertThat(
            of(
                """
                ```
                eley-node ──► origin
                eley: ready after 9 s
                spark.executor.cores 2
                ```
                """))
        .isEmpty();
  }

  @Test
  void aCellOfPythonIsOne() {
    assertThat(of("```python\nimport eley\neley.spark()\n```\n"))
        .containsExactly(List.of("python"));
  }

  @Test
  void aProgramIsKnownWithoutItsDirectory() {
    assertThat(ShellCommands.program(List.of("/opt/eley/bin/eley", "status"))).isEqualTo("eley");
    assertThat(ShellCommands.program(List.of("./eley"))).isEqualTo("eley");
    assertThat(ShellCommands.program(List.of(".ci/run"))).isEqualTo("run");
  }
}
