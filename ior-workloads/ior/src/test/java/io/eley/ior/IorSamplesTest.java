package io.eley.ior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.ior.IorResult.Interval;
import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Rates;
import io.eley.ior.IorResult.Removal;
import io.eley.ior.IorResult.Stonewall;
import io.eley.ior.IorResult.Summary;
import io.eley.ior.IorResult.Times;
import io.eley.ior.IorResult.Warning;
import java.io.IOException;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class IorSamplesTest {
  @Test
  void readsText() throws IOException {
    var result = IorSamples.parsed("write.txt");
    assertThat(result.phases()).hasSize(3);
    assertThat(result.phases().get(1))
        .isEqualTo(
            new Phase(
                "write",
                162.61,
                162.89,
                0.012187,
                102400,
                1024,
                new Times(0.005863, 1.23, 0.009122, 1.23),
                1));
    assertThat(result.summaries())
        .containsExactly(
            new Summary(
                "write",
                new Rates(162.61, 132.03, 151.69, 13.93),
                1.33049,
                2,
                200.0,
                Stonewall.NONE));
    assertThat(result.warnings()).isEmpty();
    assertThat(result.settings().values())
        .hasSize(18)
        .containsEntry("access", "file-per-process")
        .containsEntry("apiVersion", "")
        .containsEntry("clients per node", "2")
        .containsEntry("aggregate filesize", "200 MiB");
  }

  @Test
  void readsJsonAndCountsIterationsByOperation() throws IOException {
    var result = IorSamples.parsed("write-read.json");
    assertThat(result.phases())
        .extracting(p -> p.operation() + p.iteration())
        .containsExactly("write0", "read0", "write1", "read1");
    assertThat(result.phases().get(3))
        .isEqualTo(
            new Phase(
                "read",
                92.1318,
                92.5967,
                0.0268,
                32768,
                1024,
                new Times(0.0064, 1.3823, 0.0004, 1.3893),
                1));
    assertThat(result.summaries())
        .extracting(Summary::meanSeconds, Summary::tasks, Summary::aggregateMebibytes)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(1.5667, 4, 128.0),
            org.assertj.core.groups.Tuple.tuple(1.3312, 4, 128.0));
    assertThat(IorSamples.parsed("write.json").summaries().get(0).rates())
        .isEqualTo(new Rates(173.7295, 169.7956, 171.1169, 1.8474));
  }

  @Test
  void keepsRemovalsApartFromPhases() throws IOException {
    var json = IorSamples.parsed("delay10.json");
    assertThat(json.phases()).extracting(Phase::operation).containsOnly("write").hasSize(3);
    assertThat(json.details().removals())
        .containsExactly(new Removal(0.0187, 0), new Removal(0.0302, 1), new Removal(0.0357, 2));
    var text = IorSamples.parsed("verbose.txt");
    assertThat(text.phases()).hasSize(2);
    assertThat(text.details().removals())
        .containsExactly(new Removal(0.023576, 0), new Removal(0.013356, 1));
    assertThat(text.settings().values()).containsEntry("verbose", "2");
  }

  @Test
  void readsCsv() throws IOException {
    assertThat(IorSamples.parsed("write.csv").phases()).hasSize(3);
    var result = IorSamples.parsed("write-read.csv");
    assertThat(result.phases()).hasSize(4);
    assertThat(result.phases().get(2))
        .isEqualTo(
            new Phase(
                "write",
                134.1119,
                136.7631,
                0.0278,
                32768,
                1024,
                new Times(0.0183, 0.9359, 0.0001, 0.9544),
                1));
    assertThat(result.summaries()).isEmpty();
  }

  @Test
  void readsRanks() throws IOException {
    var ranks = IorSamples.parsed("per-rank.csv").details().ranks();
    assertThat(ranks).hasSize(8);
    assertThat(ranks.get(6))
        .isEqualTo(new IorResult.RankTime("write", 2, 1.0370590687, 0.97013998032, 1));
  }

  @Test
  void readsTheOperationsOfARank() throws IOException {
    var transfers = IorSamples.parsed("per-operation-rank0.csv").details().transfers();
    assertThat(transfers).hasSize(32);
    assertThat(transfers.get(31))
        .isEqualTo(new IorResult.Transfer(0.879538059, 0.0386228561, 27149110));
  }

  @Test
  void readsTheStonewall() throws IOException {
    var result = IorSamples.parsed("stonewall.txt");
    assertThat(result.summaries().get(0).stonewall())
        .isEqualTo(new Stonewall(OptionalDouble.of(3.01), OptionalDouble.of(35.54)));
    assertThat(result.summaries().get(0).aggregateMebibytes()).isEqualTo(436.0);
    assertThat(result.warnings())
        .containsExactly(
            new Warning(0, "Expected aggregate file size       = 536870912"),
            new Warning(0, "Stat() of aggregate file size      = 457179136"),
            new Warning(0, "Using actual aggregate bytes moved = 457179136"),
            new Warning(0, "Maybe caused by deadlineForStonewalling"));
    assertThat(result.settings().values()).containsEntry("stonewallingTime", "3");
  }

  @Test
  void findsPhasesAmongTheLinesOfManyTasks() throws IOException {
    var result = IorSamples.parsed("vvv.txt");
    assertThat(result.phases())
        .extracting(p -> p.operation() + p.iteration() + " " + p.mebibytesPerSecond())
        .containsExactly("write0 129.02", "read0 116.46", "write1 109.4", "read1 140.94");
    assertThat(result.summaries()).hasSize(2);
    assertThat(result.details().stamps()).hasSize(4 * 4 * 6);
    assertThat(result.intervals())
        .containsExactly(
            new Interval("write", 0, 1795209933730625L, 1795209935714794L),
            new Interval("read", 0, 1795209940735151L, 1795209942933334L),
            new Interval("write", 1, 1795209947987783L, 1795209950327807L),
            new Interval("read", 1, 1795209955337402L, 1795209957153734L));
  }

  @Test
  void readsTimesOfDayWhenTheSummaryWentElsewhere() throws IOException {
    var result = IorSamples.parsed("delay10-vvv.txt");
    assertThat(result.phases()).isEmpty();
    assertThat(result.intervals())
        .containsExactly(
            new Interval("write", 0, 1795209899619789L, 1795209902296709L),
            new Interval("write", 1, 1795209912322695L, 1795209915019884L),
            new Interval("write", 2, 1795209925061204L, 1795209928163667L));
  }

  @Test
  void readsThreeIterations() throws IOException {
    assertThat(IorSamples.parsed("three-iterations.txt").phases())
        .extracting(Phase::mebibytesPerSecond)
        .containsExactly(123.35, 127.08, 116.96);
  }

  @Test
  void refusesWhatIsCutOffOrForeign() {
    String text = IorSamples.text("write.txt");
    assertThatThrownBy(() -> IorOutputParser.parse(text.substring(0, text.indexOf("Summary of"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cut off");
    String json = IorSamples.text("write.json");
    assertThatThrownBy(() -> IorOutputParser.parse(json.substring(0, json.length() / 2)))
        .hasMessageContaining("malformed JSON");
    assertThatThrownBy(() -> IorOutputParser.parse(json.replace("\"bwMiB\"", "\"bw\"")))
        .hasMessageContaining("no number 'bwMiB'");
    String csv = IorSamples.text("write.csv");
    assertThatThrownBy(() -> IorOutputParser.parse(csv.substring(0, csv.length() - 20)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cut off");
    assertThatThrownBy(() -> IorOutputParser.parse(csv.replace("166.3745", "fast")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("malformed CSV");
    assertThatThrownBy(() -> IorOutputParser.parse(text.replace("162.61     162.89", "x 1")))
        .hasMessageContaining("malformed text");
    assertThatThrownBy(() -> IorOutputParser.parse("hello"))
        .hasMessageContaining("not an output of IOR");
  }
}
