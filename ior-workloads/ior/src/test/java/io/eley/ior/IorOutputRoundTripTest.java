package io.eley.ior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.config.DataSize;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What our writers write, our parser reads; and the text looks like IOR's. */
class IorOutputRoundTripTest {
  private IorRunRecord record;

  @BeforeEach
  void run() throws IOException {
    var options =
        new IorOptions(
            "/data/f",
            new IorOptions.Access(true, true, true, true, false),
            new IorOptions.Shape(DataSize.ofMebibytes(1), DataSize.ofMebibytes(4), 1, 1, 2),
            new IorOptions.Pacing(3, 0, false),
            true,
            0);
    var tasks =
        FakeTasks.silent().thenTaking(1234).thenTaking(321).thenTaking(2777).thenTaking(54_321);
    var result = tasks.run(options, List.of(), length -> true);
    var began = ZonedDateTime.of(2026, 11, 2, 3, 4, 5, 0, ZoneOffset.UTC);
    record =
        new IorRunRecord(
            options,
            "ior -w -r -o /data/f",
            began,
            began.plusSeconds(9),
            Machine.here(Path.of("/data/f")),
            result);
  }

  private String written(IorFormat format) throws IOException {
    var out = new StringBuilder();
    format.write(record, out);
    return out.toString();
  }

  @ParameterizedTest
  @EnumSource(IorFormat.class)
  void thePhasesAreReadAsTheyWere(IorFormat format) throws IOException {
    var read = IorOutputParser.parse(written(format)).phases();

    var wanted = record.result().phases();
    assertThat(read).hasSameSizeAs(wanted).hasSize(4);
    // The text prints two digits of what is 1 or more, the others four digits of everything.
    double rates = format == IorFormat.DEFAULT ? 0.005 : 0.00005;
    double seconds = format == IorFormat.DEFAULT ? 0.00501 : 0.0001;
    for (int i = 0; i < wanted.size(); i++) {
      var r = read.get(i);
      var w = wanted.get(i);
      assertThat(r.operation()).isEqualTo(w.operation());
      assertThat(r.iteration()).isEqualTo(w.iteration());
      assertThat(r.mebibytesPerSecond()).isCloseTo(w.mebibytesPerSecond(), within(rates));
      assertThat(r.iops()).isCloseTo(w.iops(), within(rates));
      assertThat(r.latency()).isCloseTo(w.latency(), within(seconds));
      assertThat(r.blockKibibytes()).isEqualTo(w.blockKibibytes());
      assertThat(r.transferKibibytes()).isEqualTo(w.transferKibibytes());
      assertThat(r.times().open()).isCloseTo(w.times().open(), within(seconds));
      assertThat(r.times().transfer()).isCloseTo(w.times().transfer(), within(seconds));
      assertThat(r.times().close()).isCloseTo(w.times().close(), within(seconds));
      assertThat(r.times().total()).isCloseTo(w.times().total(), within(seconds));
    }
  }

  @ParameterizedTest
  @EnumSource(value = IorFormat.class, names = "CSV", mode = EnumSource.Mode.EXCLUDE)
  void theSummariesAreReadAsTheyWere(IorFormat format) throws IOException {
    var read = IorOutputParser.parse(written(format)).summaries();

    var wanted = record.result().summaries();
    assertThat(read).hasSameSizeAs(wanted).hasSize(2);
    for (int i = 0; i < wanted.size(); i++) {
      var r = read.get(i);
      var w = wanted.get(i);
      assertThat(r.operation()).isEqualTo(w.operation());
      assertThat(r.rates().max()).isCloseTo(w.rates().max(), within(0.005));
      assertThat(r.rates().min()).isCloseTo(w.rates().min(), within(0.005));
      assertThat(r.rates().mean()).isCloseTo(w.rates().mean(), within(0.005));
      assertThat(r.rates().deviation()).isCloseTo(w.rates().deviation(), within(0.005));
      assertThat(r.meanSeconds()).isCloseTo(w.meanSeconds(), within(0.000005));
      assertThat(r.tasks()).isEqualTo(1);
      assertThat(r.stonewall().seconds()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(value = IorFormat.class, names = "CSV", mode = EnumSource.Mode.EXCLUDE)
  void theOptionsAreReadUnderIorsNames(IorFormat format) throws IOException {
    assertThat(IorOutputParser.parse(written(format)).settings().values())
        .containsEntry("test filename", "/data/f")
        .containsEntry("access", "file-per-process")
        .containsEntry("repetitions", "2")
        .containsEntry("xfersize", "1 MiB")
        .containsEntry("aggregate filesize", "4 MiB");
  }

  @Test
  void theTextsHeadersAreIors() throws IOException {
    assertThat(headers(written(IorFormat.DEFAULT)))
        .isEqualTo(headers(IorSamples.text("write.txt")))
        .hasSize(3);
  }

  @Test
  void theTextsColumnsBeginWhereIorsDo() throws IOException {
    assertThat(columns(written(IorFormat.DEFAULT)))
        .isEqualTo(columns(IorSamples.text("three-iterations.txt")));
  }

  @Test
  void theCsvsHeaderIsIors() throws IOException {
    assertThat(written(IorFormat.CSV).lines().findFirst())
        .isEqualTo(IorSamples.text("write.csv").lines().findFirst());
  }

  private static List<String> headers(String text) {
    return text.lines()
        .filter(l -> l.startsWith("access    bw") || l.startsWith("------") || l.startsWith("Oper"))
        .toList();
  }

  /** Where each column of the first phase begins. */
  private static List<Integer> columns(String text) {
    String phase = text.lines().filter(l -> l.startsWith("write ")).findFirst().orElseThrow();
    return java.util.stream.IntStream.range(1, phase.length())
        .filter(i -> phase.charAt(i) != ' ' && phase.charAt(i - 1) == ' ')
        .boxed()
        .toList();
  }
}
