package io.eley.prefetcher;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.ref.Reference;
import java.time.Clock;
import java.util.Timer;

/**
 * What lets a simulation run the decisions unchanged: no threads, no I/O, no clock of their own.
 */
@AnalyzeClasses(
    packages = "io.eley.prefetcher",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PlannerPurityTest {
  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.eley.prefetcher.(**)").should().beFreeOfCycles();

  /** Among the words, not the wire, the client, the origin or the settings. */
  @ArchTest
  static final ArchRule decisionsKnowTheWordsAndTheJdkAlone =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.eley.prefetcher..",
              "io.eley.bb.api",
              "io.eley.bb.api.error",
              "java.lang..",
              "java.time..",
              "java.util",
              "java.util.function",
              "java.util.stream",
              "org.jspecify..");

  @ArchTest
  static final ArchRule noThreads =
      noClasses()
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Thread.class, ThreadLocal.class, Timer.class, Process.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Reference.class);

  @ArchTest
  static final ArchRule noClockAndNoRandomnessOfTheirOwn =
      noClasses()
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class)
          .orShould()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.random.RandomGenerator.class);
}
