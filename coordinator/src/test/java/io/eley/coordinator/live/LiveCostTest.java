package io.eley.coordinator.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** What one viewer of a large deployment costs: bytes, and time of our threads' processors. */
@Tag("timing")
@Isolated("it judges time")
@Timeout(120)
class LiveCostTest {
  private static final int NODES = 100;
  private static final int APPLICATIONS = 20;
  private static final long NOON = 1_795_438_800_000L;

  /** The first make the JIT work; they are not judged. */
  private static final int WARM = 3;

  private static final int JUDGED = 10;

  private final AtomicInteger made = new AtomicInteger();

  private LiveDocument document() {
    long now = NOON + 1000L * made.getAndIncrement();
    return LiveDocuments.of(SampleFacts.at(now, NODES, APPLICATIONS));
  }

  @Test
  void aViewerOfAHundredNodesCostsLittleAndNobodyNothing() throws Exception {
    try (var site = new LiveSite(this::document)) {
      var request = HttpRequest.newBuilder(site.page().resolve(streamOf(site))).build();
      assertThat(made).as("documents made before anybody looked").hasValue(0);
      var sizes = new ArrayList<Integer>();
      long before = 0;
      var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofLines());
      try (var lines = answer.body()) {
        for (var each = lines.iterator(); sizes.size() < WARM + JUDGED; ) {
          String line = each.next();
          if (line.startsWith("data: ")) {
            sizes.add(line.getBytes(StandardCharsets.UTF_8).length);
            before = sizes.size() == WARM ? processorNanos() : before;
          }
        }
      }
      double cores = (processorNanos() - before) / 1e9 / JUDGED;
      List<Integer> updates = sizes.subList(1, sizes.size());
      System.out.printf(
          Locale.ROOT,
          "live: first document %d bytes, later ones %d, %.4f of a core for a viewer%n",
          sizes.get(0),
          updates.get(updates.size() - 1),
          cores);
      assertThat(sizes.get(0)).isLessThan(100_000);
      assertThat(updates).allMatch(bytes -> bytes < 60_000);
      assertThat(cores).as("of a core, for one viewer").isLessThan(0.05);
    }
  }

  private static String streamOf(LiveSite site) {
    return "/live/events?" + site.page().getQuery();
  }

  /** Of the agent's thread and of those that serve. */
  private static long processorNanos() {
    var threads = ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
        .filter(info -> info != null)
        .filter(
            info ->
                info.getThreadName().startsWith("eley-http")
                    || info.getThreadName().equals(LiveSite.AGENT))
        .mapToLong(info -> Math.max(0, threads.getThreadCpuTime(info.getThreadId())))
        .sum();
  }
}
