package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * From submission to the first task on an idle cluster, and whose the time was: measured, without
 * and with a class-data archive, and printed. What the line says is {@code StartSharesTest}'s.
 */
@Timeout(900)
@EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
class JobStartTest extends JobSite {
  private static final int REPETITIONS = 5;

  private static final Pattern LINE =
      Pattern.compile(
          "eley: ([\\d.]+) s from submission to the first task: Slurm ([\\d.]+) s, Eley ([\\d.]+)"
              + " s, Spark ([\\d.]+) s\n");

  private static final Pattern JOINED = Pattern.compile("Eley was joined in (\\d+) ms");

  @Test
  void whoseTheTimeUntilTheFirstTaskIs() throws Exception {
    environment = List.of("env", "ELEY_JAVA_OPTS="); // as users have it
    Files.deleteIfExists(site.resolve("eley/lib/eley.jsa"));
    var without = starts();
    run(site.resolve("eley/bin/make-class-archive").toString());
    System.out.println("Eley's share, median, without a class-data archive: " + median(without));
    System.out.println("Eley's share, median, with one: " + median(starts()));
  }

  /** Eley's share of each start, in seconds. */
  private List<Double> starts() throws Exception {
    var shares = new ArrayList<Double>();
    for (int i = 0; i < REPETITIONS; i++) {
      long job = submit(NOBODY, wordCount(), "bb:///in", "bb:///out-" + System.nanoTime());
      slurm.await(() -> over(job), "the Spark job does not end: " + output(NOBODY, job));
      MatchResult line = LINE.matcher(output(NOBODY, job)).results().findFirst().orElseThrow();
      MatchResult joined = JOINED.matcher(sparkLog(job)).results().findFirst().orElseThrow();
      System.out.print(line.group() + "  and in the driver " + joined.group() + "\n");
      shares.add(Double.parseDouble(line.group(3)) + Integer.parseInt(joined.group(1)) / 1e3);
      double sum = 0;
      for (int whose = 2; whose <= 4; whose++) {
        sum += Double.parseDouble(line.group(whose));
      }
      assertThat(sum)
          .as("all of the time is somebody's")
          .isBetween(
              Double.parseDouble(line.group(1)) - 0.2, Double.parseDouble(line.group(1)) + 0.2);
    }
    return shares;
  }

  private static double median(List<Double> of) {
    return of.stream().sorted().skip(of.size() / 2).findFirst().orElseThrow();
  }
}
