package io.eley.coordinator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.eley.coordinator",
    importOptions = ImportOption.DoNotIncludeTests.class)
class CoordinatorPackagesTest {
  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.eley.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule ofTheNodeItsFrontAlone =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.eley.bb.server.store..", "io.eley.bb.server.node..");

  @ArchTest
  static final ArchRule framesAndThreadsOfTheNetworkStayBehindTheSession =
      noClasses().should().dependOnClassesThat().resideInAnyPackage("io.netty..");
}
