package io.eley.system.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The arrows between the modules, as the README's picture draws them, and the absence of package
 * cycles.
 */
@AnalyzeClasses(packages = "io.eley", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleArrowsTest {
  private static final String EXPERIMENTS_IOR = "io.eley.ior..";
  private static final String EXPERIMENTS_PFS = "io.eley.emulated.pfs..";
  private static final String EXPERIMENTS_WORKLOAD = "io.eley.workloads..";
  private static final String EXPERIMENTS_REPORT = "io.eley.report..";
  private static final String EXPERIMENTS_LABORATORY = "io.eley.laboratory..";
  private static final String EXPERIMENTS_RUN = "io.eley.demo..";
  private static final String EXPERIMENTS_MOUNTED = "io.eley.experiments..";
  private static final String EXPERIMENTS_CHAOS = "io.eley.chaos..";
  private static final String EXPERIMENTS_SIMULATED = "io.eley.simulation..";

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.eley.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule theApiStandsOnTheJdkAlone =
      classes()
          .that()
          .resideInAPackage("io.eley.bb.api..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.eley.bb.api..", "java..", "javax.crypto..", "org.jspecify..");

  @ArchTest
  static final ArchRule theNodeKnowsOnlyTheApi =
      onlyOfOurs("io.eley.bb.server..", "io.eley.bb.server..", "io.eley.bb.api..");

  @ArchTest
  static final ArchRule signalsKnowPhasesAndWords =
      onlyOfOurs(
          "io.eley.scheduler.hooks..",
          "io.eley.scheduler.hooks..",
          "io.eley.controller.phase..",
          "io.eley.bb.api..");

  @ArchTest
  static final ArchRule theCoordinatorUsesOfTheNodeItsFrontOnly =
      onlyOfOurs(
          "io.eley.coordinator..",
          "io.eley.coordinator..",
          "io.eley.bb.server.net..",
          "io.eley.prefetcher..",
          "io.eley.controller..",
          "io.eley.scheduler.hooks..",
          "io.eley.pages..",
          "io.eley.bb.api..");

  @ArchTest
  static final ArchRule theNodesStoreAndFetchStayBehindItsFront =
      noClasses()
          .that()
          .resideInAnyPackage("io.eley.coordinator..", "io.eley.local.deployment..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.eley.bb.server.store..", "io.eley.bb.server.fetch..");

  @ArchTest
  static final ArchRule framesOfTheNetworkStayBehindTheSession =
      noClasses()
          .that()
          .resideInAPackage("io.eley.coordinator..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty..");

  @ArchTest
  static final ArchRule fixturesKnowOnlyTheApi =
      onlyOfOurs("io.eley.test.fixtures..", "io.eley.test.fixtures..", "io.eley.bb.api..");

  @ArchTest
  static final ArchRule nothingThatIsShippedUsesAFake =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.eley.test.fixtures..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.eley.test.fixtures..");

  @ArchTest
  static final ArchRule nobodyKnowsTheFuzzer =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.eley.fuzz..", "com.code_intelligence..");

  @ArchTest
  static final ArchRule whatStartsADeploymentKnowsItsProcesses =
      onlyOfOurs(
          "io.eley.local.deployment..",
          "io.eley.local.deployment..",
          "io.eley.coordinator..",
          "io.eley.bb.server..",
          "io.eley.bb.api..");

  @ArchTest
  static final ArchRule theConnectorKnowsOnlyTheApi =
      onlyOfOurs("io.eley.spark.connector..", "io.eley.spark.connector..", "io.eley.bb.api..");

  @ArchTest
  static final ArchRule pagesKnowWhatTheLedgerRecords =
      onlyOfOurs(
          "io.eley.pages..", "io.eley.pages..", "io.eley.prefetcher.control..", "io.eley.bb.api..");

  @ArchTest
  static final ArchRule theProductKnowsNoExperiments =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.eley.bb.api..",
              "io.eley.bb.server..",
              "io.eley.prefetcher..",
              "io.eley.controller..",
              "io.eley.scheduler.hooks..",
              "io.eley.coordinator..",
              "io.eley.local.deployment..",
              "io.eley.spark.connector..",
              "io.eley.pages..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              EXPERIMENTS_IOR,
              EXPERIMENTS_PFS,
              EXPERIMENTS_WORKLOAD,
              EXPERIMENTS_REPORT,
              EXPERIMENTS_LABORATORY,
              EXPERIMENTS_RUN,
              EXPERIMENTS_MOUNTED,
              EXPERIMENTS_CHAOS,
              EXPERIMENTS_SIMULATED);

  @ArchTest
  static final ArchRule theIorLoadKnowsOnlyTheApi =
      onlyOfOurs(EXPERIMENTS_IOR, EXPERIMENTS_IOR, "io.eley.bb.api..");

  @ArchTest
  static final ArchRule theEmulatedPfsServesOriginsAndTheIorLoad =
      onlyOfOurs(EXPERIMENTS_PFS, EXPERIMENTS_PFS, EXPERIMENTS_IOR, "io.eley.bb.api..");

  @ArchTest
  static final ArchRule workloadsKnowOnlyTheApi =
      onlyOfOurs(EXPERIMENTS_WORKLOAD, EXPERIMENTS_WORKLOAD, "io.eley.bb.api..");

  @ArchTest
  static final ArchRule theReportKnowsWhatTheEmulatedPfsRecorded =
      onlyOfOurs(
          EXPERIMENTS_REPORT,
          EXPERIMENTS_REPORT,
          EXPERIMENTS_PFS,
          "io.eley.pages..",
          "io.eley.bb.api..");

  @ArchTest
  static final ArchRule theLaboratoryKnowsNoExperiment =
      onlyOfOurs(
          EXPERIMENTS_LABORATORY,
          EXPERIMENTS_LABORATORY,
          EXPERIMENTS_PFS,
          EXPERIMENTS_WORKLOAD,
          EXPERIMENTS_REPORT,
          "io.eley.local.deployment..",
          "io.eley.bb.api..");

  @ArchTest
  static final ArchRule theDemoKnowsTheOtherExperimentsAndTheApi =
      onlyOfOurs(
          EXPERIMENTS_RUN,
          EXPERIMENTS_RUN,
          EXPERIMENTS_IOR,
          EXPERIMENTS_PFS,
          EXPERIMENTS_WORKLOAD,
          EXPERIMENTS_REPORT,
          EXPERIMENTS_LABORATORY,
          "io.eley.local.deployment..",
          "io.eley.bb.api..");

  @ArchTest
  static final ArchRule mountedExperimentsKnowTheOthersButTheDemo =
      onlyOfOurs(
          EXPERIMENTS_MOUNTED,
          EXPERIMENTS_MOUNTED,
          EXPERIMENTS_IOR,
          EXPERIMENTS_PFS,
          EXPERIMENTS_WORKLOAD,
          EXPERIMENTS_REPORT,
          EXPERIMENTS_LABORATORY,
          "io.eley.local.deployment..",
          "io.eley.bb.api..");

  @ArchTest
  static final ArchRule chaosKnowsWhatStartsADeploymentAndTheApi =
      onlyOfOurs(
          EXPERIMENTS_CHAOS, EXPERIMENTS_CHAOS, "io.eley.local.deployment..", "io.eley.bb.api..");

  @ArchTest
  static final ArchRule theSimulationKnowsTheProductAndNoOtherExperiment =
      noClasses()
          .that()
          .resideInAPackage(EXPERIMENTS_SIMULATED)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              EXPERIMENTS_IOR,
              EXPERIMENTS_PFS,
              EXPERIMENTS_WORKLOAD,
              EXPERIMENTS_REPORT,
              EXPERIMENTS_LABORATORY,
              EXPERIMENTS_RUN);

  @ArchTest
  static final ArchRule aSitesCommandLineKnowsNoFakesAndNoDemo =
      noClasses()
          .that()
          .resideInAPackage("io.eley.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              EXPERIMENTS_PFS,
              EXPERIMENTS_WORKLOAD,
              EXPERIMENTS_REPORT,
              EXPERIMENTS_LABORATORY,
              EXPERIMENTS_CHAOS,
              EXPERIMENTS_MOUNTED,
              EXPERIMENTS_RUN);

  @ArchTest
  static final ArchRule nobodyKnowsTheCommandLine =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.eley.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.eley.cli..");

  private static ArchRule onlyOfOurs(String of, String... ours) {
    return noClasses()
        .that()
        .resideInAPackage(of)
        .should()
        .dependOnClassesThat(
            com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage("io.eley..")
                .and(
                    com.tngtech.archunit.base.DescribedPredicate.not(
                        com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage(
                            ours))));
  }
}
