package io.eley.scheduler.hooks.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.scheduler.hooks.signal.SignalException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that misbehave. */
@Timeout(60)
@Tag("slow")
class CommandsTest {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  @TempDir Path temp;

  private static Commands within(int millis) {
    return new Commands(Duration.ofMillis(millis), Map.of("GREETING", "hello"));
  }

  private static List<String> shell(String script) {
    return List.of("sh", "-c", script);
  }

  @Test
  void whatItPrintsItsStatusAndItsComplaints() throws Exception {
    var output = within(20_000).run(shell("echo $GREETING; echo one >&2; echo two >&2; exit 3"));
    assertThat(output).isEqualTo(new CommandRunner.Output(3, "hello\n", "one\ntwo\n"));
    assertThat(output.complaint()).isEqualTo("one");
  }

  @Test
  void aPersonsFiltersOfSlurmsListsAreNotOurs() {
    var environment =
        new HashMap<>(
            Map.of("SQUEUE_USERS", "ada", "SCANCEL_PARTITION", "gpu", "SLURM_CONF", "/c"));
    Commands.prepare("squeue", environment);
    assertThat(environment).containsOnlyKeys("SLURM_CONF", "LC_ALL");
  }

  /** It hands all on to the job. */
  @Test
  void whatSubmitsHasItsUsersEnvironment() {
    var own = Map.of("SQUEUE_FORMAT", "%i", "LC_ALL", "de_DE.UTF-8");
    var environment = new HashMap<>(own);
    Commands.prepare("sbatch", environment);
    assertThat(environment).isEqualTo(own);
  }

  @Test
  void aProgramThatHangsIsKilledWithItsChildren() throws Exception {
    Path pid = temp.resolve("pid");
    assertThatThrownBy(() -> within(10_000).run(shell("sleep 1000 & echo $! > " + pid + "; wait")))
        .isInstanceOf(SignalException.class)
        .hasMessage("sh did not end within 10000 ms");
    long child = Long.parseLong(Files.readString(pid).strip());
    await().until(() -> ProcessHandle.of(child).map(p -> !p.isAlive()).orElse(true));
  }

  @Test
  void aProgramThatIsNotThereIsAbsent() {
    assertThatThrownBy(() -> within(500).run(List.of("no-such-program")))
        .isInstanceOfSatisfying(SignalException.class, e -> assertThat(e.isAbsent()).isTrue())
        .hasMessage("there is no no-such-program to run: No such file or directory");
    assertThatThrownBy(() -> new FirstPrint(PAUSE, PAUSE).of(List.of(temp.toString())))
        .hasMessage("there is no " + temp + " to run: Permission denied");
  }

  @Test
  void aProgramThatPrintsForEverIsCutOff() {
    assertThatThrownBy(() -> within(3000).run(shell("cat /dev/zero")))
        .isInstanceOf(SignalException.class);
  }

  @Test
  void ofALongOutputAPartMayBeKept() throws Exception {
    var longer = shell("echo first; head -c 40000000 /dev/zero; echo last >&2; exit 3");
    assertThatThrownBy(() -> within(50_000).run(longer))
        .isInstanceOf(SignalException.class)
        .hasMessageContaining("more than " + CommandRunner.Keeping.MOST + " bytes");
    var output = within(50_000).run(longer, printed -> new String(printed.readNBytes(6), US_ASCII));
    assertThat(output)
        .as("it ends by itself, though nobody wants the rest")
        .isEqualTo(new CommandRunner.Output(3, "first\n", "last\n"));
  }

  @Test
  void theFirstPrintOfAProgramThatNeverEnds() throws Exception {
    var first = new FirstPrint(Duration.ofSeconds(20), PAUSE);
    var print = first.of(shell("echo one; echo two; sleep 1000; echo three"));
    assertThat(print.text()).isEqualTo("one\ntwo\n");
    assertThat(print.age()).as("from its begin to the end of the pause").isGreaterThan(PAUSE);
    assertThat(first.of(shell("echo one")).text()).isEqualTo("one\n");
    assertThatThrownBy(
            () ->
                new FirstPrint(Duration.ofMillis(300), Duration.ofMillis(100))
                    .of(shell("sleep 1000")))
        .hasMessage("sh printed nothing within 300 ms");
  }
}
