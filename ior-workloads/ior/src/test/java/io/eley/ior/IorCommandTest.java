package io.eley.ior;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.bb.api.config.DataSize;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class IorCommandTest {
  private static final int KIB = 1024;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int ior(String... arguments) {
    return IorCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private String file() {
    return directory.resolve("f").toString();
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  /** The rank that each KiB of a file holds in all its words. */
  private static List<Long> ranks(Path file) throws IOException {
    var words = ByteBuffer.wrap(Files.readAllBytes(file));
    var ranks = new ArrayList<Long>();
    while (words.hasRemaining()) {
      long rank = words.getLong();
      for (int i = Long.BYTES; i < KIB; i += Long.BYTES) {
        assertThat(words.getLong()).isEqualTo(rank);
      }
      ranks.add(rank);
    }
    return ranks;
  }

  @Test
  void aFileATaskHoldsItsRank() throws IOException {
    int code =
        ior("-w", "-F", "-k", "-b", "2k", "-t", "1k", "-s", "2", "-N", "3", "-o", file(), "-q");

    assertThat(code).isZero();
    assertThat(names()).containsExactly("f.00000000", "f.00000001", "f.00000002");
    assertThat(ranks(directory.resolve("f.00000000"))).containsExactly(0L, 0L, 0L, 0L);
    assertThat(ranks(directory.resolve("f.00000002"))).containsExactly(2L, 2L, 2L, 2L);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aSharedFileHoldsTheTasksBlocksSegmentBySegment() throws IOException {
    int code = ior("-w", "-k", "-b", "2k", "-t", "1k", "-s", "2", "-N", "3", "-o", file(), "-q");

    assertThat(code).isZero();
    assertThat(names()).containsExactly("f");
    assertThat(ranks(directory.resolve("f")))
        .containsExactly(0L, 0L, 1L, 1L, 2L, 2L, 0L, 0L, 1L, 1L, 2L, 2L);
  }

  @Test
  void theFilesAreRemovedUnlessTheyAreKept() throws IOException {
    int code = ior("-F", "-b", "1k", "-t", "1k", "-N", "2", "-i", "2", "-o", file(), "-e");

    assertThat(code).isZero();
    assertThat(names()).isEmpty();
    assertThat(err.toString().lines()).hasSize(4).allMatch(line -> line.startsWith("ior: "));
    assertThat(err.toString()).contains("ior: read 2 of 2: 0.0 MiB in ");
  }

  @Test
  void theTextGoesToStandardOutput() throws IOException {
    ior("-w", "-r", "-b", "64k", "-t", "16k", "-i", "3", "-o", file(), "-q");

    var result = IorOutputParser.parse(out.toString());
    assertThat(result.phases())
        .extracting(IorResult.Phase::operation)
        .containsExactly("write", "read", "write", "read", "write", "read");
    assertThat(result.settings().values()).containsEntry("blocksize", "64 KiB");
    assertThat(out.toString()).contains("ior -w -r -b 64k -t 16k -i 3 -o " + file() + " -q");
  }

  @Test
  void csvIsWrittenOnRequest() throws IOException {
    ior("-w", "-b", "1k", "-t", "1k", "-o", file(), "-q", "-O", "summaryFormat=CSV");

    assertThat(out.toString()).startsWith("access,bw(MiB/s),IOPS").hasLineCount(2);
    assertThat(IorOutputParser.parse(out.toString()).phases()).hasSize(1);
  }

  @Test
  void theSummaryGoesToItsFile() throws IOException {
    Path summary = directory.resolve("summary.json");

    int code =
        ior(
            "-w",
            "-b",
            "1k",
            "-t",
            "1k",
            "-o",
            file(),
            "-q",
            "-O",
            "summaryFormat=JSON",
            "-O",
            "summaryFile=" + summary);

    assertThat(code).isZero();
    assertThat(out.toString()).isEmpty();
    assertThat(IorOutputParser.parse(summary).phases()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "-Z, '', -Z",
    "-b, 12q, 12q",
    "-b, 1500, multiple of -t",
    "-t, 0, -t",
    "-s, 0, -s",
    "-N, 0, -N",
    "-i, 0, -i",
    "-d, -1, -d",
    "-b, 8388607t, more than a file can hold",
    "-a, MPIIO, POSIX",
    "-O, summaryFormat=XML, summaryFormat=XML",
    "-O, useO_DIRECT=1, useO_DIRECT",
  })
  void aBadOptionIsSaidInOneLine(String option, String value, String said) throws IOException {
    var arguments = new ArrayList<>(List.of("-w", "-o", file(), "-N2", "-s2"));
    // The option under test replaces its default.
    arguments.removeIf(a -> a.startsWith(option) && a.length() == 3);
    if (!option.equals("-t")) {
      arguments.addAll(List.of("-t", "1k"));
    }
    arguments.add(option);
    if (!value.isEmpty()) {
      arguments.add(value);
    }

    assertThat(ior(arguments.toArray(String[]::new))).isEqualTo(2);
    assertThat(err.toString()).hasLineCount(1).startsWith("ior: ").contains(said);
    assertThat(out.toString()).isEmpty();
    assertThat(names()).isEmpty();
  }

  @Test
  void aDirectoryThatIsMissingIsSaidInOneLine() {
    int code = ior("-w", "-o", directory.resolve("none/f").toString());

    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).contains("no directory").contains("none");
  }

  @Test
  void readingAFileThatIsTooShortFails() throws IOException {
    Files.write(directory.resolve("f"), new byte[KIB]);

    int code = ior("-r", "-k", "-b", "2k", "-t", "1k", "-o", file(), "-q");

    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).contains("ends at byte 1024");
    assertThat(names()).containsExactly("f");
  }

  @Test
  void processesDoTheSameAsThreads() throws IOException {
    int code =
        ior(
            "-w",
            "-r",
            "-F",
            "-k",
            "-b",
            "2k",
            "-t",
            "1k",
            "-N",
            "2",
            "-o",
            file(),
            "-q",
            "--processes");

    assertThat(code).isZero();
    assertThat(names()).containsExactly("f.00000000", "f.00000001");
    assertThat(ranks(directory.resolve("f.00000001"))).containsExactly(1L, 1L);
    var result = IorOutputParser.parse(out.toString());
    assertThat(result.phases()).hasSize(2);
    assertThat(result.phases()).allMatch(p -> p.times().total() > 0 && p.times().total() < 60);
    assertThat(result.summaries().get(0).tasks()).isEqualTo(2);
  }

  @Test
  void aProcessThatFailsIsSaidWithItsRank() throws IOException {
    Files.write(directory.resolve("f.00000000"), new byte[KIB]);

    int code =
        ior("-r", "-F", "-k", "-b", "1k", "-t", "1k", "-N", "2", "-o", file(), "-q", "--processes");

    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).contains("task 1").contains("f.00000001");
  }

  @Test
  void thePhaseLogHasTimesOfDay() throws IOException {
    Path log = directory.resolve("phases.jsonl");

    ior("-b", "2k", "-t", "1k", "-N", "2", "-o", file(), "-q", "--phase-log", log.toString());

    var lines = new ArrayList<JsonNode>();
    for (String line : Files.readAllLines(log)) {
      lines.add(new ObjectMapper().readTree(line));
    }
    assertThat(lines)
        .extracting(l -> l.path("event").asText() + " " + l.path("operation").asText())
        .containsExactly("begin write", "end write", "begin read", "end read");
    assertThat(lines).extracting(l -> l.path("epochMicros").asLong()).isSorted();
    assertThat(lines.get(1).path("bytes").asLong()).isEqualTo(4 * KIB);
    assertThat(lines.get(1).path("total").asDouble()).isPositive();
  }

  @Test
  void theRealIorIsNotAskedForWhatIsOurs() {
    int code = ior("--real", "-w", "-o", file(), "--phase-log", directory.resolve("l").toString());

    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).hasLineCount(1).contains("--phase-log does not go with --real");
  }

  @Test
  void theRealIorGetsTheSameOptionsInItsOwnLetters() {
    var options =
        new IorOptions(
            "/data/f",
            new IorOptions.Access(true, false, true, true, false),
            new IorOptions.Shape(DataSize.ofMebibytes(1), DataSize.ofMebibytes(4), 2, 3, 5),
            new IorOptions.Pacing(20, 0, false),
            true,
            0);

    assertThat(String.join(" ", options.letters()))
        .isEqualTo("-a POSIX -o /data/f -b 4m -t 1m -s 2 -i 5 -d 20 -D 0 -w -F -e -k");
  }
}
