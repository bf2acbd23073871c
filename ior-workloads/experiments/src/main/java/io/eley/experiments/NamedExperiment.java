package io.eley.experiments;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.workloads.Workload;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The experiments there are. */
enum NamedExperiment {
  FIGURE1("figure1"),
  FIGURE2("figure2"),
  KNOWLEDGE("knowledge"),
  LONGPHASE("longphase"),
  OVERFLOW("overflow"),
  MANY("many"),
  NODE_LOSS("node-loss"),
  SHUFFLE("shuffle"),
  ENGINE("engine");

  private static final HpcApplication FOUR_WRITERS =
      HpcApplication.only(4, DataSize.ofMebibytes(96));
  private static final HpcApplication ONE_WRITER =
      HpcApplication.only(1, DataSize.ofMebibytes(320));
  private static final Trial ANNOUNCED = Trial.fullDelay(Knowledge.ANNOUNCED);

  private final String label;

  NamedExperiment(String label) {
    this.label = label;
  }

  /** What a person types. */
  String label() {
    return label;
  }

  static Optional<NamedExperiment> of(String label) {
    return Arrays.stream(values()).filter(e -> e.label.equals(label)).findFirst();
  }

  Design design() {
    return switch (this) {
      case FIGURE1 ->
          figure(
              "The paper's first experiment: many IOR writers, WordCount and Sort.",
              FOUR_WRITERS,
              1);
      case FIGURE2 ->
          figure(
              "The paper's second experiment: one large IOR writer, WordCount and Sort.",
              ONE_WRITER,
              2);
      case KNOWLEDGE ->
          wordCount(
                  "FullDelay with each kind of knowledge beside the systems that hold for nobody.",
                  FOUR_WRITERS,
                  Stream.concat(
                          Stream.of(Trial.DIRECT, Trial.NAIVE, Trial.NO_ACTION),
                          Arrays.stream(Knowledge.values()).map(Trial::fullDelay))
                      .toList())
              .expecting(ToShow::verdicts);
      case LONGPHASE ->
          wordCount(
              "Phases four times as long, where holding costs most.",
              FOUR_WRITERS.withBlock(DataSize.ofMebibytes(384)).withPhases(3),
              List.of(
                  Trial.NAIVE,
                  Trial.NO_ACTION,
                  ANNOUNCED,
                  Trial.held(BufferMode.ADAPTIVE, Knowledge.ANNOUNCED)));
      case OVERFLOW -> overflow();
      case MANY -> many();
      case NODE_LOSS ->
          wordCount(
              "A node is killed in the second phase.",
              FOUR_WRITERS,
              List.of(Trial.NAIVE, ANNOUNCED, ANNOUNCED.losingANode()));
      case SHUFFLE -> shuffle();
      case ENGINE -> engine();
    };
  }

  /** The same in two to three minutes: to see that everything works, not to measure. */
  Design quick() {
    var design = design();
    var smaller =
        design.applications().stream()
            .map(
                a ->
                    a.withBlock(new DataSize(Math.max(8 << 20, a.block().bytes() / 4)))
                        .withPhases(2)
                        .withPauses(Duration.ofSeconds(1), Duration.ofSeconds(2)))
            .toList();
    return design
        .withWorkloads(design.workloads().subList(0, 1))
        .withApplications(smaller)
        .withSizes(design.sizes().withInput(new DataSize(design.sizes().input().bytes() / 4)));
  }

  private static Design figure(String description, HpcApplication application, int figure) {
    return new Design(
        description,
        List.of(Workload.WORD_COUNT, Workload.SORT),
        List.of(Trial.DIRECT, Trial.NAIVE, Trial.NO_ACTION, ANNOUNCED),
        List.of(application),
        Sizes.STANDARD,
        runs -> PaperFigures.values(figure, runs),
        rows -> List.of());
  }

  private static Design wordCount(
      String description, HpcApplication application, List<Trial> trials) {
    return new Design(
        description,
        List.of(Workload.WORD_COUNT),
        trials,
        List.of(application),
        Sizes.STANDARD,
        runs -> List.of(),
        rows -> List.of());
  }

  private static Design overflow() {
    return wordCount(
            "Input eight times the nodes' RAM.",
            FOUR_WRITERS,
            List.of(Trial.NAIVE, Trial.NO_ACTION, ANNOUNCED))
        .withSizes(Sizes.STANDARD.withMemory(DataSize.ofMebibytes(64)));
  }

  /** Little computing, so that what the shuffle costs is not hidden behind it. */
  private static Design shuffle() {
    return new Design(
        "Sort with its intermediate data in the buffer, on local RAM-disks, on the file system.",
        List.of(Workload.SORT),
        List.of(
            ANNOUNCED.withShuffle(ShufflePlace.EXECUTORS),
            ANNOUNCED,
            ANNOUNCED.withShuffle(ShufflePlace.FILE_SYSTEM)),
        List.of(FOUR_WRITERS),
        Sizes.STANDARD.withInput(DataSize.ofMebibytes(512)).withCompute(20),
        runs -> List.of(),
        ShuffleVerdicts::of);
  }

  private static Design engine() {
    var ownReads = Trial.fullDelay(Knowledge.OWN_READS);
    return wordCount(
        "Blocks in our own nodes beside blocks in Alluxio's workers, driven by ours.",
        FOUR_WRITERS,
        List.of(
            Trial.NAIVE,
            Trial.NO_ACTION,
            Trial.NO_ACTION.overAlluxio(),
            ANNOUNCED,
            ANNOUNCED.overAlluxio(),
            ownReads,
            ownReads.overAlluxio()));
  }

  /** Rhythms that drift against each other, so that phases meet in every way. */
  private static Design many() {
    return wordCount(
            "Three HPC applications with rhythms of their own.",
            FOUR_WRITERS,
            List.of(
                Trial.NAIVE,
                Trial.NO_ACTION,
                ANNOUNCED,
                Trial.fullDelay(Knowledge.OWN_READS),
                Trial.fullDelay(Knowledge.FORECASTS)))
        .withApplications(
            List.of(
                application("climate", 0, 2, 64, 4, 9),
                application("seismic", 2, 1, 64, 7, 13),
                application("plasma", 3, 1, 48, 11, 17)));
  }

  private static HpcApplication application(
      String name, int firstHost, int tasks, int mebibytes, int first, int pause) {
    return new HpcApplication(
        name,
        firstHost,
        tasks,
        DataSize.ofMebibytes(mebibytes),
        Duration.ofSeconds(first),
        Duration.ofSeconds(pause),
        4);
  }
}
