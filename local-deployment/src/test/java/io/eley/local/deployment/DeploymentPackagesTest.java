package io.eley.local.deployment;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.eley.local.deployment",
    importOptions = ImportOption.DoNotIncludeTests.class)
class DeploymentPackagesTest {
  @ArchTest
  static final ArchRule ofTheProcessesOnlyTheirKeysAreKnown =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.eley.cli..",
              "io.eley.prefetcher..",
              "io.eley.scheduler..",
              "io.eley.bb.server.store..",
              "io.eley.bb.server.net..");
}
