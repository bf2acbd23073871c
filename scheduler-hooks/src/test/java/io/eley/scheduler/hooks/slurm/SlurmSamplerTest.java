package io.eley.scheduler.hooks.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Sighting;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.signal.SignalException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Slurm that is late, wrong, stuck, says things twice, or refuses. */
class SlurmSamplerTest {
  private static final long SECOND = 1_000_000_000L;

  private static final String SEEN = "the I/O of 1 of 1 running jobs is seen";

  private String queue = jobs("ior", 7);
  private String usage = "";
  private String complaint = "";
  private int status;
  private @Nullable SignalException failure;
  private int queueAsked;
  private Duration slurmTakes = Duration.ZERO;
  private Duration startsTake = Duration.ZERO;
  private long now;
  private final SlurmSampler sampler =
      new SlurmSampler(
          this::run,
          HpcRule.parse("*"),
          SlurmSampler.Frequency.alone(Duration.ofSeconds(2)),
          () -> now);

  private CommandRunner.Output run(List<String> command) throws SignalException {
    if (failure != null) {
      throw failure;
    }
    now += startsTake.toNanos();
    if (command.equals(List.of("sstat", "--version"))) {
      return new CommandRunner.Output(0, "slurm 22.05.8", "");
    }
    now += slurmTakes.toNanos();
    if (command.get(0).equals("squeue")) {
      queueAsked++;
      return new CommandRunner.Output(queue.isEmpty() ? 1 : 0, queue, complaint);
    }
    return new CommandRunner.Output(status, usage, complaint);
  }

  private static String jobs(String name, long id) {
    return jobs(name, id, "");
  }

  private static String jobs(String name, long id, String comment) {
    return "{\"jobs\":[{\"job_id\":"
        + id
        + ",\"name\":\""
        + name
        + "\",\"user_name\":\"alice\",\"job_state\":\"RUNNING\",\"comment\":\""
        + comment
        + "\"}]}";
  }

  private static String step(String step, long read, long written) {
    return step + "|cpu=1,fs/disk=" + read + "|fs/disk=" + written + "\n";
  }

  private List<Sighting> at(long seconds) throws Exception {
    now = seconds * SECOND;
    return sampler.sample();
  }

  private static Sighting ior(long from, long to, long bytes) {
    return new Sighting("ior@alice#7", from * SECOND, to * SECOND, bytes, false);
  }

  @Test
  void theDeltasOfAllStepsAreTheSignal() throws Exception {
    usage = step("7.batch", 100, 0);
    assertThat(at(1)).as("nobody knows since when").containsExactly(ior(1, 1, 0));
    usage = step("7.batch", 150, 20);
    assertThat(at(2)).containsExactly(ior(1, 2, 70));
    usage = step("7.batch", 150, 20) + step("7.0", 1000, 0);
    assertThat(at(3)).as("a new step counts whole").containsExactly(ior(2, 3, 1000));
    usage = step("7.batch", 150, 20);
    assertThat(at(4)).as("a step that is over takes nothing back").containsExactly(ior(3, 4, 0));
    usage = step("7.batch", 150, 20) + step("7.batch", 150, 20) + "garbage|\u0000|";
    assertThat(at(5)).as("lines twice").containsExactly(ior(4, 5, 0));
    assertThat(queueAsked).as("every two seconds").isEqualTo(3);
  }

  private void answer(String text, String errors) {
    usage = text;
    complaint = errors;
  }

