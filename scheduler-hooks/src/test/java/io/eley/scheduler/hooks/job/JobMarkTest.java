package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.scheduler.hooks.command.CommandRunner.Output;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobMarkTest {
  private final List<String> issued = new ArrayList<>();
  private Output queue = new Output(0, "", "");
  private final JobMark mark = new JobMark(new SlurmCommands(this::run));

  private Output run(List<String> command) {
    issued.add(String.join(" ", command));
    return command.get(0).equals("squeue") ? queue : new Output(0, "", "");
  }

  private List<String> updates() {
    return issued.stream().filter(c -> c.startsWith("scontrol")).toList();
  }

  @Test
  void aCommentOfTheUsersStays() {
    queue = new Output(0, "12|my run, pfs_bw=60\n", "");
    mark.put(List.of(12L));
    assertThat(issued)
        .containsExactly(
            "squeue --noheader --jobs=12 --format=%A|%k",
            "scontrol update jobid=12 comment=my run, pfs_bw=60 eley=job");
  }

  @Test
  void eachComponentIsMarkedOnceByItsOwnComment() {
    queue = new Output(0, "12|(null)\n13|eley=job\n", "");
    mark.put(List.of(12L, 13L));
    assertThat(updates()).containsExactly("scontrol update jobid=12 comment=eley=job");
  }

  @Test
  void aJobThatIsGoneOrASlurmThatRefusesChangesNothing() {
    mark.put(List.of(12L));
    queue = new Output(1, "", "slurm_load_jobs error: Invalid job id specified");
    mark.put(List.of(13L));
    assertThat(issued).hasSize(2).allMatch(c -> c.startsWith("squeue"));
  }
}
