package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.error.EleyException;
import io.eley.experiments.SlurmAllocation.Slurm;
import io.eley.local.deployment.Teardown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With commands that say and do what Slurm's would. */
class SlurmAllocationTest {
  private static final String GRANTED =
      "echo salloc: Pending job allocation 12; echo salloc: Granted job allocation 12";

  /** Is in the queue until it is told to end. */
  private static final String QUEUES =
      """
      echo 'salloc: Pending job allocation 12'
      sleep 600 & sleep=$!
      trap 'kill $sleep; %s; exit 1' TERM
      touch "$0.asked"
      wait $sleep
      """;

  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private final Teardown teardown = Teardown.detached();
  private final List<EleyException> failures = new CopyOnWriteArrayList<>();
  private final AtomicBoolean interrupted = new AtomicBoolean();

  @AfterEach
  void end() {
    teardown.close();
  }

  private Slurm slurm(String salloc, Duration grace) throws IOException {
    script("salloc", salloc);
    script("scancel", "echo \"$@\" >> \"$0.told\"");
    return new Slurm(name -> directory.resolve(name).toString(), grace);
  }

  private void script(String name, String body) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private Path cancelled() {
    return directory.resolve("scancel.told");
  }

  private SlurmAllocation allocate(Slurm slurm) throws EleyException {
    return SlurmAllocation.allocate(slurm, directory.resolve("salloc.txt"), teardown, line -> {});
  }

  /** Who waits for one, which is in the queue when this returns. */
  private Thread queued(Slurm slurm) {
    var waits =
        new Thread(
            () -> {
              try {
                allocate(slurm);
              } catch (EleyException e) {
                failures.add(e);
                interrupted.set(Thread.currentThread().isInterrupted());
              }
            });
    waits.setDaemon(true);
    waits.start();
    await().until(() -> Files.exists(directory.resolve("salloc.asked")));
    return waits;
  }

  private void ends(Thread waits) {
    await().until(() -> !waits.isAlive());
    assertThat(failures).hasSize(1);
  }

  @Test
  void aJobIsCancelledWithItsRun() throws Exception {
    var job = allocate(slurm(GRANTED, LONG));

    assertThat(job.step(List.of("mpirun", "ior")))
        .containsExactly(
            directory.resolve("srun").toString(),
            "--jobid=12",
            "--overlap",
            "-n1",
            "mpirun",
            "ior");
    assertThat(cancelled()).doesNotExist();
    teardown.close();
    assertThat(cancelled()).hasContent("12");
  }

  /** Killed it would leave its request in the queue, to be granted to nobody. */
  @Test
  void aRequestThatIsGivenUpIsTakenBackBySalloc() throws Exception {
    var waits = queued(slurm(String.format(QUEUES, "touch \"$0.revoked\""), LONG));

    teardown.close();

    ends(waits);
    assertThat(directory.resolve("salloc.revoked")).exists();
    assertThat(cancelled()).doesNotExist();
  }

  @Test
  void whoIsInterruptedInTheQueueLeavesNothingThere() throws Exception {
    var waits = queued(slurm(String.format(QUEUES, "touch \"$0.revoked\""), LONG));

    waits.interrupt();

    ends(waits);
    assertThat(interrupted).isTrue();
    teardown.close();
    assertThat(directory.resolve("salloc.revoked")).exists();
  }

  @Test
  void aJobThatIsGrantedWhileItIsGivenUpIsCancelled() throws Exception {
    var waits = queued(slurm(String.format(QUEUES, GRANTED), LONG));

    teardown.close();

    await().until(() -> !waits.isAlive());
    assertThat(cancelled()).hasContent("12");
  }

  @Test
  void aRequestWhoseSallocDoesNotEndIsCancelledByItsNumber() throws Exception {
    var deaf =
        """
        trap '' TERM
        echo 'salloc: Pending job allocation 12'
        touch "$0.asked"
        exec sleep 600
        """;
    var waits = queued(slurm(deaf, Duration.ofMillis(50)));

    teardown.close();

    ends(waits);
    assertThat(cancelled()).hasContent("12");
  }

  @Test
  void whatIsRefusedIsSaidAndNotCancelled() throws Exception {
    var slurm = slurm("echo 'salloc: error: Unable to allocate resources'; exit 1", LONG);

    assertThatThrownBy(() -> allocate(slurm)).hasMessageContaining("Unable to allocate resources");
    teardown.close();
    assertThat(cancelled()).doesNotExist();
  }

  @Test
  void aJobThatSlurmDoesNotCancelIsNotSilentlyLeft() throws Exception {
    var slurm = slurm(GRANTED, LONG);
    script("scancel", "echo 'scancel: error: Unable to contact slurm controller'; exit 1");
    var job = allocate(slurm);

    assertThatThrownBy(job::close)
        .hasMessageContaining("scancel 12: scancel: error: Unable to contact");
  }
}
