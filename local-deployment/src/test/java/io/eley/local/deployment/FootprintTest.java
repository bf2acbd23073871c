package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that becomes the program which it was told to be: it has no arguments meanwhile. */
@Timeout(60)
class FootprintTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final long PID = 7;
  private static final List<String> COMMAND = List.of("sleep", "1000");
  private final AtomicInteger looks = new AtomicInteger();
  private Footprint noted;

  @BeforeEach
  void footprint() throws IOException {
    String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    noted = new Footprint("12345@" + boot, Footprint.digest(COMMAND));
  }

  /** One whose arguments are empty for so many looks. */
  private Footprint.Proc process(String state, String start, int emptyLooks) {
    return (pid, file) -> {
      assertThat(pid).isEqualTo(PID);
      String text =
          switch (file) {
            case "stat" -> PID + " (a name) " + state + " 0".repeat(18) + " " + start + " 0";
            case "cmdline" ->
                looks.incrementAndGet() <= emptyLooks ? "" : String.join("\0", COMMAND) + "\0";
            default -> throw new AssertionError(file);
          };
      return text.getBytes(StandardCharsets.UTF_8);
    };
  }

  @Test
  void aProcessIsTheOneWhoseArgumentsComeAMomentLater() {
    assertThat(noted.isOf(PID, process("R", "12345", 0), LONG)).isTrue();
    assertThat(looks).hasValue(1);
    assertThat(noted.isOf(PID, process("R", "12345", 4), LONG)).isTrue();
    assertThat(looks).hasValue(5);
  }

  @Test
  void oneThatNeverHasArgumentsIsSomebodyElses() {
    assertThat(noted.isOf(PID, process("S", "12345", Integer.MAX_VALUE), Duration.ofSeconds(1)))
        .isFalse();
    assertThat(looks.get()).isGreaterThan(1);
  }

  @Test
  void neitherOneThatHasEndedNorAnotherStartIsWaitedFor() {
    assertThat(noted.isOf(PID, process("Z", "12345", 1), LONG)).isFalse();
    assertThat(looks).hasValue(1);
    assertThat(noted.isOf(PID, process("R", "12346", 1), LONG)).isFalse();
    assertThat(looks).as("its arguments").hasValue(1);
  }
}
