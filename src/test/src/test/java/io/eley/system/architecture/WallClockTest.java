package io.eley.system.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.util.Date;
import java.util.Set;

/**
 * A clock that jumps harms no read: deadlines, leases, permits and back-offs of the data path are
 * measured by the monotonic clock, and nothing on it asks for the time of day.
 */
@AnalyzeClasses(
    packages = {"io.eley.bb.api", "io.eley.bb.server", "io.eley.controller", "io.eley.prefetcher"},
    importOptions = ImportOption.DoNotIncludeTests.class)
class WallClockTest {
  private static final Set<String> ASKS =
      Set.of("currentTimeMillis", "now", "systemUTC", "systemDefaultZone", "system");

  @ArchTest
  static final ArchRule theDataPathDoesNotAskForTheTimeOfDay =
      noClasses()
          .should()
          .accessTargetWhere(
              describe(
                  "the time of day is asked for",
                  access ->
                      ASKS.contains(access.getName())
                          && (access.getTargetOwner().isEquivalentTo(System.class)
                              || access.getTargetOwner().getPackageName().equals("java.time"))))
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Date.class);
}
