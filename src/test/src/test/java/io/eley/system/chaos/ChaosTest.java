package io.eley.system.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The short form of {@code eley chaos}. What it asserts holds on a busy machine, too: bytes and
 * failures. How long readers stood still is printed, and judged by {@link
 * io.eley.bb.api.client.ClientKeys#SILENCE}'s own tests and by the command on a quiet machine.
 */
@Tag("system")
@Timeout(300)
class ChaosTest {
  @Test
  void noByteIsWrongAndNoReadFailsWhateverHappensToTheDeployment() {
    long base = Long.getLong("eley.test.base", System.nanoTime() >>> 16);
    long seed = Long.getLong("eley.test.seed", base);
    var out = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out))
            .execute("chaos", "--runs", "10", "--standstill", "30", "--seed", Long.toString(seed));
    System.out.println(out);
    assertThat(out.toString())
        .contains("| runs | 10, ", "| wrong bytes | 0 |", "| failed reads | 0 |");
    assertThat(code).as(out.toString()).isZero();
  }
}
