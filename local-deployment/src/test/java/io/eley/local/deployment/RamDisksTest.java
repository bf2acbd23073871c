package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.TreeDeletion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RamDisksTest {
  @TempDir private Path temp;
  private Path ram;
  private DeploymentFiles files;
  private RamDisks disks;

  @BeforeEach
  void surroundings() throws Exception {
    ram = Files.createDirectory(temp.resolve("ram"));
    files = new DeploymentFiles(Files.createDirectory(temp.resolve("deployment")));
    disks = new RamDisks(files);
  }

  @Test
  void aDirectoryIsPrivateAndNoted() throws Exception {
    Path first = disks.create(ram, "node-1");
    Path second = disks.create(ram, "node-2");
    assertThat(Files.getPosixFilePermissions(first))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(Files.readAllLines(files.ramDisks()))
        .containsExactly(
            Files.readString(first.resolve("lock")) + "@" + host() + " " + first,
            Files.readString(second.resolve("lock")) + "@" + host() + " " + second);
  }

  private static String host() {
    return Whereabouts.here().host();
  }

  /** Where Slurm kills all of a job at once, its prolog finds by that number what is left. */
  @Test
  void aDirectoryThatIsMadeInAJobHasTheJobsNumberInItsName() throws Exception {
    Path made = disks.create(ram, "node-1", inAJob("17"));
    assertThat(made.getFileName().toString()).matches("eley-node-1-17-\\d+");
    Path odd = disks.create(ram, "node-2", inAJob("17/../x"));
    Path outside = disks.create(ram, "node-3", Map.of());
    assertThat(odd.getFileName().toString()).matches("eley-node-2-\\d+");
    assertThat(outside.getFileName().toString()).matches("eley-node-3-\\d+");
    disks.remove();
    assertThat(ram).isEmptyDirectory();
  }

  private static Map<String, String> inAJob(String number) {
    return Map.of("SLURM_JOB_ID", number, "SLURMD_NODENAME", "n1");
  }

  /** In the shell of a plain `salloc`, which goes on when the job has ended. */
  @Test
  void aDirectoryThatIsMadeBesideAJobIsNotTheJobs() throws Exception {
    Path made = disks.create(ram, "node-1", Map.of("SLURM_JOB_ID", "17"));
    assertThat(made.getFileName().toString()).matches("eley-node-1-\\d+");
  }

  /** Its blocks are in that host's RAM, and whoever stops the deployment there must find them. */
  @Test
  void aLineOfAnotherHostStaysUntilItsDirectoryIsHere() throws Exception {
    Path own = disks.create(ram, "node-1");
    Path theirs = ram.resolve("eley-node-2-x");
    String token = "0".repeat(32);
    String line = token + "@other " + theirs;
    Files.writeString(files.ramDisks(), line + "\n", StandardOpenOption.APPEND);
    Files.writeString(
        files.ramDisks(), token + "@" + host() + " " + theirs + "\n", StandardOpenOption.APPEND);
    disks.remove();
    assertThat(own).doesNotExist();
    assertThat(Files.readAllLines(files.ramDisks())).containsExactly(line);

    withLock(theirs, token);
    disks.remove();
    assertThat(theirs).doesNotExist();
    assertThat(files.ramDisks()).doesNotExist();
  }

  /** Written by version 0.2, which noted no host. */
  @Test
  void aLineWithoutAHostIsOfThisOne() throws Exception {
    String token = "0".repeat(32);
    Path own = withLock(ram.resolve("eley-node-1-x"), token);
    Files.writeString(files.ramDisks(), token + " " + own + "\n" + token + " " + ram + "/gone\n");
    disks.remove();
    assertThat(own).doesNotExist();
    assertThat(files.ramDisks()).doesNotExist();
  }

  /** Whatever the umask is, and whatever an attempt before has left there. */
  @Test
  void theListIsItsOwnersAlone() throws Exception {
    disks.create(ram, "node-1");
    assertThat(Files.getPosixFilePermissions(files.ramDisks()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(files.ramDisks(), PosixFilePermissions.fromString("rw-rw-r--"));
    disks.create(ram, "node-2");
    disks.remove();
    assertThat(ram).isEmptyDirectory();
  }

  @Test
  void whatIsInADirectoryGoesWithIt() throws Exception {
    Path blocks = Files.createDirectories(disks.create(ram, "node-1").resolve("blocks/00"));
    Files.write(blocks.resolve("block"), new byte[10]);
    disks.remove();
    assertThat(ram).isEmptyDirectory();
    assertThat(files.ramDisks()).doesNotExist();
    disks.remove();
  }

  @Test
  void whatDoesNotLookLikeOursIsLeftAlone() throws Exception {
    Path own = disks.create(ram, "node-1");
    Path strange = Files.createDirectory(ram.resolve("somebody"));
    Files.writeString(files.ramDisks(), strange + "\n/\n", StandardOpenOption.APPEND);
    disks.remove();
    assertThat(own).doesNotExist();
    assertThat(strange).exists();
  }

  /** Found by the fuzzer: a zero byte is in no path. */
  @Test
  void aDamagedLineIsNoObstacle() throws Exception {
    Files.writeString(files.ramDisks(), "0".repeat(32) + " /dev/shm/eley-node-1-\0x\n");
    Path own = disks.create(ram, "node-1");
    disks.remove();
    assertThat(own).doesNotExist();
    assertThat(files.ramDisks()).doesNotExist();
  }

  @Test
  void onlyTheDirectoryWhoseLockHoldsTheTokenOfTheListIsRemoved() throws Exception {
    String token = "0".repeat(32);
    var kept =
        List.of(
            withLock(ram.resolve("eley-node-1-x"), "1".repeat(32)),
            withLock(ram.resolve("eley-node-2-x"), ""),
            withLock(ram.resolve("other-1-x"), token),
            Files.createDirectory(ram.resolve("eley-node-3-x")));
    Path linked = Files.createSymbolicLink(ram.resolve("eley-node-4-x"), kept.get(2));
    Path lockIsLink = Files.createDirectory(ram.resolve("eley-node-5-x"));
    Files.createSymbolicLink(lockIsLink.resolve("lock"), kept.get(2).resolve("lock"));
    var list = new ArrayList<>(kept);
    list.addAll(List.of(linked, lockIsLink, ram.resolve("x/../other-1-x")));
    for (Path each : list) {
      Files.writeString(
          files.ramDisks(),
          token + " " + each + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
    disks.remove();
    assertThat(kept).allMatch(Files::isDirectory);
    assertThat(Files.isSymbolicLink(linked)).isTrue();
    assertThat(lockIsLink).isDirectory();
    assertThat(files.ramDisks()).doesNotExist();
  }

  private static Path withLock(Path directory, String token) throws Exception {
    Files.createDirectory(directory);
    Path lock = Files.writeString(directory.resolve("lock"), token);
    Files.setPosixFilePermissions(lock, PosixFilePermissions.fromString("rw-------"));
    return directory;
  }

  @Test
  void aLinkToADirectoryInADirectoryIsRemovedAndNotEntered() throws Exception {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Files.writeString(outside.resolve("file"), "kept");
    Files.createSymbolicLink(disks.create(ram, "node-1").resolve("link"), outside);
    disks.remove();
    assertThat(ram).isEmptyDirectory();
    assertThat(outside.resolve("file")).hasContent("kept");
  }

  @Test
  void aSymbolicLinkInADirectoryIsRemovedAndNotFollowed() throws Exception {
    Path outside = Files.writeString(temp.resolve("outside"), "kept");
    Files.createSymbolicLink(disks.create(ram, "node-1").resolve("link"), outside);
    disks.remove();
    assertThat(ram).isEmptyDirectory();
    assertThat(outside).hasContent("kept");
  }

  /** As systemd-logind leaves it, which deletes while the node still writes. */
  @Test
  void oneOfWhichBlocksAreLeftIsLockedAgainAndRemovedAtTheEnd() throws Exception {
    Path made = disks.create(ram, "node-1");
    String token = Files.readString(made.resolve("lock"));
    Path block = Files.writeString(Files.createDirectory(made.resolve("blocks")).resolve("b"), "x");
    Path whole = disks.create(ram, "node-2");
    Path lock = whole.resolve("lock");
    Object same = Files.readAttributes(lock, BasicFileAttributes.class).fileKey();
    Files.delete(made.resolve("lock"));
    disks.restore();
    assertThat(made.resolve("lock")).hasContent(token);
    assertThat(block).hasContent("x");
    assertThat(Files.readAttributes(lock, BasicFileAttributes.class).fileKey())
        .as("a node runs there")
        .isEqualTo(same);
    disks.remove();
    assertThat(ram).isEmptyDirectory();
  }

  @Test
  void oneThatOthersMayWriteToIsNotLockedAgain() throws Exception {
    Path made = disks.create(ram, "node-1");
    Files.delete(made.resolve("lock"));
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwx---"));
    assertThatThrownBy(disks::restore)
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("can be written by others");
    assertThat(made).isEmptyDirectory();
  }

  /** Whoever may write to the RAM-disk could have it filled elsewhere, or anything deleted. */
  @Test
  void aLinkInItsPlaceIsNotFollowed() throws Exception {
    Path made = disks.create(ram, "node-1");
    Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
    Files.delete(made.resolve("lock"));
    Files.delete(made);
    Files.createSymbolicLink(made, elsewhere);
    assertThatThrownBy(disks::restore)
        .isInstanceOf(EleyException.class)
        .hasMessageStartingWith("cannot make " + made + " again");
    assertThat(elsewhere).isEmptyDirectory();
  }

  /** A directory of the user's own there goes with all that is in it. */
  @Test
  void inSharedMemoryItsParentIsMadeAgainToo() throws Exception {
    Path own = Files.createTempDirectory(Path.of("/dev/shm"), "eley-test-");
    try {
      Path parent = Files.createDirectory(own.resolve("user"));
      Path made = disks.create(parent, "node-1");
      TreeDeletion.delete(parent);
      disks.restore();
      assertThat(Files.getPosixFilePermissions(parent))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
      assertThat(made.resolve("lock")).exists();
      disks.remove();
      assertThat(parent).isEmptyDirectory();
    } finally {
      TreeDeletion.delete(own);
    }
  }

  @Test
  void aRamDiskThatIsNotMountedIsNotMadeAgain() throws Exception {
    Path made = disks.create(ram, "node-1");
    TreeDeletion.delete(ram);
    assertThatThrownBy(disks::restore)
        .isInstanceOf(EleyException.class)
        .hasMessageStartingWith("cannot make " + made + " again");
    assertThat(ram).doesNotExist();
  }

  @Test
  void aRamDiskThatIsGoneIsSaid() {
    assertThatThrownBy(() -> disks.create(temp.resolve("gone"), "node-1"))
        .isInstanceOf(EleyException.class)
        .hasMessageStartingWith("cannot make a directory on " + temp.resolve("gone"));
  }
}
