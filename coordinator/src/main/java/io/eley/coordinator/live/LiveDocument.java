package io.eley.coordinator.live;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The deployment at one moment, with the last minutes of the file system's traffic. The page,
 * {@code eley top} and {@code /metrics} show this document and nothing else; {@code docs/live.md}
 * says what is in it. Times are milliseconds since 1970 on the coordinator's clock, sizes are
 * bytes, and what is not known is absent.
 *
 * @param version of this format: readers refuse a larger one, and skip fields they do not know
 * @param at when it was made
 * @param deployment the whole of it in a few words
 * @param traffic of the origin, of both sides
 * @param phases past, open and expected
 * @param nodes one entry a node
 * @param applications one entry a Spark application
 * @param hpc one entry an HPC application that has had a phase, is in one, or is expected
 * @param sources that know of phases
 * @param notes what a person should know or do, the most important first
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record LiveDocument(
    int version,
    long at,
    Deployment deployment,
    Traffic traffic,
    Phases phases,
    List<Node> nodes,
    List<Application> applications,
    List<Hpc> hpc,
    List<Source> sources,
    List<Note> notes) {
  /** The format that this class writes. */
  public static final int VERSION = 1;

  public LiveDocument {
    nodes = List.copyOf(nodes);
    applications = List.copyOf(applications);
    hpc = List.copyOf(hpc);
    sources = List.copyOf(sources);
    notes = List.copyOf(notes);
  }

  /** The same document with the traffic after a moment alone, for who has the earlier part. */
  public LiveDocument after(long moment) {
    return new LiveDocument(
        version,
        at,
        deployment,
        traffic.after(moment),
        phases,
        nodes,
        applications,
        hpc,
        sources,
        notes);
  }

  /** The same document with the traffic that an earlier one had, for who gets what is new. */
  public LiveDocument following(LiveDocument earlier) {
    long first = traffic.points().isEmpty() ? Long.MAX_VALUE : traffic.points().get(0).at();
    var points = new ArrayList<>(earlier.traffic.points());
    points.removeIf(p -> p.at() >= first);
    points.addAll(traffic.points());
    int most = Math.min(points.size(), TrafficRing.POINTS);
    return new LiveDocument(
        version,
        at,
        deployment,
        new Traffic(
            traffic.stepMillis(),
            traffic.capacityBytesPerSecond(),
            points.subList(points.size() - most, points.size())),
        phases,
        nodes,
        applications,
        hpc,
        sources,
        notes);
  }

  /**
   * The deployment in a few words.
   *
   * @param mode the system that runs
   * @param origin where the data lives
   * @param uptimeSeconds of the coordinator
   * @param operator that decided last
   * @param permits why permits are what they are now
   * @param held whether prefetching is held
   * @param ramBytes in use on all nodes, of {@code ramCapacityBytes}
   * @param servedBytes that nodes served, and how many of them ({@code fromRamBytes}) were in RAM
   *     when they were asked for
   * @param pastBytes that clients read past the nodes
   * @param writtenBytes that clients wrote to the origin
   * @param tasks that have told what they read, of all applications together
   * @param waitedSeconds for which these tasks waited for their reads
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Deployment(
      String mode,
      String origin,
      double uptimeSeconds,
      String operator,
      String permits,
      boolean held,
      long ramBytes,
      long ramCapacityBytes,
      long servedBytes,
      long fromRamBytes,
      long pastBytes,
      long writtenBytes,
      long tasks,
      double waitedSeconds) {}

  /**
   * The origin's traffic.
   *
   * @param stepMillis between two points
   * @param capacityBytesPerSecond the most that was seen to move; absent before any traffic
   * @param points the oldest first
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Traffic(
      long stepMillis, @Nullable Double capacityBytesPerSecond, List<Point> points) {
    public Traffic {
      points = List.copyOf(points);
    }

    Traffic after(long moment) {
      return new Traffic(
          stepMillis,
          capacityBytesPerSecond,
          points.stream().filter(p -> p.at() > moment).toList());
    }
  }

  /**
   * One second of traffic; in JSON an array of these four.
   *
   * @param ours bytes a second that nodes and clients move: read, and written by tasks
   * @param foreign bytes a second that others move; null when no source counts them
   * @param held whether prefetching was held
   */
  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  @JsonPropertyOrder({"at", "ours", "foreign", "held"})
  public record Point(long at, long ours, @Nullable Long foreign, boolean held) {}

  /** Phases of HPC applications: the past ones that the traffic reaches back to, open, expected. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Phases(List<Past> past, List<Open> open, List<Expected> expected) {
    public Phases {
      past = List.copyOf(past);
      open = List.copyOf(open);
      expected = List.copyOf(expected);
    }
  }

  /**
   * A phase that is over.
   *
   * @param slowdownPercent against alone; absent when that is not known
   * @param held whether all nodes held for all of it
   * @param heldBefore whether they held before it began
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Past(
      String application,
      long began,
      double seconds,
      @Nullable Double slowdownPercent,
      boolean held,
      boolean heldBefore) {}

  /** A phase that is open, and which source says so. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Open(String application, String source, long began, int certainPercent) {}

  /** A phase to come: its likeliest begin, and how long it will last. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Expected(String application, long at, double seconds, int certainPercent) {}

  /**
   * One node.
   *
   * @param ramBytes in use, of {@code ramCapacityBytes}
   * @param scratchBytes the part of it that is intermediate data
   * @param servedBytes to clients, and how many of them were in RAM when they were asked for
   * @param originBytes read from the origin, by cause
   * @param permitOpen whether it may prefetch now
   * @param queued fetches that wait
   * @param heardMillisAgo when it reported last
   * @param hungCalls of the origin that have not come back in time
   * @param damagedBlocks that did not match their checksums and were dropped
   * @param squeezed whether others fill its RAM-disk
   * @param throttled answers of the origin that asked for fewer requests
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Node(
      String id,
      String address,
      long ramBytes,
      long ramCapacityBytes,
      long scratchBytes,
      long servedBytes,
      long fromRamBytes,
      Map<String, Long> originBytes,
      boolean permitOpen,
      int queued,
      long heardMillisAgo,
      int hungCalls,
      int damagedBlocks,
      boolean squeezed,
      long throttled) {
    public Node {
      originBytes = Map.copyOf(originBytes);
    }
  }

  /**
   * One Spark application.
   *
   * @param wave tasks that can run at once
   * @param windowBytes what should be in RAM: the input of the next waves, and how much of it is
   * @param splits of its live stages, and how many of them have ended
   * @param tasks that have told what they read through the buffer
   * @param readBytes by these tasks
   * @param waitedSeconds for which they waited for it, all together
   * @param savedSeconds of task time against reading the origin, an estimate: what these bytes took
   *     our nodes at the origin, less what tasks waited; absent while nodes have read nothing
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Application(
      String id,
      String name,
      int wave,
      long windowBytes,
      long windowInRamBytes,
      int splits,
      int endedSplits,
      long tasks,
      long readBytes,
      double waitedSeconds,
      @Nullable Double savedSeconds) {}

  /**
   * One HPC application, over all phases in the ledger.
   *
   * @param phases that are over
   * @param seconds of them
   * @param slowdownPercent median against alone; absent when that is not known
   * @param slowdownErrorPercent how far off that may be
   * @param held phases for all of which all nodes held
   * @param heldBefore phases before whose begin they held
   * @param open whether it is in a phase
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Hpc(
      String application,
      long phases,
      double seconds,
      @Nullable Double slowdownPercent,
      @Nullable Double slowdownErrorPercent,
      long held,
      long heldBefore,
      boolean open) {}

  /**
   * One source of phases.
   *
   * @param state fresh, lost or absent
   * @param message what is wrong with it; empty when nothing is
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Source(String name, String state, double ageSeconds, String message) {}

  /**
   * What a person should know or do.
   *
   * @param level how much it matters
   * @param text a sentence
   * @param command that tells more or mends it; absent when there is none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Note(Level level, String text, @Nullable String command) {}

  /** How much a note matters. */
  public enum Level {
    /** Something is broken. */
    PROBLEM,
    /** Something could be better. */
    ADVICE,
    /** Something is as it should be, and worth a word. */
    INFO
  }
}
