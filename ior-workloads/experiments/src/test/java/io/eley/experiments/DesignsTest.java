package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DataSize;
import io.eley.workloads.Workload;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class DesignsTest {
  private static final HostMounts NINE =
      new HostMounts(
          Path.of("/common"),
          Arrays.stream("i0 i1 i2 i3 w0 w1 n0 n1 c".split(" ", -1))
              .map(name -> Path.of("/mnt", name))
              .toList());

  @TempDir private Path directory;

  private static final Site.Witnesses NOBODY = new Site.Witnesses("", false, "");
  private static final Site.Witnesses ALL = new Site.Witnesses("file:/c", true, "/run/board");

  private static Site site(HostMounts mounts, Site.Witnesses witnesses) {
    return new Site(
        mounts,
        List.of("mpirun", "-x"),
        List.of("ior"),
        witnesses,
        Map.of(),
        AlluxioPrograms.NONE,
        false);
  }

  @ParameterizedTest
  @EnumSource
  void everyExperimentHasSystemsAndItsQuickFormIsSmaller(NamedExperiment experiment) {
    var whole = experiment.design();
    var quick = experiment.quick();

    assertThat(whole.trials()).hasSizeGreaterThanOrEqualTo(3).doesNotHaveDuplicates();
    assertThat(quick.workloads()).hasSize(1);
    assertThat(quick.sizes().input()).isLessThan(whole.sizes().input());
    assertThat(quick.applications()).hasSameSizeAs(whole.applications());
    assertThat(NamedExperiment.of(experiment.label())).contains(experiment);
  }

  @Test
  void aSiteRunsOnlyTheKnowledgeItCanHave() {
    var design = NamedExperiment.KNOWLEDGE.design();

    assertThat(design.possibleAt(site(NINE, NOBODY)).trials())
        .extracting(t -> t.subject().label())
        .containsExactly(
            "Direct",
            "NaiveBB",
            "NoAction",
            "FullDelay/announced",
            "FullDelay/own-reads",
            "FullDelay/forecasts",
            "FullDelay/probe",
            "FullDelay/nothing");
    assertThat(design.possibleAt(site(NINE, ALL)).trials()).hasSize(11);
  }

  @Test
  void whatNeedsAlluxioIsLeftOutWhereThereIsNone() throws Exception {
    Path jar = Files.createFile(directory.resolve("client.jar"));
    var programs = AlluxioPrograms.of("/opt/alluxio/servers.jar", directory + "/*");
    var there =
        new Site(NINE, List.of("mpirun"), List.of("ior"), NOBODY, Map.of(), programs, false);
    var design = NamedExperiment.ENGINE.design();

    assertThat(programs.clientJars()).containsExactly(jar);
    assertThat(design.possibleAt(site(NINE, NOBODY)).trials())
        .extracting(Trial::engine)
        .containsOnly(Engine.OWN)
        .hasSize(4);
    assertThat(design.possibleAt(there).trials())
        .extracting(t -> t.subject().label())
        .contains("NoAction/alluxio", "FullDelay/announced/alluxio", "FullDelay/own-reads/alluxio");
  }

  @Test
  void eachKindOfKnowledgeTurnsOnItsSourceAndNoOther() {
    var site = site(NINE, ALL);

    assertThat(Knowledge.NOTHING.settings(site))
        .isEqualTo(Map.of("eley.signal.reads", "false", "eley.predict", "false"))
        .isEqualTo(Knowledge.ANNOUNCED.settings(site));
    assertThat(Knowledge.OWN_READS.settings(site))
        .isEqualTo(Map.of("eley.signal.reads", "true", "eley.predict", "false"));
    assertThat(Knowledge.FORECASTS.settings(site)).containsEntry("eley.predict", "true");
    assertThat(Knowledge.COUNTERS.settings(site)).containsEntry("eley.signal.counters", "file:/c");
    assertThat(Knowledge.BOARD.settings(site)).containsEntry("eley.signal.board", "/run/board");
    assertThat(Knowledge.PROBE.settings(site))
        .isEqualTo(
            Map.of(
                "eley.signal.reads", "false",
                "eley.predict", "false",
                "eley.signal.probe", "true"));
    assertThat(Knowledge.SLURM.settings(site))
        .containsEntry("eley.signal.reads", "true")
        .containsEntry("eley.signal.slurm.jobs", "name=" + SlurmAllocation.NAME);
    assertThat(Trial.fullDelay(Knowledge.ANNOUNCED).announces()).isTrue();
    assertThat(Trial.fullDelay(Knowledge.OWN_READS).announces()).isFalse();
  }

  @Test
  void intermediateDataIsInTheBufferWhereThereIsOneUnlessATrialSaysOtherwise() {
    for (var experiment : NamedExperiment.values()) {
      for (var trial : experiment.design().trials()) {
        boolean buffered = trial.shuffle() == ShufflePlace.BUFFER;
        boolean named =
            trial.subject().label().contains("/shuffle-") || trial.engine() == Engine.ALLUXIO;
        assertThat(buffered).as("%s", trial).isEqualTo(trial.deployment() && !named);
      }
    }
    assertThat(NamedExperiment.SHUFFLE.design().trials())
        .extracting(t -> t.subject().label())
        .containsExactly(
            "FullDelay/announced/shuffle-local",
            "FullDelay/announced",
            "FullDelay/announced/shuffle-on-pfs");
  }

  @Test
  void onlyAnOnlyApplicationHurriesWhereNothingHappensInItsPauses() {
    assertThat(NamedExperiment.FIGURE1.design().hurriesAlone()).isTrue();
    assertThat(NamedExperiment.MANY.design().hurriesAlone()).isFalse();
    assertThat(HpcApplication.only(1, DataSize.ofMebibytes(1)).hurrying().pause())
        .isEqualTo(HpcApplication.SHORT);
  }

  @Test
  void whatIsLargerMayTakeLonger() {
    var design = NamedExperiment.FIGURE1.design();
    var writer = design.applications().get(0);
    var larger = writer.withBlock(DataSize.ofMebibytes(100 << 10));

    assertThat(design.runBound()).isLessThan(Duration.ofMinutes(30));
    assertThat(
            design.withSizes(design.sizes().withInput(DataSize.ofMebibytes(32 << 10))).runBound())
        .isGreaterThan(Duration.ofSeconds(2 * 1229));
    assertThat(design.withSizes(design.sizes().withCompute(15_000)).runBound())
        .isGreaterThan(Duration.ofMinutes(128));
    assertThat(design.withApplications(List.of(writer.withPhases(500))).runBound())
        .isGreaterThan(Duration.ofSeconds(500 * 10));
    assertThat(larger.phaseBound()).isGreaterThan(Duration.ofHours(2));
    assertThat(design.withApplications(List.of(larger)).runBound())
        .isGreaterThan(larger.phaseBound());
  }

  @Test
  void everyHostHasItsOwnMountAtTheCommonPath() {
    var hosts = new Hosts(NINE, 4);

    assertThat(hosts.count()).isEqualTo(9);
    assertThat(hosts.spark().workers())
        .extracting(command -> command.get(5))
        .containsExactly("/mnt/w0", "/mnt/w1");
    assertThat(hosts.spark().driver()).containsSubsequence("/mnt/c", "/common");
    assertThat(hosts.deployment("node-2")).containsSubsequence("unshare", "/mnt/n1", "/common");
    assertThat(hosts.deployment("coordinator")).contains("/mnt/c");
  }

  @Test
  void withoutMountsOfTheirOwnAllShareTheOrigin() {
    var hosts = new Hosts(new HostMounts(Path.of("/pfs"), List.of()), 4);

    assertThat(hosts.deployment("node-1")).isEmpty();
    assertThat(hosts.spark().driver()).isEmpty();
    assertThat(hosts.mounts().of(3)).isEqualTo(Path.of("/pfs"));
  }

  @Test
  void iorsTasksWriteThroughMountsOfTheirOwn() {
    var command = HpcApplication.only(2, DataSize.ofMebibytes(96)).command(site(NINE, NOBODY), "e");

    assertThat(String.join(" ", command))
        .isEqualTo(
            "mpirun -x -n 2 ior -a POSIX -w -e -F -b 96m -t 1m -vvv"
                + " -o /mnt/i0/e/ior-ior@/mnt/i1/e/ior-ior");
  }

  @Test
  void theListNamesEveryExperiment() {
    var out = new StringWriter();

    int code = command(out, new StringWriter()).execute("list");

    assertThat(code).isZero();
    assertThat(out.toString().lines()).hasSize(NamedExperiment.values().length);
    assertThat(out.toString()).contains("figure1", "knowledge", "node-loss");
  }

  @Test
  void whatMakesNoSenseIsBadUsageThatSaysWhy() {
    assertThat(refused("figure9", "--origin", directory.toString()))
        .contains("no experiment 'figure9'", "figure1, figure2");
    assertThat(refused("figure1")).contains("either --origin or --mounts");
    assertThat(refused("figure1", "--origin", directory + "/none"))
        .contains("not a directory one can write");
    assertThat(refused("engine", "--origin", directory.toString(), "--alluxio-servers", "/a.jar"))
        .contains("--alluxio-servers and --alluxio-client go with each other");
    assertThat(
            refused(
                "engine",
                "--origin",
                directory.toString(),
                "--alluxio-servers",
                "/a.jar",
                "--alluxio-client",
                directory + "/none"))
        .contains("there is no '" + directory + "/none'");
    assertThat(refused("figure1", "--origin", directory.toString(), "--systems", "Naive"))
        .contains("no system 'Naive'", "Direct, NaiveBB, NoAction, FullDelay/announced");
    assertThat(refused("figure1", "--origin", directory.toString(), "--workload", "grep"))
        .contains("no workload 'grep'; there are WordCount, Sort, Scan");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "figure1 --repeat 0                          | --repeat 0: must be 1 or more",
        "figure1 --repeat -3                         | --repeat -3: must be 1 or more",
        "figure1 --phases 0                          | --phases 0: must be 1 or more",
        "figure1 --phases -1                         | --phases -1: must be 1 or more",
        "figure1 --compute -5                        | --compute -5: must be 0 or more",
        "knowledge --systems FullDelay/counters      | FullDelay/counters needs --counters",
        "knowledge --systems NaiveBB,FullDelay/slurm | FullDelay/slurm needs --slurm",
        "knowledge --systems FullDelay/board         | FullDelay/board needs --board",
        "engine --systems NoAction/alluxio           | NoAction/alluxio needs --alluxio-servers"
      })
  void whatCouldNotBeRunAsAskedIsRefusedBeforeAnythingStarts(String line, String said) {
    var words = new ArrayList<>(List.of(line.split(" ", -1)));
    words.addAll(List.of("--origin", directory.toString()));

    assertThat(refused(words.toArray(String[]::new))).contains(said);
  }

  @Test
  void workloadsCanBeChosenInPlaceOfTheExperiments() {
    @Command
    class Chosen {
      @Mixin private final DesignArguments arguments = new DesignArguments();
    }
    var chosen = new Chosen();
    new CommandLine(chosen).parseArgs("--workload", "scan,Sort,scan", "--compute", "60");

    var design = chosen.arguments.applyTo(NamedExperiment.KNOWLEDGE.design(), site(NINE, NOBODY));

    assertThat(design.workloads()).containsExactly(Workload.SCAN, Workload.SORT);
    assertThat(design.sizes().computeMillis()).isEqualTo(60);
    assertThat(
            new DesignArguments()
                .applyTo(NamedExperiment.KNOWLEDGE.design(), site(NINE, NOBODY))
                .workloads())
        .containsExactly(Workload.WORD_COUNT);
  }

  private static String refused(String... words) {
    var err = new StringWriter();
    assertThat(command(new StringWriter(), err).execute(words)).isEqualTo(2);
    return err.toString();
  }

  private static CommandLine command(StringWriter out, StringWriter err) {
    return new CommandLine(new ExperimentCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true));
  }
}
