package io.eley.scheduler.hooks.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.phase.Sighting;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deployments of one user that share what Slurm tells one of them; time passes in tests alone. */
@Timeout(60)
class SharedAnswersTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long NOON = 1_800_000_000_000L;
  private static final Duration MOST = Duration.ofMinutes(10);

  @TempDir private Path temp;
  private Path shared;
  private final List<List<String>> asked = new ArrayList<>();
  private Duration took = Duration.ofMillis(10);
  private String text = "told";
  private long nanos = 7_000_000_000L;
  private long skew;
  private boolean stands;

  private final SlurmClock clock =
      new SlurmClock() {
        @Override
        public long nanos() {
          return nanos;
        }

        @Override
        public long millis() {
          return stands ? NOON : NOON + nanos / 1_000_000 + skew;
        }

        @Override
        public void rest(Duration time) {
          nanos += time.toNanos();
          assertThat(Duration.ofNanos(nanos)).as("time in the test").isLessThan(MOST);
        }
      };

  @BeforeEach
  void place() throws IOException {
    shared = temp.resolve("neighbours/slurm-hpc");
  }

  private Output run(List<String> command) {
    asked.add(command);
    nanos += took.toNanos();
    return new Output(0, text, "");
  }

  private SharedAnswers deployment() {
    return new SharedAnswers(this::run, clock, Optional.of(shared));
  }

  private static SharedAnswers.Question question(String... command) {
    return new SharedAnswers.Question(
        "steps",
        List.of(command),
        SECOND,
        Duration.ofSeconds(4),
        printed -> new String(printed.readAllBytes(), StandardCharsets.UTF_8) + ", abridged");
  }

  private static SharedAnswers.Question question() {
    return question("sstat", "7");
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void oneAsksForAllAndOthersKnowWhenItWas() throws Exception {
    var one = deployment();
    var other = deployment();
    for (int round = 0; round < 20; round++) {
      text = "round " + round;
      SharedAnswers.Answer own = one.next(question());
      pass(Duration.ofMillis(300));
      SharedAnswers.Answer told = other.next(question("sstat", "8"));
      assertThat(own.output().text()).isEqualTo("round " + round + ", abridged");
      assertThat(told.output().text()).isEqualTo("round " + round + ", abridged");
      assertThat(told.command()).as("what was asked").containsExactly("sstat", "7");
      assertThat(told.ended()).isEqualTo(own.ended());
      assertThat(told.took()).isEqualTo(own.took()).isEqualTo(took);
      pass(SECOND);
    }
    assertThat(asked).hasSize(20);
  }

  @Test
  void oneAnswerIsNotGivenTwiceAsTheNext() throws Exception {
    var one = deployment();
    var other = deployment();
    one.next(question());
    other.next(question());
    assertThat(other.latest(question()).output().text()).isEqualTo("told, abridged");
    long before = nanos;
    other.next(question());
    assertThat(asked).as("whoever asked is given up").hasSize(2);
    assertThat(Duration.ofNanos(nanos - before))
        .isBetween(Duration.ofMillis(2000), Duration.ofMillis(2400));
  }

  @Test
  void ofTwoThatBeganAtOnceOneGoesOn() throws Exception {
    var one = deployment();
    var other = deployment();
    one.next(question());
    Files.delete(shared.resolve("steps"));
    other.next(question());
    assertThat(asked).as("neither knew of the other").hasSize(2);
    for (int round = 1; round <= 10; round++) {
      pass(SECOND);
      if (round == 1) {
        one.next(question()); // reads the other's
      }
      other.next(question());
      if (round > 1) {
        one.next(question());
      }
      assertThat(asked).hasSize(2 + round);
    }
  }

  @Test
  void whoEndsLeavesNothingBehindAndTheNextAsksAtOnce() throws Exception {
    var one = deployment();
    var other = deployment();
    one.next(question());
    other.next(question());
    other.close();
    assertThat(shared.resolve("steps")).as("somebody else's").exists();
    one.close();
    assertThat(shared.resolve("steps")).doesNotExist();
    long before = nanos;
    other.next(question());
    assertThat(Duration.ofNanos(nanos - before)).isEqualTo(took);
  }

  /** As under a low limit of RPCs: a source counts as lost 6 s after its next sample is due. */
  @Test
  void whoeverAskedRarelyAndHasEndedIsReplacedBeforeTheSourceIsLost() throws Exception {
    var rare =
        new SharedAnswers.Question(
            "steps",
            List.of("sstat", "7"),
            Duration.ofSeconds(12),
            Duration.ofSeconds(4),
            question().keeping());
    var one = deployment();
    var other = deployment();
    one.next(rare);
    other.next(rare);
    long before = nanos;
    other.next(rare);
    assertThat(asked).hasSize(2);
    assertThat(Duration.ofNanos(nanos - before))
        .isBetween(Duration.ofSeconds(16), Duration.ofSeconds(17));
  }

  @Test
  void aSlowSlurmIsLeftAloneAsLongByAll() throws Exception {
    took = SECOND; // wants 8.1 s of rest, of which 4 s are given
    var one = deployment();
    var other = deployment();
    one.next(question());
    other.next(question());
    long before = nanos;
    other.next(question());
    assertThat(Duration.ofNanos(nanos - before))
        .isBetween(Duration.ofSeconds(6), Duration.ofMillis(6400));
  }

  @ParameterizedTest
  @ValueSource(longs = {-60_000, 60_000})
  void anAnswerOfAnotherTimeIsNotUsed(long away) throws Exception {
    var one = deployment();
    var other = deployment();
    one.next(question());
    skew = away;
    other.next(question());
    assertThat(asked).hasSize(2);
  }

  /** As ntpd or an administrator does: all hosts' answers are of earlier times from then on. */
  @ParameterizedTest
  @ValueSource(longs = {-400, -60_000, -3_600_000, 3_600_000})
  void aTimeOfDayThatIsSetSilencesNobody(long by) throws Exception {
    var one = deployment();
    var other = deployment();
    one.next(question());
    other.next(question());
    skew = by;
    for (int round = 0; round < 3; round++) {
      pass(SECOND);
      text = "round " + round;
      one.next(question());
      long before = nanos;
      SharedAnswers.Answer told = other.next(question());
      assertThat(told.output().text()).isEqualTo("round " + round + ", abridged");
      assertThat(told.ended()).isEqualTo(before);
      assertThat(nanos).as("waits for nothing").isEqualTo(before);
    }
    assertThat(asked).hasSize(4);
  }

  @Test
  void nobodyWaitsForTheTimeOfDay() throws Exception {
    stands = true;
    var one = deployment();
    var other = deployment();
    one.next(question());
    other.next(question());
    long before = nanos;
    other.next(question());
    assertThat(asked).as("whoever asked is given up").hasSize(2);
    assertThat(Duration.ofNanos(nanos - before))
        .isBetween(Duration.ofMillis(2000), Duration.ofMillis(2400));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "[]",
        "{\"eley\":2,\"writer\":\"x\",\"command\":[\"a\"],\"status\":0,\"text\":\"forged\"}",
        "{\"eley\":1,\"writer\":\"x\",\"command\":[],\"status\":0,\"text\":\"forged\"}",
        "{\"eley\":1,\"writer\":\"x\",\"command\":[\"a\"],\"began\":9,\"ended\":8,\"text\":\"forged\"}"
      })
  void whatMakesNoSenseIsNoAnswer(String forged) throws Exception {
    deployment().next(question());
    Files.writeString(shared.resolve("steps"), forged);
    assertThat(deployment().next(question()).output().text()).isEqualTo("told, abridged");
    assertThat(asked).hasSize(2);
  }

  @Test
  void aDirectoryThatOthersMayWriteToSharesNothing() throws Exception {
    Files.createDirectories(shared);
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(deployment().next(question()).output().text()).isEqualTo("told, abridged");
    assertThat(deployment().next(question()).output().text()).isEqualTo("told, abridged");
    assertThat(shared.resolve("steps")).doesNotExist();
  }

  @Test
  void whatIsSharedIsTheUsersAlone() throws Exception {
    deployment().next(question());
    assertThat(Files.getPosixFilePermissions(shared))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(Files.getPosixFilePermissions(shared.resolve("steps")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  // all of it
  // --------------------------------------------------------------------------------------

  private Output slurm(List<String> command) throws SignalException {
    Output unused = run(command);
    return command.get(0).equals("squeue")
        ? new Output(
            0,
            "{\"jobs\":[{\"job_id\":7,\"name\":\"ior\",\"user_name\":\"alice\","
                + "\"job_state\":\"RUNNING\",\"comment\":\"\",\"more\":\""
                + "x".repeat(1000)
                + "\"}]}",
            "")
        : new Output(0, "7.0|fs/disk=" + nanos / 1000 + "|fs/disk=0\n", "");
  }

  private SlurmSampler sampler(CommandRunner slurm) {
    var frequency = new SlurmSampler.Frequency(SECOND, SECOND, Optional.of(shared));
    var answers = new SharedAnswers(slurm, clock, Optional.of(shared));
    return new SlurmSampler(answers, HpcRule.parse("*"), frequency, "alice", clock::nanos);
  }

  @Test
  void tenDeploymentsAskAsOftenAsOneAndSeeTheSame() throws Exception {
    var ten = IntStream.range(0, 10).mapToObj(i -> sampler(this::slurm)).toList();
    var last = new ArrayList<List<Sighting>>();
    for (int second = 0; second < 60; second++) {
      last.clear();
      for (SlurmSampler each : ten) {
        last.add(each.sample());
        pass(Duration.ofMillis(20));
      }
      pass(Duration.ofMillis(800));
    }
    assertThat(asked.stream().filter(c -> c.get(0).equals("sstat"))).hasSize(60);
    assertThat(asked.stream().filter(c -> c.get(0).equals("squeue")).count()).isBetween(50L, 60L);
    assertThat(new HashSet<>(last)).as("bytes and times").hasSize(1);
    Sighting seen = last.get(0).get(0);
    assertThat(seen.application()).isEqualTo("ior@alice#7");
    assertThat(seen.bytesPerSecond()).isBetween(0.99e6, 1.01e6);
    assertThat(Files.size(shared.resolve("squeue"))).as("abridged").isLessThan(1000);
    ten.forEach(SlurmSampler::close);
    try (var left = Files.list(shared)) {
      assertThat(left).isEmpty();
    }
  }
}
