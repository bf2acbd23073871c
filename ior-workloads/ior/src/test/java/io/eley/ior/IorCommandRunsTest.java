package io.eley.ior;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class IorCommandRunsTest {
  @TempDir private Path temp;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int ior(String... arguments) {
    return IorCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private int onFile(String arguments) {
    var all = new ArrayList<>(List.of("-o", file().toString()));
    all.addAll(List.of(arguments.split(" ")));
    return ior(all.toArray(String[]::new));
  }

  private Path file() {
    return temp.resolve("f");
  }

  private IorResult result() throws IOException {
    return IorOutputParser.parse(out.toString());
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(temp)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void writesAndReadsWhenNeitherIsAskedFor() throws IOException {
    assertThat(onFile("-b 512k -t 16k -s 2 -i 2 -N 2")).isZero();
    assertThat(result().phases())
        .extracting(p -> p.operation() + p.iteration())
        .containsExactly("write0", "read0", "write1", "read1");
    assertThat(result().settings().values())
        .containsEntry("access", "single-shared-file")
        .containsEntry("aggregate filesize", "2 MiB");
    assertThat(names()).isEmpty();
    assertThat(err.toString().lines())
        .hasSize(4)
        .first()
        .asString()
        .startsWith("ior: write 1 of 2: 2.0 MiB in ");
  }

  @Test
  void warmingUpLeavesNothingAndCountsForNothing() throws IOException {
    assertThat(onFile("-w -q -b 64k -t 16k -N 2 --warm-up 1m")).isZero();
    assertThat(result().phases()).hasSize(1);
    assertThat(result().settings().values()).containsEntry("aggregate filesize", "128 KiB");
    assertThat(names()).isEmpty();
    assertThat(onFile("-w -q -b 64k -t 16k --warm-up lots")).isEqualTo(2);
    assertThat(err.toString()).contains("lots");
  }

  @Test
  void aSharedFileHoldsEachTasksBlocksInItsSegments() throws IOException {
    assertThat(onFile("-w -k -q -b 64k -t 16k -s 2 -N 3")).isZero();
    assertThat(Files.size(file())).isEqualTo(2 * 3 * 64 * 1024);
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file()));
    for (int block = 0; block < 6; block++) {
      assertThat(bytes.getLong(block * 64 * 1024)).isEqualTo(block % 3);
      assertThat(bytes.getLong((block + 1) * 64 * 1024 - 8)).isEqualTo(block % 3);
    }
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void withFEachTaskHasAFileOfItsOwn() throws IOException {
    assertThat(onFile("-w -F -k -e -q -b 1m -t 256k -N 2")).isZero();
    assertThat(names()).containsExactly("f.00000000", "f.00000001");
    assertThat(Files.size(temp.resolve("f.00000001"))).isEqualTo(1 << 20);
    assertThat(ByteBuffer.wrap(Files.readAllBytes(temp.resolve("f.00000001"))).getLong())
        .isEqualTo(1);
  }

  @Test
  void tasksMayBeProcesses() throws IOException {
    assertThat(onFile("-g -C -q -F -b 128k -t 64k -i 2 -N 2 --processes")).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(result().phases()).hasSize(4);
    assertThat(result().warnings()).isEmpty();
    assertThat(names()).isEmpty();
  }

  @Test
  void aProcessThatFailsIsOneLine() throws IOException {
    assertThat(onFile("-r -k -q -N 2 --processes")).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("ior: task 0: no such file: " + file() + "\n");
  }

  @Test
  void theSummaryGoesToAFileWhenAsked() throws IOException {
    Path summary = temp.resolve("summary");
    assertThat(onFile("-w -q -O summaryFormat=JSON -O summaryFile=" + summary)).isZero();
    assertThat(out.toString()).isEmpty();
    assertThat(IorOutputParser.parse(summary).phases()).hasSize(1);
  }

  @Test
  void thePhaseLogHasTimesOfDay() throws IOException {
    Path log = temp.resolve("log");
    assertThat(onFile("-q -i 2 -b 256k --phase-log " + log)).isZero();
    var json = new com.fasterxml.jackson.databind.ObjectMapper();
    var told = new ArrayList<String>();
    long last = 0;
    for (String line : Files.readAllLines(log)) {
      var entry = json.readTree(line);
      told.add(
          entry.path("event").asText()
              + " "
              + entry.path("operation").asText()
              + entry.path("iteration").asInt()
              + " "
              + entry.path("bytes").asLong());
      assertThat(entry.path("epochMicros").asLong()).isGreaterThanOrEqualTo(last);
      last = entry.path("epochMicros").asLong();
    }
    assertThat(told)
        .containsExactly(
            "begin write0 0",
            "end write0 262144",
            "begin read0 0",
            "end read0 262144",
            "begin write1 0",
            "end write1 262144",
            "begin read1 0",
            "end read1 262144");
  }

  @Test
  void anAbsentDeploymentCostsAWarning() throws IOException {
    assertThat(onFile("-w -q -i 3 --announce " + temp.resolve("none"))).isZero();
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("ior: phases are not announced: ");
    assertThat(result().phases()).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-R|Unknown option: '-R'",
        "-W -E|Unknown option",
        "-a MPIIO|-a MPIIO: POSIX is the API there is",
        "-b 3x|not a size: '3x'",
        "-b 10k -t 4k|-b (10k) must be a multiple of -t (4k)",
        "-t 0|-t must be 1 to 1g",
        "-s 0|-s must be 1 or more: 0",
        "-i 0|-i must be 1 or more: 0",
        "-N 0|-N must be 1 or more: 0",
        "-d -1|-d must be 0 or more: -1",
        "-b 1024g -s 2000000 -N 2000000|more than a file can hold",
        "-O summaryFormat=XML|-O summaryFormat=XML: there are default, JSON, CSV",
        "-O stoneWallingWearOut=1|there are summaryFormat= and summaryFile=",
        "--real --processes|--processes does not go with --real",
        "--announce-wait|--announce-wait needs --announce",
        "--pfs http://x|no storage adapter for 'http://x'",
      })
  void badUsageIsOneLineAndTwo(String arguments, String message) {
    assertThat(onFile(arguments)).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("ior: ").contains(message);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aNameWithAnAtSignIsRefused() {
    assertThat(ior("-o", "a@b")).isEqualTo(2);
    assertThat(err.toString()).contains("without '@'");
  }

  @Test
  void whatIsNotAFileIsLeftAlone() throws IOException {
    Path directory = Files.createDirectory(temp.resolve("empty"));
    assertThat(ior("-w", "-o", directory.toString())).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("ior: the test file is not a file: " + directory + "\n");
    assertThat(directory).isDirectory();
  }

  @Test
  void aMissingDirectoryIsOneLine() {
    assertThat(ior("-w", "-o", temp.resolve("no/f").toString())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo("ior: no directory " + temp.resolve("no") + " for the test file\n");
  }

  @Test
  void aFileThatEndsBeforeItsTimeIsOneLine() throws IOException {
    Files.write(file(), new byte[1000]);
    assertThat(onFile("-r -k -q")).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("ior: " + file() + " ends at byte 1000\n");
    assertThat(Files.size(file())).isEqualTo(1000);
  }

  @Test
  void trafficToAnAddressGoesThroughTheStorageOfItsScheme() throws IOException {
    String address = "counted://" + file();
    assertThat(ior("-w", "-q", "-k", "-N", "2", "-b", "64k", "-t", "16k", "-o", address)).isZero();
    assertThat(CountedStorageProvider.written(file().toString())).isEqualTo(128 << 10);
    assertThat(Files.size(file())).isEqualTo(128 << 10);
  }

  @Test
  void anAddressThatNobodyServesIsOneLine() {
    assertThat(ior("-w", "-o", "none://host/f")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            "ior: no storage adapter for 'none://host/f' on the class path;"
                + " there are plain files and counted\n");
  }

  /** Else it would be a file's name in the working directory. */
  @Test
  void twoAddressesAreOneLine() {
    String address = "counted://" + file();
    assertThat(ior("-w", "--pfs", address, "-o", address)).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo("ior: --pfs needs a path as -o, which is an address itself\n");
  }

  @Test
  void anAddressIsNotForAnInstalledIor() {
    assertThat(ior("-w", "--real", "-o", "counted://" + file())).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo("ior: an address as -o does not go with --real: it is not IOR's\n");
  }

  @ParameterizedTest
  @CsvSource({"threads", "processes"})
  void sigtermInThePhaseRemovesTheFiles(String kind) throws Exception {
    Path log = temp.resolve("log");
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                IorCommand.class.getName()));
    // A small file is written over and over again for as long as it is left alone.
    command.addAll(List.of("-w", "-q", "-b", "16k", "-t", "16k", "-i", "2000000000"));
    command.addAll(List.of("-o", file().toString(), "--phase-log", log.toString()));
    if (kind.equals("processes")) {
      command.add("--processes");
    }
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("output").toFile())
            .start();
    try {
      Awaitility.await().until(() -> Files.exists(log) && Files.size(log) > 0);
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(file()).doesNotExist();
      assertThat(Files.readString(temp.resolve("output"))).doesNotContain("\tat ");
    } finally {
      process.destroyForcibly();
    }
  }
}
