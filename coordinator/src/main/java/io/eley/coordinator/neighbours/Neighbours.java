package io.eley.coordinator.neighbours;

import io.eley.controller.loop.ControlLoop;
import io.eley.coordinator.agent.Agent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other deployments of this user what this one moves, and the control loop what they move, so
 * that Eley's own traffic is nobody's phase. Every {@value #NEAR_MILLIS} ms while there are others,
 * else every {@value #ALONE_MILLIS} ms: an empty directory on a shared file system costs little.
 *
 * <p>All file access is on a thread of its own, so a directory that hangs costs that thread; what
 * others moved counts for a few seconds only, and then they are unknown again.
 */
public final class Neighbours implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Neighbours.class);
  private static final long NEAR_MILLIS = 250;
  private static final long ALONE_MILLIS = 2000;

  /** Nodes report with each renewal of a permit: what is older than this is known. */
  private static final Duration KNOWN = Duration.ofMillis(1200);

  /** An entry that has not changed for this long counts no more, nor does one of another time. */
  private static final long STALE_MILLIS = 10_000;

  /** Whoever has left an entry so long ago will not remove it. */
  private static final long LEFT_MILLIS = 600_000;

  private static final long FAREWELL_MILLIS = 500;

  private final Path path;
  private final String origin;
  private final Agent agent;
  private final ControlLoop control;
  private final Map<String, Seen> seen = new HashMap<>();

  /** Entries that were not of this time when they were read last. */
  private final Set<String> untimely = new HashSet<>();

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private final Opening opening;
  private @Nullable Place place;
  private String complaint = "";
  private long sequence;
  private long bytes;
  private long until;

  /** An entry as it was read, and since when it is the same, nanoseconds. */
  private record Seen(long sequence, long since) {}

  private record Own(long bytes, boolean loads) {}

  /** Opens the directory, as {@link NeighbourDirectory#open(Path)} does. */
  interface Opening {
    /** The directory at a path, made when it is missing. */
    NeighbourDirectory open(Path path) throws IOException;
  }

  /** The directory, and the file system that our origin is on, both known once it is open. */
  private record Place(NeighbourDirectory directory, String fileSystem) {}

  private Neighbours(Path path, String origin, Agent agent, ControlLoop control, Opening opening) {
    this.path = path;
    this.opening = opening;
    this.origin = origin;
    this.agent = agent;
    this.control = control;
    until = agent.now() - KNOWN.toNanos();
    thread = new Thread(this::run, "eley-neighbours");
    thread.setDaemon(true);
  }

  /**
   * Starts; blocks for no file.
   *
   * @param path of the directory that all deployments of this user share
   * @param origin address of what this one reads
   */
  public static Neighbours start(Path path, String origin, Agent agent, ControlLoop control) {
    return start(path, origin, agent, control, NeighbourDirectory::open);
  }

  /** Starts with a way of its own to open the directory. */
  static Neighbours start(
      Path path, String origin, Agent agent, ControlLoop control, Opening opening) {
    var neighbours = new Neighbours(path, origin, agent, control, opening);
    neighbours.thread.start();
    return neighbours;
  }

  private void run() {
    try {
      boolean near = true;
      while (!closed.await(near ? NEAR_MILLIS : ALONE_MILLIS, TimeUnit.MILLISECONDS)) {
        near = look();
      }
      if (place != null) {
        place.directory.leave();
      }
    } catch (IOException | RuntimeException e) {
      complain("other deployments are not known, and may be taken for HPC applications: ", e);
    } catch (InterruptedException e) {
      LOG.debug("{} was interrupted", thread.getName());
    }
  }

  /**
   * Writes and reads once; returns whether there are others. Whatever the file system refuses is
   * tried again by the next look: a home on NFS may be away for a while.
   */
  private boolean look() throws InterruptedException {
    try {
      if (place == null) {
        place = new Place(opening.open(path), FileSystemName.of(origin));
      }
      place.directory.write(own(place.fileSystem));
      boolean near = read(place.directory, place.fileSystem);
      complaint = "";
      return near;
    } catch (IOException | ExecutionException | TimeoutException e) {
      complain(
          "other deployments are not known just now, and may be taken for HPC applications: ", e);
      return false;
    }
  }

  private NeighbourEntry own(String fileSystem)
      throws InterruptedException, ExecutionException, TimeoutException {
    long from = until;
    long to = agent.now() - KNOWN.toNanos();
    Own own =
        CompletableFuture.supplyAsync(
                () -> new Own(control.ourBytes(from, to), control.heardByNeighbours()),
                agent::execute)
            .get(1, TimeUnit.SECONDS);
    bytes += own.bytes;
    until = to;
    sequence++;
    long at = agent.timeOfDay().toEpochMilli() - KNOWN.toMillis();
    return new NeighbourEntry(sequence, bytes, at, own.loads, fileSystem);
  }

  private boolean read(NeighbourDirectory directory, String fileSystem) throws IOException {
    boolean near = false;
    long now = agent.now();
    Map<String, NeighbourEntry> there = directory.others();
    seen.keySet().retainAll(there.keySet());
    untimely.retainAll(there.keySet());
    for (var each : there.entrySet()) {
      NeighbourEntry entry = each.getValue();
      Seen before = seen.get(each.getKey());
      if (before == null || before.sequence() != entry.sequence()) {
        seen.put(each.getKey(), new Seen(entry.sequence(), now));
        near |= entry.fileSystem().equals(fileSystem);
        if (before != null && entry.fileSystem().equals(fileSystem)) {
          observe(each.getKey(), entry, now);
        }
      } else if (now - before.since() > TimeUnit.MILLISECONDS.toNanos(LEFT_MILLIS)) {
        directory.remove(each.getKey());
      } else {
        near |= now - before.since() < TimeUnit.MILLISECONDS.toNanos(STALE_MILLIS);
      }
    }
    return near;
  }

  /** The clocks of hosts are taken to be the same within a few milliseconds. */
  private void observe(String name, NeighbourEntry entry, long now) {
    long age = agent.timeOfDay().toEpochMilli() - entry.at();
    if (age < -KNOWN.toMillis() || age > STALE_MILLIS) {
      if (untimely.add(name)) { // once, not with each look
        LOG.warn(
            "the entry {} is not of this time: {} ms old; are the hosts' clocks the same?",
            name,
            age);
      }
      return;
    }
    untimely.remove(name);
    long at = now - TimeUnit.MILLISECONDS.toNanos(age);
    agent.execute(
        () -> {
          control.observeNeighbour(name, entry.bytes(), at);
          control.noteNeighbour(name, entry.loads());
        });
  }

  private void complain(String what, Exception why) {
    if (!complaint.equals(what)) {
      LOG.warn("{}{}", what, why.getMessage() == null ? why : why.getMessage());
    }
    complaint = what;
  }

  /** Removes our entry; waits half a second for that at most. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(FAREWELL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
