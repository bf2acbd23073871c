package io.eley.system.pfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.scheduler.hooks.counters.PerfMon;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A real OrangeFS of two servers in network namespaces of its own, with two mounts as two compute
 * nodes have them, and more by {@link #link}, whose traffic can be counted. The script that brings
 * it up is named by {@code ELEY_TESTBED}; it is no part of this project. Needs root and {@code
 * /dev/fuse}.
 */
public final class Testbed implements AutoCloseable {
  private static final long MINUTES = 2;
  private static final int SERVERS = 2;
  private static final int ATTEMPTS = 3;

  /**
   * A server that has just started answers late on a busy machine, and a mount waits for nobody.
   */
  private static final String MOUNT =
      """
      mkdir -p $TESTBED/mnt/$0
      echo "tcp://$NET.1:3334/orangefs $TESTBED/mnt/$0 pvfs2 defaults,noauto 0 0" >>$PVFS2TAB_FILE
      for i in $(seq 60); do
        if nice -n -10 nsenter --net=${1:-/proc/self/ns/net} pvfs2fuse $TESTBED/mnt/$0 \
            -o fs_spec=tcp://$NET.1:3334/orangefs -o allow_other 2>$TESTBED/run/$0.err; then
          exit 0
        fi
        sleep 0.5
      done
      echo "cannot mount $0:"
      tail -n 5 $TESTBED/run/$0.err $TESTBED/run/server*
      exit 1
      """;

  private final Path directory;
  private final Path script;
  private final Map<String, String> environment = new HashMap<>();
  private final List<String> links = new ArrayList<>();

  private Testbed(Path directory, Path script) {
    this.directory = directory;
    this.script = script;
    long own = ProcessHandle.current().pid();
    environment.put("TESTBED", directory.toString());
    environment.put("TAG", "t" + own % 100_000);
    environment.put("NET", "10." + (100 + own % 100) + "." + own / 100 % 250);
    environment.put("RATE", System.getProperty("eley.test.rate", "40mbps"));
    environment.put("SERVERS", Integer.toString(SERVERS));
    environment.put("MOUNTS", " "); // the script's own mounts wait five seconds only
    environment.put("PATH", directory.resolve("inst/bin") + ":" + System.getenv("PATH"));
    environment.put("LD_LIBRARY_PATH", directory.resolve("inst/lib").toString());
    environment.put("PVFS2TAB_FILE", directory.resolve("run/tab").toString());
  }

  /** Brings it up below an empty directory, or skips the test with the reason. */
  public static Testbed up(Path directory) throws Exception {
    String script = System.getenv("ELEY_TESTBED");
    Assumptions.assumeTrue(
        script != null && Files.isExecutable(Path.of(script)),
        "needs a testbed's script in ELEY_TESTBED");
    Assumptions.assumeTrue(
        "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/dev/fuse")),
        "needs root and /dev/fuse");
    var testbed = new Testbed(directory, Path.of(script));
    for (int attempt = 1; ; attempt++) {
      try {
        // Servers and mounts stand for hosts of their own: whatever else computes comes after them.
        testbed.run(List.of("nice", "-n", "-10", script, "up"));
        testbed.run(List.of("sh", "-ec", MOUNT, "a"));
        testbed.run(List.of("sh", "-ec", MOUNT, "b"));
        return testbed;
      } catch (IOException | AssertionError e) {
        testbed.close();
        if (attempt == ATTEMPTS) {
          throw e;
        }
        System.out.println("the testbed did not come up, once more: " + e.getMessage());
      }
    }
  }

  /** Where a mount is. */
  public Path mount(String name) {
    return directory.resolve("mnt").resolve(name);
  }

  /** Makes a mount in a network namespace of its own, whose one link carries nothing else. */
  public Path link(String name) throws IOException, InterruptedException {
    links.add(name);
    run(
        List.of(
            "sh",
            "-ec",
            """
            ns=${TAG}l$1
            ip netns add $ns
            ip link add $ns type veth peer name eth0 netns $ns
            ip link set $ns master ${TAG}br up
            ip netns exec $ns ip link set lo up
            ip netns exec $ns ip addr add $NET.10$1/24 dev eth0
            ip netns exec $ns ip link set eth0 up
            ip netns exec $ns ip route replace $NET.0/24 dev eth0 src $NET.10$1 quickack 1
            """,
            name,
            Integer.toString(links.size())));
    String network = "/run/netns/" + environment.get("TAG") + "l" + links.size();
    run(List.of("sh", "-ec", MOUNT, name, network));
    return mount(name);
  }

  /** Bytes that a link has carried to its mount; of what is read, with what the protocols add. */
  long carried(String link) throws IOException {
    Path counter =
        Path.of(
            "/sys/class/net",
            environment.get("TAG") + "l" + (1 + links.indexOf(link)),
            "statistics",
            "tx_bytes");
    return Long.parseLong(Files.readString(counter).strip());
  }

  /** Suspends a server, the first being 1: whoever needs it sleeps until it is thawed. */
  void freeze(int server) throws IOException, InterruptedException {
    run(List.of(script.toString(), "freeze", Integer.toString(server)));
  }

  void thaw(int server) throws IOException, InterruptedException {
    run(List.of(script.toString(), "thaw", Integer.toString(server)));
  }

  /** What a process needs to find the testbed's programs, added to its own. */
  Map<String, String> environment() {
    return Map.copyOf(environment);
  }

  /** Runs a program of the testbed; returns what it printed. */
  public String run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "output", ".txt");
    var builder = new ProcessBuilder(new ArrayList<>(command));
    builder.environment().putAll(environment);
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
    if (!ended) {
      process.destroyForcibly();
    }
    String text = Files.readString(output);
    assertThat(ended).as("%s ends: %s", command, text).isTrue();
    assertThat(process.exitValue()).as("%s: %s", command, text).isZero();
    return text;
  }

  /**
   * What the file system's counters print first; the tool itself never ends. On a busy machine it
   * may have printed too little when it is ended, and is run again.
   */
  String counters() throws IOException, InterruptedException {
    String printed = printedCounters();
    for (int again = 1; again <= 5 && !hasAllServers(printed); again++) {
      printed = printedCounters();
    }
    return printed;
  }

  private String printedCounters() throws IOException, InterruptedException {
    return run(
        List.of(
            "sh",
            "-c",
            "timeout 2 pvfs2-perf-mon-example -m " + mount("a") + " | head -n 60; true"));
  }

  /** Of each what was read and what was written. */
  private static boolean hasAllServers(String printed) {
    try {
      return PerfMon.parse(printed).size() == 2 * SERVERS;
    } catch (SignalException e) {
      return false; // none at all
    }
  }

  @Override
  public void close() throws IOException {
    try {
      run(List.of(script.toString(), "down"));
      for (int i = 1; i <= links.size(); i++) {
        run(List.of("sh", "-c", "ip netns del ${TAG}l$0; true", Integer.toString(i)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the testbed went down", e);
    }
  }
}
