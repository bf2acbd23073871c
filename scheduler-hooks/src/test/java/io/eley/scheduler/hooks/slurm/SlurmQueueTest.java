package io.eley.scheduler.hooks.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import io.eley.controller.phase.Sighting;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.command.Commands;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of a large site's jobs, of which little is kept. */
@Timeout(60)
class SlurmQueueTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final byte[] RUNNING = job(7, "RUNNING");
  private static final byte[] PENDING = job(8, "PENDING");

  @TempDir private Path temp;

  /** As a real Slurm prints it, after a comma: more than 6 KiB. */
  private static byte[] job(long id, String state) {
    try {
      var job = (ObjectNode) JSON.readTree(text("recorded/squeue-24.05.8.json")).at("/jobs/0");
      job.put("job_id", id).putArray("job_state").add(state);
      return bytes("," + job.toPrettyString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(String name) throws IOException {
    try (var in = SlurmQueueTest.class.getResourceAsStream("/slurm/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(bytes(text));
  }

  /** A list as it comes: whoever wants all of it at once keeps it himself. */
  private static InputStream list(Stream<byte[]> jobs) {
    var first = Stream.of(bytes("{\"meta\": {}, \"jobs\": [7"));
    var last = Stream.of(bytes("], \"errors\": []}"));
    List<ByteArrayInputStream> pieces =
        Stream.of(first, jobs, last).flatMap(each -> each).map(ByteArrayInputStream::new).toList();
    return new SequenceInputStream(Collections.enumeration(pieces));
  }

  /** One job in ten runs. */
  private static Stream<byte[]> jobs(int count) {
    return IntStream.range(0, count).mapToObj(i -> i % 10 == 0 ? RUNNING : PENDING);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "squeue-22.05",
        "squeue-23.11",
        "squeue-24.05",
        "squeue-25.05",
        "squeue-25.05-complex",
        "recorded/squeue-22.05.8",
        "recorded/squeue-23.11.11",
        "recorded/squeue-24.05.8",
        "recorded/squeue-25.05.8",
        "recorded/squeue-26.05.3"
      })
  void anAbridgedListSaysTheSame(String name) throws Exception {
    String whole = text(name + ".json");
    String abridged = SlurmQueue.abridged(stream(whole));
    assertThat(abridged.length()).isLessThan(whole.length() / 4);
    assertThat(SlurmQueue.parse(abridged)).hasSize(3).isEqualTo(SlurmQueue.parse(whole));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "[]",
        "7",
        "{\"jobs\": null}",
        "slurm_load_jobs error",
        "{\"jobs\": [",
        "{\"jobs\": [{\"job_id\": 7",
        "{\"jobs\": [], \"errors\": ["
      })
  void whatIsNoListIsNoneAbridged(String text) throws Exception {
    String abridged = SlurmQueue.abridged(stream(text));
    assertThatThrownBy(() -> SlurmQueue.parse(abridged))
        .isInstanceOf(SignalException.class)
        .hasMessage(catchThrowable(() -> SlurmQueue.parse(text)).getMessage());
  }

  /** Slurm hands on a name's bytes as they are; one user's must not hide all jobs. */
  @Test
  void aNameOfOtherBytesThanUtf8HidesNobody() throws Exception {
    String two =
        """
        {"jobs": [{"job_id": 7, "name": "café", "job_state": "RUNNING"},
                  {"job_id": 8, "name": "ior", "job_state": "RUNNING"}]}
        """;
    var latin = new ByteArrayInputStream(two.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(SlurmQueue.parse(SlurmQueue.abridged(latin)))
        .extracting(SlurmJob::name)
        .containsExactly("caf\ufffd", "ior");
  }

  /** Of some 70 MiB; what is told only to be passed over is never in memory at once. */
  @Test
  void aLongListTakesTheMemoryOfWhatIsKept() throws Exception {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assertThat(RUNNING).hasSizeGreaterThan(6 << 10);
    assertThat(SlurmQueue.parse(SlurmQueue.abridged(list(jobs(100))))).hasSize(10);
    try (var printed = list(jobs(10_000))) {
      long before = threads.getCurrentThreadAllocatedBytes();
      String abridged = SlurmQueue.abridged(printed);
      long took = threads.getCurrentThreadAllocatedBytes() - before;
      System.out.printf("a list of 10,000 jobs: %d bytes allocated%n", took);
      assertThat(took).as("allocated in all").isLessThan(48 << 20);
      assertThat(SlurmQueue.parse(abridged)).hasSize(1000);
    }
  }

  @Test
  void moreRunningJobsThanMayBeKeptAreRefused() {
    byte[] job = bytes(",{\"job_id\": 7, \"job_state\": \"RUNNING\"}");
    assertThatThrownBy(() -> SlurmQueue.abridged(list(Stream.generate(() -> job).limit(100_000))))
        .isInstanceOf(IOException.class)
        .hasMessage("more than 8388608 bytes of running jobs");
  }

  /** More than may be kept of what another program prints. */
  @Test
  void aLargeSitesJobsAreSeen() throws Exception {
    Path list = temp.resolve("list");
    var jobs =
        IntStream.rangeClosed(1, 4000).mapToObj(i -> job(i, i % 10 == 0 ? "RUNNING" : "PENDING"));
    try (var printed = list(jobs)) {
      Files.copy(printed, list);
    }
    assertThat(Files.size(list)).isGreaterThan(CommandRunner.Keeping.MOST);
    var commands = new Commands(Duration.ofSeconds(30), Map.of());
    var sampler =
        new SlurmSampler(
            new SiteCommands(commands, list),
            HpcRule.parse("*"),
            SlurmSampler.Frequency.alone(Duration.ofSeconds(1)),
            System::nanoTime);
    List<Sighting> unused = sampler.sample();
    assertThat(sampler.blindness().seen()).isEqualTo("the I/O of 400 of 400 running jobs is seen");
  }

  /** Real programs, whose list of jobs is a file. */
  private record SiteCommands(CommandRunner real, Path list) implements CommandRunner {
    private List<String> of(List<String> command) {
      return command.get(0).equals("squeue") ? List.of("cat", list.toString()) : List.of("true");
    }

    @Override
    public Output run(List<String> command) throws SignalException, InterruptedException {
      return real.run(of(command));
    }

    @Override
    public Output run(List<String> command, Keeping keeping)
        throws SignalException, InterruptedException {
      return real.run(of(command), keeping);
    }
  }
}
