package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits of cgroups of version 2 as Slurm makes them, in a tree of ordinary files. */
class CgroupMemoryTest {
  private static final String JOB = "system.slice/slurmstepd.scope/job_42";
  private static final String TASK = JOB + "/step_0/user/task_0";

  @TempDir private Path temp;
  private Path mounted;

  @BeforeEach
  void tree() throws IOException {
    mounted = temp.resolve("sys");
    Files.createDirectories(mounted.resolve(TASK));
    limit("9999", ""); // above what is mounted, as a stranger's file
    for (String group : new String[] {TASK, JOB + "/step_0/user", "system.slice"}) {
      limit("max", group);
    }
    Files.move(mounted.resolve("memory.max"), temp.resolve("memory.max"));
  }

  private void limit(String text, String group) throws IOException {
    Files.writeString(mounted.resolve(group).resolve("memory.max"), text + "\n");
  }

  private long bytes(String membership) throws IOException {
    Path file = temp.resolve("cgroup");
    Files.writeString(file, membership);
    return new CgroupMemory(file, mounted).bytes();
  }

  @Test
  void theLeastLimitAboveTheProcessHolds() throws IOException {
    limit("3000000", JOB);
    limit("2000000", JOB + "/step_0");
    assertThat(bytes("0::/" + TASK + "\n")).isEqualTo(2_000_000);
    limit("1000000", JOB);
    assertThat(bytes("0::/" + TASK + "\n")).isEqualTo(1_000_000);
    assertThat(bytes("0::/" + JOB + "\n")).isEqualTo(1_000_000);
  }

  @Test
  void aProcessMayBeInBothVersions() throws IOException {
    limit("1000000", JOB);
    assertThat(bytes("4:memory:/other\n1:name=systemd:/x\n0::/" + TASK + "\n"))
        .isEqualTo(1_000_000);
  }

  @ParameterizedTest
  @CsvSource({
    "''",
    "4:memory:/slurm/job_42",
    "0::/system.slice",
    "0::/no/such/group",
    "0::/../../elsewhere",
    "0::",
    "nonsense"
  })
  void whereThereIsNoneThereIsNoLimit(String membership) throws IOException {
    assertThat(bytes(membership)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void whatCannotBeReadIsNoLimit() throws IOException {
    limit("many", JOB);
    assertThat(bytes("0::/" + TASK)).isEqualTo(Long.MAX_VALUE);
    var nothing = new CgroupMemory(temp.resolve("no/such"), mounted);
    assertThat(nothing.bytes()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void thisMachinesIsPositive() {
    assertThat(CgroupMemory.ofThisProcess().bytes()).isPositive();
    assertThat(MemoryLimit.ofThisProcess().bytes())
        .isLessThanOrEqualTo(CgroupMemory.ofThisProcess().bytes());
  }
}
