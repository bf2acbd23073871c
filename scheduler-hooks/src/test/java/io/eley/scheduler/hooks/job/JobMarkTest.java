package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.scheduler.hooks.command.CommandRunner.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobMarkTest {
  private final List<String> issued = new ArrayList<>();
  private Output queue = new Output(0, "", "");
  private Output update = new Output(0, "", "");
  private final JobMark mark = new JobMark(new SlurmCommands(this::run));

  private Output run(List<String> command) {
    issued.add(String.join(" ", command));
    return command.get(0).equals("squeue") ? queue : update;
  }

  private List<String> updates() {
    return issued.stream().filter(c -> c.startsWith("scontrol")).toList();
  }

  @Test
  void aCommentOfTheUsersStays() {
    queue = new Output(0, "12|12|my run, pfs_bw=60\n", "");
    mark.put(List.of(12L));
    assertThat(issued)
        .containsExactly(
            "squeue --noheader --jobs=12 --format=%A|%i|%k",
            "scontrol update jobid=12 comment=my run, pfs_bw=60 eley=job");
  }

  @Test
  void eachComponentIsMarkedOnceByItsOwnComment() {
    queue = new Output(0, "12|12+0|(null)\n13|12+1|eley=job\n", "");
    mark.put(List.of(12L, 13L));
    assertThat(updates()).containsExactly("scontrol update jobid=12+0 comment=eley=job");
  }

  @Test
  void aJobThatIsGoneOrASlurmThatRefusesChangesNothing() {
    mark.put(List.of(12L));
    queue = new Output(1, "", "slurm_load_jobs error: Invalid job id specified");
    mark.put(List.of(13L));
    assertThat(issued).hasSize(2).allMatch(c -> c.startsWith("squeue"));
  }

  @Test
  void theMarkIsTakenOffAndWhatTheUserWroteMeanwhileStays() {
    queue = new Output(0, "12|12|my run\n", "");
    mark.put(List.of(12L));
    queue = new Output(0, "12|12|my run eley=job,phase=io\n", "");
    issued.clear();
    mark.takeOff();
    assertThat(updates()).containsExactly("scontrol update jobid=12 comment=my run,phase=io");
    issued.clear();
    mark.takeOff();
    assertThat(issued).as("once").isEmpty();
  }

  @Test
  void aJobWithoutACommentHasNoneAfterwards() {
    queue = new Output(0, "12|12|(null)\n", "");
    mark.put(List.of(12L));
    queue = new Output(0, "12|12|eley=job\n", "");
    mark.takeOff();
    assertThat(updates())
        .containsExactly(
            "scontrol update jobid=12 comment=eley=job", "scontrol update jobid=12 comment=");
  }

  @Test
  void aMarkThatWasThereBeforeStays() throws Exception {
    queue = new Output(0, "12|12|mine eley=job\n", "");
    assertThat(mark.unmarked(List.of(12L))).isEmpty();
    mark.put(List.of(12L));
    mark.takeOff();
    assertThat(updates()).isEmpty();
  }

  @Test
  void aCommentThatItsUserReplacedStays() {
    queue = new Output(0, "12|12|(null)\n", "");
    mark.put(List.of(12L));
    queue = new Output(0, "12|12|phase=io\n", "");
    mark.takeOff();
    assertThat(updates()).hasSize(1);
  }

  /** Where the command's answer is lost, Slurm may have done what it was told. */
  @Test
  void aMarkThatMayHaveBeenPutIsTakenOff() {
    queue = new Output(0, "12|12|(null)\n", "");
    update = new Output(1, "", "slurm_update error: Socket timed out");
    mark.put(List.of(12L));
    queue = new Output(0, "12|12|eley=job\n", "");
    update = new Output(0, "", "");
    mark.takeOff();
    assertThat(updates()).hasSize(2).last().isEqualTo("scontrol update jobid=12 comment=");
  }

  /** The number of an array's last task is the whole array's. */
  @Test
  void ofAnArrayOneTaskIsMarked() throws Exception {
    queue = new Output(0, "98|12_0|(null)\n12|12_1|mine\n", "");
    assertThat(mark.unmarked(List.of(12L))).containsExactly(12L);
    mark.put(List.of(12L));
    assertThat(updates()).containsExactly("scontrol update jobid=12_1 comment=mine eley=job");
  }

  @Test
  void ourJobsAreThoseOfTheEnvironment() {
    var environment =
        Map.of(
            "SLURM_JOB_ID", "7",
            "SLURM_JOB_ID_HET_GROUP_1", "8",
            "ELEY_SERVED_JOB", "9",
            "SLURM_JOBID", "10",
            "SLURM_JOB_ID_HET_GROUP_2", "none");
    assertThat(JobMark.ourJobs(environment)).containsExactlyInAnyOrder(7L, 8L, 9L);
  }
}
