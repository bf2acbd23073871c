package io.eley.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.Settings;
import io.eley.cli.doctor.Finding.Level;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of the jobs of a Slurm that answers. */
class SlurmCheckTest {
  /** One question is for some of them. */
  @ParameterizedTest
  @CsvSource({"1, 1 running job", "40, 40 running jobs"})
  void saysOfHowManyJobsTheBytesAreSeen(int jobs, String words) {
    String queue =
        IntStream.rangeClosed(1, jobs)
            .mapToObj(
                "{\"job_id\": %d, \"user_name\": \"u\", \"job_state\": \"RUNNING\"}"::formatted)
            .collect(Collectors.joining(",", "{\"jobs\": [", "]}"));
    CommandRunner slurm =
        command ->
            switch (command.get(0)) {
              case "sinfo" -> new Output(0, "slurm-wlm 24.05.8", "");
              case "squeue" -> new Output(0, queue, "");
              case "scontrol" -> new Output(0, "SlurmctldParameters = (null)", "");
              default -> new Output(0, steps(command.get(command.size() - 1)), "");
            };
    var finding = SlurmCheck.of(slurm, Settings.of(Map.of("eley.signal.slurm", "true"))).finding();
    assertThat(finding.level()).isEqualTo(Level.OK);
    assertThat(finding.says()).isEqualTo("the bytes of " + words + " may be seen");
  }

  private static String steps(String jobs) {
    return jobs.replaceAll("(\\d+),?", "$1.0|fs/disk=5|\n");
  }
}
