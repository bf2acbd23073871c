package io.eley.bb.server.scratch;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.bb.api.wire.ScratchMessage.ReserveScratch;
import io.eley.bb.api.wire.ScratchMessage.ScratchOpened;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The intermediate data that a node holds: files of map outputs, by application, and for each
 * application the service that hands them out.
 *
 * <p>Bytes are reserved before the first of them is written and given back after their file is
 * deleted. A service that has died takes its outputs with it: readers would not find them under its
 * name, and Spark computes again what was lost.
 *
 * <p>One lock guards the maps and is held for memory operations only. Methods block for file calls,
 * and {@link #open} for the start of a process; none may run on an event loop. Safe for several
 * threads.
 */
public final class ScratchStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScratchStore.class);

  /** Spark's application ids; they become names of directories here. */
  private static final Pattern APPLICATION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  /** Where an application's files are, below its own directory. */
  private static final String BLOCKS = "blocks";

  private static final String INCOMING = "incoming";

  private final Path root;
  private final String node;
  private final ScratchShare share;
  private final ScratchRoom room;
  private final Services services;

  private final Object lock = new Object();
  // Guarded by the lock.
  private final Map<String, Application> applications = new HashMap<>();
  private long usedBytes;
  private long taken;
  private long refused;
  private long names;
  private boolean closed;

  /** Starts the service of an application. */
  @FunctionalInterface
  interface Services {
    Service start(Path directory, OpenScratch application) throws EleyException;
  }

  /** A service that hands outputs out. */
  interface Service extends AutoCloseable {
    int port();

    boolean alive();

    @Override
    void close();
  }

  private record Output(List<Path> files, long bytes) {}

  /** One application. */
  private static final class Application {
    private final Path directory;
    private final String executor;
    private final Service service;
    private final Map<MapOutput, Output> outputs = new HashMap<>();

    Application(Path directory, String executor, Service service) {
      this.directory = directory;
      this.executor = executor;
      this.service = service;
    }

    ScratchOpened opened() {
      return new ScratchOpened(executor, service.port(), directory.resolve(BLOCKS).toString());
    }
  }

  /**
   * Opens an empty store: what an earlier process has left is deleted, since nobody knows it.
   *
   * @param root its own directory, on the RAM-disk
   * @param node its name
   * @param spark whose service hands outputs out: a directory with {@code jars} in it
   * @throws EleyException {@code ACCESS_DENIED} when the directory cannot be used
   */
  public static ScratchStore open(
      Path root, String node, Path spark, ScratchShare share, ScratchRoom room)
      throws EleyException {
    return open(
        root,
        node,
        share,
        room,
        (directory, application) -> ShuffleService.start(spark, directory, application));
  }

  static ScratchStore open(
      Path root, String node, ScratchShare share, ScratchRoom room, Services services)
      throws EleyException {
    deleteLeft(root);
    try {
      Files.createDirectory(root, ScratchFiles.OWNER_DIRECTORY);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot use the scratch directory " + root + ": " + e, e);
    }
    return new ScratchStore(root, node, share, room, services);
  }

  /**
   * Deletes what an earlier process has left, so that its room is free.
   *
   * @throws EleyException {@code ACCESS_DENIED} when it cannot be deleted
   */
  public static void deleteLeft(Path root) throws EleyException {
    try {
      ScratchFiles.deleteTree(root);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot empty the scratch directory " + root + ": " + e, e);
    }
  }

  private ScratchStore(
      Path root, String node, ScratchShare share, ScratchRoom room, Services services) {
    this.root = root;
    this.node = node;
    this.share = share;
    this.room = room;
    this.services = services;
  }

  /**
   * The application's service; the first call starts it and blocks for a second or two.
   *
   * @throws EleyException {@code UNAVAILABLE} when it does not come up; {@code MALFORMED}
   */
  public synchronized ScratchOpened open(OpenScratch question) throws EleyException {
    String name = question.application();
    if (!APPLICATION.matcher(name).matches()) {
      throw new EleyException(ErrorCode.MALFORMED, "not an application's id: " + name);
    }
    @Nullable Application known;
    synchronized (lock) {
      requireOpen();
      known = applications.get(name);
    }
    if (known != null && known.service.alive()) {
      return known.opened();
    }
    if (known != null) {
      LOG.warn("the shuffle service of {} has ended: its outputs here are lost", name);
      drop(new DropScratch(name, DropScratch.ALL));
    }
    Application started = start(question);
    synchronized (lock) {
      if (!closed) {
        applications.put(name, started);
        return started.opened();
      }
    }
    end(name, started);
    throw closing();
  }

  private Application start(OpenScratch question) throws EleyException {
    // Another one each time: a name that has gone must not seem to be there again.
    String life = UUID.randomUUID().toString().substring(0, 8);
    Path directory = root.resolve(question.application() + "-" + life);
    try {
      Files.createDirectory(directory, ScratchFiles.OWNER_DIRECTORY);
      Files.createDirectory(directory.resolve(BLOCKS), ScratchFiles.OWNER_DIRECTORY);
      Files.createDirectory(directory.resolve(INCOMING), ScratchFiles.OWNER_DIRECTORY);
      Service service = services.start(directory, question);
      LOG.info(
          "a shuffle service of {} listens on port {}", question.application(), service.port());
      return new Application(directory, "eley-" + node + "-" + life, service);
    } catch (IOException e) {
      delete(directory);
      throw e instanceof EleyException ours
          ? ours
          : new EleyException(ErrorCode.UNAVAILABLE, "cannot make scratch: " + e, e);
    }
  }

  /**
   * Reserves room for an output and makes its files.
   *
   * @throws EleyException {@code NO_SPACE}; {@code NOT_FOUND} when the service that the writer
   *     knows is gone
   */
  IncomingOutput reserve(ReserveScratch question) throws EleyException {
    Application application = application(question);
    long bytes = IncomingOutput.footprint(question.parts());
    take(bytes, question.output());
    try {
      String name;
      synchronized (lock) {
        name = Long.toString(++names);
      }
      Path directory = application.directory.resolve(INCOMING);
      return new IncomingOutput(question.output(), question.parts(), directory, name);
    } catch (IOException e) {
      give(bytes);
      throw failed("make", question.output(), e);
    }
  }

  private Application application(ReserveScratch question) throws EleyException {
    synchronized (lock) {
      requireOpen();
      Application known = applications.get(question.output().application());
      if (known != null && known.executor.equals(question.executor()) && known.service.alive()) {
        return known;
      }
    }
    throw new EleyException(
        ErrorCode.NOT_FOUND, "no such shuffle service here: " + question.executor());
  }

  private void take(long bytes, MapOutput output) throws EleyException {
    boolean allowed;
    synchronized (lock) {
      allowed = share.allows(usedBytes, bytes);
      usedBytes += allowed ? bytes : 0;
      refused += allowed ? 0 : 1;
    }
    if (allowed && room.reserve(bytes)) {
      return;
    }
    synchronized (lock) {
      usedBytes -= allowed ? bytes : 0;
      refused += allowed ? 1 : 0;
    }
    throw new EleyException(ErrorCode.NO_SPACE, "no room in scratch for " + output);
  }

  private void give(long bytes) {
    room.release(bytes);
    synchronized (lock) {
      usedBytes -= bytes;
    }
  }

  void write(IncomingOutput output, WriteScratch piece) throws EleyException {
    try {
      output.write(piece);
    } catch (IOException e) {
      throw failed("write", output.output(), e);
    }
  }

  void commit(IncomingOutput incoming) throws EleyException {
    MapOutput output = incoming.output();
    Application application;
    synchronized (lock) {
      application = applications.get(output.application());
    }
    if (application == null) {
      throw new EleyException(ErrorCode.NOT_FOUND, "the application has ended: " + output);
    }
    List<Path> files;
    try {
      files = incoming.commit(application.directory.resolve(BLOCKS));
    } catch (IOException e) {
      throw failed("commit", output, e);
    }
    @Nullable Output before;
    boolean gone;
    synchronized (lock) {
      gone = applications.get(output.application()) != application;
      before =
          gone ? null : application.outputs.put(output, new Output(files, incoming.footprint()));
      taken += gone ? 0 : 1;
    }
    if (gone) {
      delete(application.directory); // the commit may have made it again
      throw new EleyException(ErrorCode.NOT_FOUND, "the application has ended: " + output);
    }
    if (before != null) {
      give(before.bytes()); // replaced: its answer was lost, and it was written again
    }
  }

  /** Gives up an output that was not committed; whoever commits it does not call this. */
  void abandon(IncomingOutput output) {
    try {
      output.discard();
    } catch (IOException e) {
      LOG.warn("cannot delete what was written of {}: {}", output.output(), e.toString());
    }
    give(output.footprint());
  }

  /** Deletes outputs that nobody will read; the service goes with the application. */
  public void drop(DropScratch which) {
    var leaving = new ArrayList<Output>();
    @Nullable Application ended = null;
    synchronized (lock) {
      Application application = applications.get(which.application());
      if (application == null) {
        return;
      }
      boolean all = which.shuffle() == DropScratch.ALL;
      application
          .outputs
          .entrySet()
          .removeIf(
              entry -> {
                boolean drop = all || entry.getKey().shuffle() == which.shuffle();
                if (drop) {
                  leaving.add(entry.getValue());
                }
                return drop;
              });
      if (all) {
        ended = applications.remove(which.application());
      }
    }
    if (ended != null) {
      end(which.application(), ended);
    }
    for (Output output : leaving) {
      output.files().forEach(ScratchStore::delete);
      give(output.bytes());
    }
  }

  private static void end(String name, Application application) {
    application.service.close();
    delete(application.directory);
    LOG.info("scratch of {} is dropped", name);
  }

  private static void delete(Path path) {
    try {
      ScratchFiles.deleteTree(path);
    } catch (IOException e) {
      LOG.warn("cannot delete {}: {}", path, e.toString());
    }
  }

  /** What lies here and what was taken and refused since the start. */
  public NodeCounters.Scratch counters() {
    synchronized (lock) {
      return new NodeCounters.Scratch(usedBytes, taken, refused);
    }
  }

  private void requireOpen() throws EleyException {
    if (closed) {
      throw closing();
    }
  }

  private static EleyException closing() {
    return new EleyException(ErrorCode.UNAVAILABLE, "the node is stopping");
  }

  private static EleyException failed(String what, MapOutput output, IOException e) {
    return e instanceof EleyException ours
        ? ours
        : new EleyException(
            ErrorCode.NO_SPACE, "cannot " + what + " " + output + ": " + e.getMessage(), e);
  }

  /** Ends all services and deletes everything. */
  @Override
  public void close() {
    List<String> names;
    synchronized (lock) {
      closed = true;
      names = List.copyOf(applications.keySet());
    }
    names.forEach(name -> drop(new DropScratch(name, DropScratch.ALL)));
    delete(root);
  }
}
