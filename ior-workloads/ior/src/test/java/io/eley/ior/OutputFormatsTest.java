package io.eley.ior;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DataSize;
import java.io.IOException;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What was read from a real output and is written again must be that output, byte by byte. */
class OutputFormatsTest {
  private static final String KERNEL = "6.18.44-fc-v669 #1 SMP PREEMPT_DYNAMIC @0 x86_64";
  private static final String FOUR_FILES =
      "/mnt/orangefs/ior/f@/mnt/orangefs/ior/f@/mnt/orangefs/ior/f@/mnt/orangefs/ior/f";

  private static Machine machine(String used) {
    return new Machine(
        "4.1.0+dev",
        "Linux",
        "vm",
        KERNEL,
        new Machine.Storage("364.3 GiB", used, "8796093022208.0 Mi", "0.0%"));
  }

  private static ZonedDateTime at(int hour, int minute, int second) {
    return ZonedDateTime.of(2026, 11, 20, hour, minute, second, 0, ZoneOffset.UTC);
  }

  private static IorOptions paper(int delay) {
    return new IorOptions(
        "/mnt/orangefs/ior.dat",
        new IorOptions.Access(true, false, true, true, false),
        new IorOptions.Shape(DataSize.ofMebibytes(1), DataSize.ofMebibytes(100), 1, 2, 3),
        new IorOptions.Pacing(delay, 0, false),
        false,
        0);
  }

  private static IorOptions manyFiles(IorOptions.Access access, int mebibytes, int times, int v) {
    return new IorOptions(
        "/mnt/orangefs/ior/f",
        access,
        new IorOptions.Shape(DataSize.ofMebibytes(1), DataSize.ofMebibytes(mebibytes), 1, 4, times),
        new IorOptions.Pacing(v == 3 ? 5 : 2, 0, true),
        false,
        v);
  }

  private static String written(IorFormat format, IorRunRecord run) throws IOException {
    var out = new StringWriter();
    format.write(run, out);
    return out.toString();
  }

  private static String letters(String format) {
    return "/opt/ior/bin/ior -a POSIX -w -e -F -b 100m -t 1m -i 3 -d 1 -o /mnt/orangefs/ior.dat -O"
        + " summaryFormat="
        + format;
  }

  @Test
  void textIsIorsOwn() throws IOException {
    String sample = IorSamples.text("write.txt");
    var run =
        new IorRunRecord(
            paper(1),
            letters("default"),
            at(20, 12, 12),
            at(20, 12, 20),
            machine("23.4%"),
            IorOutputParser.parse(sample));
    assertThat(written(IorFormat.DEFAULT, run)).isEqualTo(sample);
  }

  @Test
  void jsonIsIorsOwn() throws IOException {
    String sample = IorSamples.text("write.json");
    var run =
        new IorRunRecord(
            paper(1),
            letters("JSON"),
            at(20, 13, 42),
            at(20, 13, 49),
            machine("23.5%"),
            IorOutputParser.parse(sample));
    assertThat(written(IorFormat.JSON, run)).isEqualTo(sample);
  }

  @Test
  void jsonOfWritesAndReadsIsIorsOwn() throws IOException {
    String sample = IorSamples.text("write-read.json").replace(FOUR_FILES, "/mnt/orangefs/ior/f");
    var run =
        new IorRunRecord(
            manyFiles(new IorOptions.Access(true, true, true, true, false), 32, 2, 0),
            "/opt/ior/bin/ior -a POSIX -F -o /mnt/orangefs/ior/f -w -r -t 1m -b 32m -i 2 -d 2 -e -g"
                + " -O summaryFile=/opt/ior/out -O summaryFormat=JSON",
            at(20, 37, 52),
            at(20, 38, 6),
            machine("26.8%"),
            IorOutputParser.parse(sample));
    assertThat(written(IorFormat.JSON, run)).isEqualTo(sample);
  }

  @Test
  void csvIsIorsOwn() throws IOException {
    for (String name : List.of("write.csv", "write-read.csv")) {
      String sample = IorSamples.text(name);
      var options =
          name.equals("write.csv")
              ? paper(1)
              : manyFiles(new IorOptions.Access(true, true, true, true, false), 32, 2, 0);
      var run =
          new IorRunRecord(
              options,
              "ior",
              at(0, 0, 0),
              at(0, 0, 1),
              machine("0.0%"),
              IorOutputParser.parse(sample));
      assertThat(written(IorFormat.CSV, run)).isEqualTo(sample);
    }
  }

  @Test
  void everyKindOfLineOfVerboseTextIsIorsOwn() throws IOException {
    String sample = IorSamples.text("vvv.txt").replace(FOUR_FILES, "/mnt/orangefs/ior/f");
    var run =
        new IorRunRecord(
            manyFiles(new IorOptions.Access(true, true, true, true, true), 64, 2, 3),
            "/opt/ior/bin/ior -a POSIX -F -o /mnt/orangefs/ior/f -w -r -C -t 1m -b 64m -i 2 -d 5 -e"
                + " -g -vvv",
            at(21, 25, 28),
            at(21, 25, 57),
            machine("23.8%"),
            IorOutputParser.parse(sample));
    var lines = sample.lines().toList();
    // Ours comes in order where tasks of the real one talk at the same time.
    assertThat(written(IorFormat.DEFAULT, run).lines())
        .allSatisfy(line -> assertThat(lines).contains(line))
        .hasSize((int) lines.stream().filter(OutputFormatsTest::ours).count() - 2);
  }

  /** What the real one says besides: its data signature and who does what to which file. */
  private static boolean ours(String line) {
    return !line.matches("task \\d .*|Using Time Stamp .*");
  }

  @ParameterizedTest
  @EnumSource(IorFormat.class)
  void whatIsWrittenCanBeRead(IorFormat format) throws IOException {
    var result = IorSamples.parsed("write-read.json");
    var run =
        new IorRunRecord(
            manyFiles(new IorOptions.Access(true, true, true, true, false), 32, 2, 2),
            "ior \"quoted\\",
            at(1, 2, 3),
            at(1, 2, 4),
            machine("1.0%"),
            result);
    var read = IorOutputParser.parse(written(format, run));
    assertThat(read.phases()).hasSameSizeAs(result.phases());
    for (int i = 0; i < read.phases().size(); i++) {
      var was = result.phases().get(i);
      var is = read.phases().get(i);
      assertThat(is.operation() + is.iteration()).isEqualTo(was.operation() + was.iteration());
      assertThat(is.mebibytesPerSecond())
          .isCloseTo(was.mebibytesPerSecond(), org.assertj.core.data.Offset.offset(0.006));
      assertThat(is.times().total())
          .isCloseTo(was.times().total(), org.assertj.core.data.Offset.offset(0.006));
    }
    assertThat(read.summaries()).hasSize(format == IorFormat.CSV ? 0 : 2);
  }

  @Test
  void aDayOfOneDigitIsPaddedAsInC() throws IOException {
    var first = ZonedDateTime.of(2026, 5, 1, 9, 8, 7, 0, ZoneOffset.UTC);
    var run =
        new IorRunRecord(
            paper(0), "ior", first, first, machine("0.0%"), IorSamples.parsed("write.json"));
    assertThat(run.beganText()).isEqualTo("Fri May  1 09:08:07 2026");
  }
}
