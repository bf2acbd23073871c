package io.eley.bb.server.scratch;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.edge.Tombstones;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.bb.api.wire.ScratchMessage.ReserveScratch;
import io.eley.bb.api.wire.ScratchMessage.ScratchOpened;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.server.net.ReceivedBytes;
import io.eley.bb.server.scratch.ScratchApplication.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
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
 * <p>Two locks, {@code starting} before {@code lock}. The latter guards the maps and is held for
 * memory operations only; the former lets one service start at a time, and is held while it does.
 * Methods block for file calls, and {@link #open} for the start of a process; none may run on an
 * event loop. Safe for several threads.
 */
public final class ScratchStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScratchStore.class);

  /** Spark's application ids; they become names of directories here. */
  private static final Pattern APPLICATION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  /**
   * Applications that ended are remembered longer than tasks go on that nobody told of it. Not for
   * ever: the driver of one that was given up for its silence may come back.
   */
  private static final Duration REMEMBERED = Duration.ofMinutes(10);

  private static final int REMEMBERED_MOST = 1024;

  /**
   * A service that cannot start takes minutes to show it, with one thread for all applications: not
   * each output may try again, and another node takes it meanwhile.
   */
  static final Duration START_AGAIN = Duration.ofSeconds(30);

  private final ScratchDirectories root;
  private final String node;
  private final ScratchLedger ledger;
  private final Services services;

  private final Leftovers leftovers = new Leftovers(this::isSeen);

  private final Object starting = new Object();
  private final Object lock = new Object();
  // Guarded by the lock.
  private final Map<String, ScratchApplication> applications = new HashMap<>();
  private final Tombstones<String> ended;

  private final DroppedShuffles dropped;

  /** Applications whose services failed to start. */
  private final Tombstones<String> failed;

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

    /** Has this called once it has ended, however that was, on a thread that may block. */
    void whenEnded(Runnable then);

    @Override
    void close();
  }

  /**
   * Opens an empty store: what an earlier process has left is deleted, since nobody knows it.
   *
   * @param root its own directories
   * @param node its name
   * @param host address at which services listen, the node's own
   * @param spark whose service hands outputs out: a directory with {@code jars} in it
   * @throws EleyException {@code ACCESS_DENIED} when a directory cannot be used
   */
  public static ScratchStore open(
      ScratchDirectories root,
      String node,
      String host,
      Path spark,
      TierRule rule,
      ScratchRoom room)
      throws EleyException {
    var site = new ShuffleService.Site(host, spark);
    return open(
        root,
        node,
        new ScratchLedger(rule, room),
        (directory, application) -> ShuffleService.start(site, directory, application),
        System::nanoTime);
  }

  static ScratchStore open(
      ScratchDirectories root,
      String node,
      ScratchLedger ledger,
      Services services,
      LongSupplier nanos)
      throws EleyException {
    deleteLeft(root);
    try {
      root.make();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot use the scratch directories " + root + ": " + e, e);
    }
    return new ScratchStore(root, node, ledger, services, nanos);
  }

  /**
   * Deletes what an earlier process has left, so that its room is free.
   *
   * @throws EleyException {@code ACCESS_DENIED} when it cannot be deleted
   */
  public static void deleteLeft(ScratchDirectories root) throws EleyException {
    try {
      root.delete();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot empty the scratch directories " + root + ": " + e, e);
    }
  }

  private ScratchStore(
      ScratchDirectories root,
      String node,
      ScratchLedger ledger,
      Services services,
      LongSupplier nanos) {
    this.root = root;
    this.node = node;
    this.ledger = ledger;
    this.services = services;
    ended = new Tombstones<>(REMEMBERED_MOST, REMEMBERED, nanos);
    dropped = new DroppedShuffles(nanos);
    failed = new Tombstones<>(REMEMBERED_MOST, START_AGAIN, nanos);
  }

  /**
   * The application's service when it is up. Does not block.
   *
   * @return empty when it is to be started
   * @throws EleyException {@code UNAVAILABLE} when it has failed to start a moment ago; {@code
   *     ENDED}; {@code MALFORMED}
   */
  Optional<ScratchOpened> known(OpenScratch question) throws EleyException {
    String name = question.application();
    if (!APPLICATION.matcher(name).matches()) {
      throw new EleyException(ErrorCode.MALFORMED, "not an application's id: " + name);
    }
    synchronized (lock) {
      requireOpen();
      requireLiving(name);
      ScratchApplication known = applications.get(name);
      if (known != null && known.service().alive()) {
        return Optional.of(known.opened());
      }
      if (failed.has(name)) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE, "the shuffle service of " + name + " has just failed to start");
      }
      return Optional.empty();
    }
  }

  /**
   * The application's service; the first call starts it and blocks for a second or two.
   *
   * @throws EleyException {@code UNAVAILABLE} when it does not come up, or did not a moment ago;
   *     {@code ENDED}; {@code MALFORMED}
   */
  public ScratchOpened open(OpenScratch question) throws EleyException {
    synchronized (starting) {
      return openNext(question);
    }
  }

  private ScratchOpened openNext(OpenScratch question) throws EleyException {
    Optional<ScratchOpened> known = known(question);
    if (known.isPresent()) {
      return known.get();
    }
    String name = question.application();
    ScratchApplication before;
    synchronized (lock) {
      before = applications.get(name);
    }
    if (before != null) {
      lose(name, before);
    }
    ScratchApplication started = start(question);
    try {
      synchronized (lock) {
        requireOpen();
        requireLiving(name); // it may have ended while its service came up
        applications.put(name, started);
      }
    } catch (EleyException e) {
      leave(name, started);
      throw e;
    }
    started.service().whenEnded(() -> lose(name, started));
    return started.opened();
  }

  /** Its service has ended, not by us: nobody can read its outputs, and they take room. */
  private void lose(String name, ScratchApplication application) {
    synchronized (lock) {
      if (!applications.remove(name, application)) {
        return;
      }
    }
    LOG.warn("the shuffle service of {} has ended: its outputs here are lost", name);
    leave(name, application);
  }

  private ScratchApplication start(OpenScratch question) throws EleyException {
    // Another one each time: a name that has gone must not seem to be there again.
    String life = UUID.randomUUID().toString().substring(0, 8);
    ScratchDirectories own = root.of(question.application() + "-" + life);
    try {
      own.makeOfApplication();
      Service service = services.start(own.ram(), question);
      LOG.info(
          "a shuffle service of {} listens on port {}", question.application(), service.port());
      return new ScratchApplication(own, "eley-" + node + "-" + life, service);
    } catch (IOException | OutOfMemoryError e) { // the JDK has a thread for each process
      synchronized (lock) {
        failed.add(question.application());
      }
      delete(own, () -> {});
      LOG.warn("no shuffle service of {}: {}", question.application(), e.getMessage());
      throw e instanceof EleyException ours
          ? ours
          : new EleyException(ErrorCode.UNAVAILABLE, "cannot make scratch: " + e, e);
    }
  }

  /**
   * Reserves room for an output and makes its files.
   *
   * @throws EleyException {@code NO_SPACE}; {@code NOT_FOUND} when the service that the writer
   *     knows is gone; {@code ENDED} when its application or shuffle is
   */
  IncomingOutput reserve(ReserveScratch question) throws EleyException {
    ScratchApplication application = application(question);
    long bytes = IncomingOutput.footprint(question.parts());
    Optional<Tier> found = ledger.reserve(bytes);
    if (found.isEmpty()) {
      synchronized (lock) {
        application.noteRefused();
      }
      throw new EleyException(ErrorCode.NO_SPACE, "no room in scratch for " + question.output());
    }
    Tier tier = found.get();
    try {
      String name;
      synchronized (lock) {
        name = Long.toString(++names);
      }
      OutputPlace place = application.directories().place(tier);
      return new IncomingOutput(question.output(), question.parts(), place, name);
    } catch (IOException e) {
      ledger.release(tier, bytes);
      requireKnown(question.output(), application); // as of a commit
      throw failed("make", question.output(), e);
    }
  }

  private ScratchApplication application(ReserveScratch question) throws EleyException {
    MapOutput output = question.output();
    synchronized (lock) {
      requireOpen();
      requireRead(output);
      ScratchApplication known = applications.get(output.application());
      if (known != null && known.serves(question.executor())) {
        return known;
      }
    }
    throw new EleyException(
        ErrorCode.NOT_FOUND, "no such shuffle service here: " + question.executor());
  }

  void write(IncomingOutput output, WriteScratch piece, ReceivedBytes bytes) throws EleyException {
    try {
      output.write(piece, bytes);
    } catch (IOException e) {
      if (!(e instanceof EleyException) && output.failsFirst()) {
        noteRefused(output); // somebody else has filled the disk
      }
      throw failed("write", output.output(), e);
    }
  }

  private void noteRefused(IncomingOutput output) {
    ledger.noteRefused(output.tier(), output.footprint());
    synchronized (lock) {
      ScratchApplication application = applications.get(output.output().application());
      if (application != null) {
        application.noteRefused();
      }
    }
  }

  /**
   * Lets readers see an output.
   *
   * @throws EleyException {@code ENDED} when nobody will read it, {@code NOT_FOUND} when its
   *     service is gone; it is the caller's to abandon then
   */
  void commit(IncomingOutput incoming) throws EleyException {
    MapOutput output = incoming.output();
    ScratchApplication application = requireKnown(output, null);
    List<Path> files;
    try {
      files = incoming.commit();
    } catch (IOException e) {
      requireKnown(output, application); // else its directory went meanwhile: there is room
      throw failed("commit", output, e);
    }
    @Nullable Output before;
    synchronized (lock) {
      requireKnown(output, application); // it may have been dropped, or its service have died
      if (incoming.committed().unwanted) {
        throw new EleyException(ErrorCode.NOT_FOUND, "its writer has given it up: " + output);
      }
      var made = new Output(files, incoming.tier(), incoming.footprint(), ++names);
      incoming.committed().made = made;
      before = application.put(output, made);
    }
    ledger.noteTaken(incoming.tier());
    if (before != null) {
      leave(before, files); // replaced: its answer was lost, and it was written again
    }
  }

  /**
   * Requires that the output's application is here, has not ended, and will read the output: from a
   * service that is up.
   */
  private ScratchApplication requireKnown(MapOutput output, @Nullable ScratchApplication same)
      throws EleyException {
    synchronized (lock) {
      requireRead(output);
      ScratchApplication now = applications.get(output.application());
      if (now == null || (same != null && now != same) || !now.service().alive()) {
        throw serviceGone(output);
      }
      return now;
    }
  }

  private static EleyException serviceGone(MapOutput output) {
    return new EleyException(ErrorCode.NOT_FOUND, "its service is gone: " + output);
  }

  /** Takes back an output that its writer has given up while it was committed, or behind that. */
  void takeBack(CommittedOutput committed) {
    Output made;
    synchronized (lock) {
      committed.unwanted = true;
      made = committed.made;
      ScratchApplication application = applications.get(committed.output.application());
      if (made == null || application == null || !application.remove(committed.output, made)) {
        return; // its commit will find out, it has gone already, or another one has its place
      }
    }
    leave(made, List.of());
  }

  /** Gives up an output that was not committed; whoever commits it does not call this. */
  void abandon(IncomingOutput output) {
    delete(output.discard(), output.tier(), output.footprint());
  }

  /** Refuses who comes with outputs that nobody will read from now on. Does not block. */
  void noteDropped(DropScratch which) {
    synchronized (lock) {
      if (which.shuffle() == DropScratch.ALL) {
        ended.add(which.application());
        dropped.end(which.application());
      } else if (!ended.has(which.application())) {
        dropped.add(which.application(), which.shuffle());
      }
    }
  }

  /**
   * Deletes outputs that nobody will read, the service with the application; who comes later with
   * one of them is refused.
   */
  public void drop(DropScratch which) {
    noteDropped(which);
    leftovers.tryAgain();
    if (which.shuffle() == DropScratch.ALL) {
      leave(which.application());
      return;
    }
    List<Output> leaving;
    synchronized (lock) {
      ScratchApplication application = applications.get(which.application());
      leaving = application == null ? List.of() : application.drop(which.shuffle());
    }
    leaving.forEach(output -> leave(output, List.of()));
  }

  private void leave(Output output, List<Path> kept) {
    var files = output.files().stream().filter(file -> !kept.contains(file)).toList();
    delete(files, output.tier(), output.bytes());
  }

  /** Deletes an output's files by their names alone: that needs no descriptor. */
  private void delete(List<Path> files, Tier tier, long bytes) {
    leftovers.delete(files, Files::deleteIfExists, () -> ledger.release(tier, bytes));
  }

  private void leave(String name) {
    ScratchApplication application;
    synchronized (lock) {
      application = applications.remove(name);
    }
    if (application != null) {
      leave(name, application);
    }
  }

  /** Gives back what an application had; whoever has taken it out does so. */
  private void leave(String name, ScratchApplication application) {
    application.service().close();
    List<Output> leaving;
    synchronized (lock) {
      leaving = application.all();
    }
    delete(
        application.directories(),
        () -> leaving.forEach(output -> ledger.release(output.tier(), output.bytes())));
    LOG.info("scratch of {} is dropped", name);
  }

  private void delete(ScratchDirectories directories, Runnable release) {
    leftovers.delete(directories.both(), ScratchFiles::deleteTree, release);
  }

  /** Whether a reader may look for what lies there. */
  private boolean isSeen(Path file) {
    synchronized (lock) {
      return applications.values().stream().anyMatch(application -> application.has(file));
    }
  }

  /** What lies here and what was taken and refused since the start. */
  public NodeCounters.Scratch counters() {
    var held = new ArrayList<NodeCounters.Held>();
    synchronized (lock) {
      applications.forEach((name, application) -> held.add(application.held(name)));
    }
    return ledger.counters().with(held);
  }

  /** Refuses, and counts, whoever comes with an application that has ended; under the lock. */
  private void requireLiving(String application) throws EleyException {
    if (ended.has(application)) {
      ledger.noteLate();
      throw new EleyException(ErrorCode.ENDED, "the application has ended: " + application);
    }
  }

  /** As {@link #requireLiving}, also for the output's shuffle. */
  private void requireRead(MapOutput output) throws EleyException {
    requireLiving(output.application());
    if (dropped.has(output.application(), output.shuffle())) {
      ledger.noteLate();
      throw new EleyException(ErrorCode.ENDED, "nobody reads its shuffle any more: " + output);
    }
  }

  private void requireOpen() throws EleyException {
    if (closed) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "the node is stopping");
    }
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
    names.forEach(this::leave);
    delete(root, () -> {});
  }
}
