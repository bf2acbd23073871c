package io.eley.system.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.ref.Reference;
import java.time.Clock;
import java.time.Instant;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.random.RandomGenerator;

/**
 * What lets a simulation run decisions and loops unchanged: no threads, no I/O, no clock of their
 * own.
 */
@AnalyzeClasses(
    packages = {"io.eley.prefetcher", "io.eley.controller"},
    importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
  /** Among the words, not the wire, the client or the origin. */
  @ArchTest
  static final ArchRule decisionsKnowTheWordsAndTheJdkAlone =
      classes()
          .that()
          .resideInAPackage("io.eley.prefetcher..")
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
  static final ArchRule loopsKnowDecisionsWordsAndTheJdkAlone =
      classes()
          .that()
          .resideInAPackage("io.eley.controller..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.eley.controller..",
              "io.eley.prefetcher..",
              "io.eley.bb.api",
              "io.eley.bb.api.config",
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
          .belongToAnyOf(
              Thread.class, ThreadLocal.class, Timer.class, Process.class, ExecutorService.class)
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
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(RandomGenerator.class);
}
