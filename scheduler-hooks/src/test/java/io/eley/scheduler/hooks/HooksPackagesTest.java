package io.eley.scheduler.hooks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.eley.scheduler.hooks",
    importOptions = ImportOption.DoNotIncludeTests.class)
class HooksPackagesTest {
  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.eley.scheduler.hooks.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule signalsKnowPhasesAndWordsAlone =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.eley.scheduler.hooks..",
              "io.eley.controller.phase..",
              "io.eley.bb.api..",
              "java..",
              "com.fasterxml.jackson..",
              "org.slf4j",
              "org.jspecify..");
}