  /** It comes back with all that it has ever moved, which nobody has moved since. */
  @Test
  void aStepThatOneAnswerLacksIsNoBurst() throws Exception {
    String both = step("7.0", 100_000_000_000L, 0) + step("7.1", 100_000_000_000L, 0);
    answer(both, "");
    assertThat(at(1)).containsExactly(ior(1, 1, 0));
    answer(
        step("7.0", 100_000_000_007L, 0),
        "sstat: error: problem getting step_layout for StepId=7.1: Communication connection failure");
    assertThat(at(2)).containsExactly(ior(1, 2, 7));
    answer(step("7.0", 100_000_000_007L, 0) + step("7.1", 100_000_000_000L, 0), "");
    assertThat(at(3)).containsExactly(ior(2, 3, 0));
    answer(step("7.0", 100_000_000_007L, 0) + step("7.1", 100_000_000_050L, 0), "");
    assertThat(at(4)).containsExactly(ior(3, 4, 50));
  }

  @Test
  void aStepThatTheFirstAnswerLacksIsNoBurst() throws Exception {
    answer(
        step("7.0", 10, 0),
        "sstat: error: problem getting step_layout for StepId=7.1: Communication connection failure");
    assertThat(at(1)).containsExactly(ior(1, 1, 0));
    answer(step("7.0", 10, 0) + step("7.1", 100_000_000_000L, 0), "");
    assertThat(at(2)).containsExactly(ior(1, 2, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aJobThatOneAnswerLacksIsNoBurst(int ended) throws Exception {
    answer(step("7.0", 100_000_000_000L, 0), "");
    at(1);
    answer("", "sstat: error: couldn't get steps for job 7");
    status = ended;
    assertThat(at(2)).as("no word of bytes, not 0 of them").isEmpty();
    assertThat(sampler.blindness())
        .as("it may just have ended")
        .isEqualTo(Blindness.NONE.seeing(SEEN));
    status = 0;
    answer(step("7.0", 100_000_000_000L, 0), "");
    assertThat(at(3)).containsExactly(ior(3, 3, 0));
    answer(step("7.0", 100_000_000_050L, 0), "");
    assertThat(at(4)).containsExactly(ior(3, 4, 50));
  }

  @Test
  void aJobThatIsLackingForLongIsNotSeen() throws Exception {
    answer("", "sstat: error: couldn't get steps for job 7");
    at(1);
    assertThat(at(2)).isEmpty();
    assertThat(sampler.blindness().seen())
        .isEqualTo("the I/O of 0 of 1 running jobs is seen, sstat tells nothing of 1");
    answer(step("7.0", 5, 0), "");
    at(3);
    assertThat(sampler.blindness().seen()).isEqualTo(SEEN);
  }

  /** Slurm says so, too, when slurmctld could not be asked for the allocation. */
  @ParameterizedTest
  @ValueSource(strings = {"sstat: error: No steps running for job 7", ""})
  void aJobThatHadNoStepsForAnAnswerIsNoBurst(String words) throws Exception {
    answer(step("7.0", 100_000_000_000L, 0), "");
    at(1);
    answer("", words);
    assertThat(at(2)).containsExactly(ior(1, 2, 0));
    assertThat(at(3)).containsExactly(ior(2, 3, 0));
    answer(step("7.0", 100_000_000_000L, 0) + step("7.1", 30, 0), "");
    assertThat(at(4)).as("a new step counts whole").containsExactly(ior(3, 4, 30));
  }

  @Test
  void anSstatThatFailsSaysSoAndNothingIsLost() throws Exception {
    answer(step("7.0", 100_000_000_000L, 0) + step("7.1", 1, 0), "");
    at(1);
    answer("", "sstat: fatal: Could not establish a configuration source");
    status = 1;
    assertThatThrownBy(() -> at(2))
        .isInstanceOf(SignalException.class)
        .hasMessage("sstat ended with status 1: " + complaint);
    answer(step("7.1", 1, 0), "");
    status = 137;
    assertThatThrownBy(() -> at(3)).as("killed half way").isInstanceOf(SignalException.class);
    answer(step("7.0", 100_000_000_050L, 0) + step("7.1", 1, 0), "");
    status = 0;
    assertThat(at(4)).containsExactly(ior(1, 4, 50));
  }

  private boolean saidAt(long seconds) throws Exception {
    return at(seconds).stream().anyMatch(Sighting::said);
  }

  /** It crashed in its phase, or forgot to say that the phase is over. */
  @Test
  void aWordWithoutBytesIsBelievedForFiveMinutes() throws Exception {
    queue = jobs("ior", 7, "phase=io");
    usage = step("7.batch", 100, 0);
    assertThat(saidAt(0)).isTrue();
    usage = step("7.batch", 100, 2 << 20);
    assertThat(saidAt(200)).as("bytes renew it").isTrue();
    usage = step("7.batch", 100, (2 << 20) + 4096);
    assertThat(saidAt(500)).as("a log's lines do not").isTrue();
    assertThat(saidAt(501)).isFalse();
    assertThat(sampler.blindness().seen())
        .isEqualTo(
            "the I/O of 1 of 1 running jobs is seen, the comment of 1 has said phase=io for 5 min"
                + " without I/O, or unseen for 60, and is not believed");
    usage = step("7.batch", 100, 9 << 20);
    assertThat(at(600)).as("its bytes are seen all the same").hasSize(1);
    assertThat(saidAt(602)).isFalse();
    queue = jobs("ior", 7);
    assertThat(saidAt(604)).isFalse();
    queue = jobs("ior", 7, "phase=io");
    assertThat(saidAt(606)).as("it was away").isTrue();
    assertThat(sampler.blindness()).isEqualTo(Blindness.NONE.seeing(SEEN));
  }

  /** Looks come so often in a phase that each shows less than a burst. */
  @Test
  void aJobThatWritesSteadilyKeepsItsWord() throws Exception {
    queue = jobs("ior", 7, "phase=io");
    for (long second = 0; second <= 400; second++) {
      usage = step("7.batch", 100, second * (512 << 10));
      assertThat(saidAt(second)).as("second %d", second).isTrue();
    }
  }

  @Test
  void theLinesOfALogDoNotAddUpToAPhase() throws Exception {
    queue = jobs("ior", 7, "phase=io");
    for (long second = 0; second <= 300; second++) {
      usage = step("7.batch", 100, second * (32 << 10));
      assertThat(saidAt(second)).as("second %d", second).isTrue();
    }
    usage = step("7.batch", 100, 301 * (32 << 10));
    assertThat(saidAt(301)).isFalse();
  }

  /** It may write for so long; and whoever sees it later begins anew. */
  @Test
  void aWordIsBelievedForAnHourWhereNobodySeesBytes() throws Exception {
    queue = jobs("ior", 7, "phase=io");
    complaint = "sstat: error: slurm_job_stat: Access/permission denied";
    assertThat(saidAt(0)).isTrue();
    assertThat(saidAt(3600)).isTrue();
    assertThat(saidAt(3601)).isFalse();
    assertThat(sampler.blindness().describe()).contains("the comment of 1", "sstat is denied");
    queue = jobs("ior", 7, "phase=io, checkpoint 2");
    assertThat(saidAt(3603)).as("another comment renews it").isTrue();
    queue = jobs("ior", 7, "checkpoint 2");
    assertThat(saidAt(3605)).isFalse();
  }

  /** As of all jobs where Slurm gathers no I/O: there the word is all that there is. */
  @Test
  void whereSlurmKnowsNoBytesAWordIsBelievedForAnHour() throws Exception {
    queue = jobs("ior", 7, "phase=io");
    usage = "7.batch||\n";
    assertThat(saidAt(0)).isTrue();
    assertThat(saidAt(1)).isTrue();
    assertThat(saidAt(3600)).isTrue();
    assertThat(saidAt(3601)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sstat: error: couldn't get steps for job 7",
        "sstat: error: No steps running for job 7"
      })
  void timeInWhichNobodyLookedIsNoQuiet(String words) throws Exception {
    queue = jobs("ior", 7, "phase=io");
    usage = step("7.batch", 100, 0);
    assertThat(saidAt(0)).isTrue();
    answer("", words);
    assertThat(saidAt(1)).isTrue();
    assertThat(saidAt(400)).isTrue();
    answer(step("7.batch", 100, 9 << 20), "");
    assertThat(saidAt(401)).as("looked at anew").isTrue();
    assertThat(saidAt(701)).isTrue();
    assertThat(saidAt(702)).as("for longer than a lease").isFalse();
  }

  /** Its bytes are in no answer. */
  @Test
  void aStepThatHasEndedSinceALookOfLongAgoMayHaveMovedAnything() throws Exception {
    queue = jobs("ior", 7, "phase=io");
    usage = step("7.batch", 100, 0) + step("7.0", 100, 0);
    assertThat(saidAt(0)).isTrue();
    usage = step("7.batch", 100, 0);
    assertThat(saidAt(420)).isTrue();
    assertThat(saidAt(720)).isTrue();
    assertThat(saidAt(721)).isFalse();
  }

  /** A job of many waits for its turn for minutes. */
  @Test
  void whatAJobHasMovedSinceALookOfLongAgoRenewsItsWord() throws Exception {
    queue = jobs("ior", 7, "phase=io");
    usage = step("7.batch", 100, 0);
    assertThat(saidAt(0)).isTrue();
    usage = step("7.batch", 100, 9 << 20);
    assertThat(saidAt(420)).isTrue();
    assertThat(saidAt(720)).isTrue();
    assertThat(saidAt(721)).isFalse();
  }

  @Test
  void aJobBetweenTwoStepsIsQuiet() throws Exception {
    usage = step("7.batch", 100, 0);
    at(1);
    usage = "";
    complaint = "sstat: error: No steps running for job 7";
    assertThat(at(2)).containsExactly(ior(1, 2, 0));
  }

  @Test
  void aSlowSlurmIsLeftAloneABusyHostIsNot() throws Exception {
    usage = step("7.batch", 100, 0);
    slurmTakes = Duration.ofMillis(100);
    at(1);
    assertThat(sampler.rest()).isZero();
    startsTake = Duration.ofMillis(400);
    at(4);
    assertThat(sampler.rest()).isZero();
    slurmTakes = Duration.ofMillis(300);
    at(7);
    assertThat(sampler.rest()).isEqualTo(Duration.ofMillis(9 * 200));
  }

  @Test
  void noJobsAreNoSightings() throws Exception {
    queue = "{\"jobs\":[]}";
    assertThat(at(1)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sstat: error: slurm_job_stat: Access/permission denied",
        "sstat: error: slurm_job_step_stat: Invalid user id",
        "sstat: error: slurm_job_step_stat: there was an error with the request to n1 rc = Invalid"
            + " user id\nsstat: error: problem getting step_layout for StepId=7.batch: Invalid user id"
      })
  void whatIsDeniedIsNoSilence(String words) throws Exception {
    complaint = words;
    assertThat(at(1)).as("no word of bytes, not 0 of them").isEmpty();
    assertThat(sampler.blindness().complete()).isTrue();
    assertThat(sampler.blindness().why())
        .contains("denied for the jobs of alice, 1 of 1", "owner or a Slurm operator");
  }

  @Test
  void aSlurmThatRefusesHangsOrTalksNonsenseIsOneClearError() {
    usage = "";
    complaint = "slurm_load_jobs error: Unable to contact slurm controller";
    queue = "";
    assertThatThrownBy(() -> at(9))
        .isInstanceOf(SignalException.class)
        .hasMessage("squeue failed: " + complaint);
    queue = "{\"jobs\": 7}";
    assertThatThrownBy(() -> at(19)).isInstanceOf(SignalException.class);
    failure = SignalException.failed("squeue did not end within 3000 ms");
    assertThatThrownBy(() -> at(29)).isSameAs(failure);
  }
}
