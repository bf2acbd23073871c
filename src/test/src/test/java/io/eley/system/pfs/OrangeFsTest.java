package io.eley.system.pfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.MountedOrigin;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.scheduler.hooks.counters.CounterPoint;
import io.eley.scheduler.hooks.counters.PerfMon;
import io.eley.system.EleyCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Eley takes for granted of a parallel file system, on a real OrangeFS. */
@Tag("slow")
class OrangeFsTest {
  private static final int MIB = 1 << 20;

  @TempDir static Path directory;

  @SuppressWarnings("NullAway.Init") // by up(), before any test
  private static Testbed testbed;

  @BeforeAll
  static void up() throws Exception {
    testbed = Testbed.up(directory);
  }

  @AfterAll
  static void down() throws Exception {
    if (testbed != null) {
      testbed.close();
    }
  }

  /** pvfs2fuse numbers files in the order in which its own mount meets them. */
  @Test
  void aFileHasOneVersionOnAllMounts() throws Exception {
    Files.createDirectories(testbed.mount("a").resolve("d"));
    for (int i = 0; i < 3; i++) {
      Files.writeString(testbed.mount("a").resolve("d/file" + i), "content " + i);
    }
    try (var a = MountedOrigin.open(testbed.mount("a"));
        var b = MountedOrigin.open(testbed.mount("b"))) {
      var last = b.stat("/d/file2").version();
      assertThat(a.stat("/d/file0").version()).isEqualTo(b.stat("/d/file0").version());
      assertThat(a.stat("/d/file2").version()).isEqualTo(last);
      assertThat(a.list("/d")).isEqualTo(b.list("/d")).hasSize(3);
    }
  }

  /** The counters are those of the look, to the byte, however often anybody looks. */
  @Test
  void countersAreThoseOfTheLook() throws Exception {
    Path file = testbed.mount("b").resolve("written");
    Files.write(file, new byte[MIB]);
    for (int i = 1; i <= 3; i++) {
      long before = total();
      Files.write(file, new byte[i * MIB]);
      assertThat(total() - before).as("%d MiB were written", i).isEqualTo((long) i * MIB);
    }
  }

  /**
   * Two tasks of the installed IOR, by its own {@code mpirun}, with what {@code eley ior} takes.
   */
  @Test
  void theInstalledIorRunsByOurCommand() throws Exception {
    Path file = testbed.mount("a").resolve("ior");
    var words = ("ior --real -N 2 -w -F -k -b 1m -t 256k -o " + file).split(" ");
    var ended = EleyCommand.run(directory, testbed.environment(), words);
    assertThat(ended.code()).as(ended.text()).isZero();
    assertThat(ended.text()).containsPattern("IOR-4\\.\\d").contains("tasks               : 2");
    for (String task : List.of(".00000000", ".00000001")) {
      assertThat(Files.size(Path.of(file + task))).isEqualTo(MIB);
    }
  }

  /**
   * As two jobs do that each want to write the next version of one table. Over pvfs2fuse: the
   * kernel client, which remembers names, was not tried.
   */
  @Test
  void ofTwoHostsThatRenameToOneNameOneDoes() throws Exception {
    Files.createDirectories(testbed.mount("a").resolve("log"));
    try (var a = MountedOrigin.open(testbed.mount("a"));
        var b = MountedOrigin.open(testbed.mount("b"))) {
      for (int i = 0; i < 20; i++) {
        String version = "/log/" + i;
        Files.writeString(testbed.mount("a").resolve("log/of-a"), "a");
        Files.writeString(testbed.mount("b").resolve("log/of-b"), "b");
        var second = CompletableFuture.supplyAsync(() -> renamed(b, "/log/of-b", version));
        boolean first = renamed(a, "/log/of-a", version);
        assertThat(second.get()).as("round %d", i).isNotEqualTo(first);
        assertThat(testbed.mount("b").resolve("log/" + i)).hasContent(first ? "a" : "b");
      }
      assertThat(b.list("/log"))
          .extracting(OriginStatus::path)
          .as("20 versions, the last loser's file, and no lock")
          .hasSize(21)
          .noneMatch(path -> path.contains("eley"));
    }
  }

  private static boolean renamed(MountedOrigin origin, String from, String to) {
    try {
      origin.rename(from, to);
      return true;
    } catch (EleyException e) {
      assertThat(e).hasMessageContaining("target exists");
      return false;
    }
  }

  private static long total() throws Exception {
    var points = PerfMon.parse(testbed.counters());
    assertThat(points).as("two counters of each of two servers").hasSize(4);
    return points.stream().mapToLong(CounterPoint::bytes).sum();
  }
}
