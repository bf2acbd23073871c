package io.eley.engine.alluxio;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.server.engine.BlockEngine;
import io.eley.bb.server.engine.ReadInVainException;
import io.eley.bb.server.node.NodeKeys;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker of an Alluxio cluster as the place of a node's blocks.
 *
 * <p>A block of ours is the block of the same number of the same file there, since both cut files
 * alike. Alluxio looks at the under-store anew when the first block of a version is loaded, and we
 * look at the origin after that, and after each load: only then are its bytes that version's. Its
 * own times are of no use, since to pin a file changes them.
 *
 * <p>Files of which we have blocks are pinned, so that Alluxio does not evict what tasks will read,
 * and have a time to live, so that it frees them when we have died. Where the user may not say so
 * (Alluxio wants the right to write), blocks are loaded all the same and a warning is logged. The
 * nodes of a deployment have blocks of the same files and do not ask each other: who has none of a
 * file any more lets it go a while later, and who still has some keeps it again soon after.
 *
 * <p>What others have put there is theirs: a block that was there before us stays when nobody plans
 * to read it any more, and a file that somebody has pinned, or given a time to live, is left as it
 * is.
 *
 * <p>Safe for several threads; calls for one file wait for each other while it is looked at.
 */
public final class AlluxioEngine implements BlockEngine {
  private static final Logger LOG = LoggerFactory.getLogger(AlluxioEngine.class);

  private static final int ORIGIN_THREADS = 8;
  private static final Duration ORIGIN_DEADLINE = Duration.ofSeconds(30);
  private static final Duration REACH = Duration.ofSeconds(1);

  /** A process that hangs takes connections all the same; one of a busy host is late. */
  private static final Duration SILENT = Duration.ofSeconds(5);

  /** By which the origin's clock may differ from ours. */
  private static final Duration SKEW = Duration.ofMinutes(1);

  private final AlluxioPort alluxio;
  private final Options options;

  /** What has not changed since, by its change time, Alluxio has as it is: nanoseconds. */
  private final long settled;

  private final Map<FileVersion, Known> files = new ConcurrentHashMap<>();

  /** Blocks that we have had loaded, by Alluxio's number, and of which version. */
  private final Map<Long, FileVersion> loaded = new ConcurrentHashMap<>();

  /** Files that were ours, by path, and since when none of their blocks is. */
  private final Map<String, Long> unused = new ConcurrentHashMap<>();

  private final GuardedOrigin guard;
  private final GuardedOrigin looks = new GuardedOrigin("eley-alluxio-look", 2, SILENT);
  private volatile @Nullable Origin origin;
  private volatile boolean warned;
  private volatile String prefix = "/";
  private volatile int blockSize;

  /**
   * What an engine is told.
   *
   * @param client see {@link AlluxioKeys#CLIENT}
   * @param master {@code host:port}, as clients name it
   * @param worker see {@link AlluxioPort.Worker#address}
   * @param capacityBytes that our blocks may take there
   * @param life see {@link AlluxioKeys#LIFE}
   */
  public record Options(
      String client, String master, String worker, long capacityBytes, Duration life) {
    /** The values of {@link AlluxioKeys}; a node's memory is what its blocks may take there. */
    static Options from(Settings settings) {
      return new Options(
          settings.get(AlluxioKeys.CLIENT),
          settings.get(AlluxioKeys.MASTER),
          settings.get(AlluxioKeys.WORKER),
          settings.get(NodeKeys.MEMORY).bytes(),
          settings.get(AlluxioKeys.LIFE));
    }
  }

  /** A file, and which of its blocks we want; the latter under its monitor. */
  private static final class Known {
    final AlluxioPort.File file;
    final Set<Integer> ours = new HashSet<>();

    Known(AlluxioPort.File file) {
      this.file = file;
    }
  }

  /** An engine over this port, which it closes. */
  public AlluxioEngine(AlluxioPort alluxio, Options options) {
    this(alluxio, options, InstantSource.system());
  }

  /** The same with another time of day. */
  AlluxioEngine(AlluxioPort alluxio, Options options, InstantSource clock) {
    this.alluxio = alluxio;
    this.options = options;
    settled = TimeUnit.MILLISECONDS.toNanos(clock.millis() - SKEW.toMillis());
    guard = new GuardedOrigin("eley-alluxio-origin", ORIGIN_THREADS, ORIGIN_DEADLINE);
  }

  /**
   * An engine over the site's own client.
   *
   * @throws EleyException {@code NOT_FOUND} when there is no client
   */
  public static AlluxioEngine connect(Options options) throws EleyException {
    return new AlluxioEngine(ApartLoader.connect(options.client, options.master), options);
  }

  @Override
  public void open(BlockGeometry geometry, String originAddress) throws EleyException {
    prefix = AlluxioMounts.of(originAddress, alluxio.mounts()).path();
    blockSize = geometry.blockSize();
    origin = guard.call("open the origin", () -> Origins.open(originAddress, "node"));
  }

  @Override
  public long capacityBytes() {
    return options.capacityBytes;
  }

  @Override
  public Optional<String> place(BlockId block) {
    Known known = files.get(block.file());
    if (known == null) {
      return Optional.empty();
    }
    long id = known.file.blocks().get(block.index()).id();
    if (!loaded.getOrDefault(id, block.file()).equals(block.file())) {
      return Optional.empty();
    }
    long begin = (long) block.index() * blockSize;
    return Optional.of("alluxio://" + options.master + path(block.file()) + "#" + id + "," + begin);
  }

  /**
   * Whether master and worker take connections, so that one that has died costs no calls, and
   * neither hangs: the master answers, and the worker has spoken to it.
   */
  @Override
  public boolean reachable() {
    if (!HostPort.listens(options.worker, REACH) || !HostPort.listens(options.master, REACH)) {
      return false;
    }
    try {
      return looks.call("ask Alluxio's master for its workers", alluxio::workers).stream()
          .anyMatch(
              each -> each.address().equals(options.worker) && each.silent().compareTo(SILENT) < 0);
    } catch (EleyException e) {
      LOG.debug("the master does not answer: {}", e.getMessage());
      return false;
    }
  }

  private String path(FileVersion file) {
    return prefix.equals("/") ? file.path() : prefix + file.path();
  }

  @Override
  public long load(BlockId block, Duration deadline) throws EleyException {
    Known known = claimed(block);
    AlluxioPort.Block there = known.file.blocks().get(block.index());
    try {
      if (there.workers().contains(options.worker) && isThere(block, known)) {
        return 0;
      }
      alluxio.load(options.worker, known.file, block.index(), deadline);
      long read = Math.min(blockSize, known.file.length() - (long) block.index() * blockSize);
      requireLoaded(block, known, read);
      loaded.put(there.id(), block.file());
      return read;
    } catch (EleyException e) {
      forget(known, block);
      if (e.code() == ErrorCode.ORIGIN_FAILED) {
        // A file that has become shorter is an internal error of the worker.
        requireUnchanged(block.file(), known.file);
      }
      throw e;
    }
  }

  /**
   * Whether the worker has the block still, and of this version. Alluxio tells versions apart by
   * length and modification time: of a file that kept both, its blocks stay as they were.
   */
  private boolean isThere(BlockId block, Known known) throws EleyException {
    AlluxioPort.File now = alluxio.look(known.file.path());
    requireUnchanged(block.file(), now);
    AlluxioPort.Block there = now.blocks().get(block.index());
    if (!there.workers().contains(options.worker)) {
      return false;
    }
    FileVersion whose = loaded.get(there.id());
    boolean right =
        whose == null ? block.file().stamp().changedNanos() < settled : whose.equals(block.file());
    if (!right) {
      alluxio.remove(options.worker, there.id());
    }
    return right;
  }

  /** Notes that we want the block, and keeps its file if it is the first of it. */
  private Known claimed(BlockId block) throws EleyException {
    while (true) {
      Known known = known(block.file());
      boolean first;
      synchronized (known) {
        if (files.get(block.file()) != known) {
          continue; // its last block has left meanwhile
        }
        first = known.ours.isEmpty();
        known.ours.add(block.index());
      }
      if (first) {
        keep(known.file);
      }
      return known;
    }
  }

  private Known known(FileVersion version) throws EleyException {
    Known known = files.get(version);
    if (known != null) {
      return known;
    }
    AlluxioPort.File file = alluxio.look(path(version));
    requireUnchanged(version, file);
    if (file.blockSize() != blockSize) {
      throw new EleyException(
          ErrorCode.INCOMPATIBLE,
          "Alluxio has cut " + file.path() + " into blocks of " + file.blockSize() + " bytes");
    }
    Known fresh = new Known(file);
    Known raced = files.putIfAbsent(version, fresh);
    return raced == null ? fresh : raced;
  }

  /** What was changed while Alluxio read it is no block of this version. */
  private void requireLoaded(BlockId block, Known known, long read) throws EleyException {
    try {
      requireUnchanged(block.file(), known.file);
    } catch (EleyException e) {
      var inVain = new ReadInVainException(read, e);
      try {
        alluxio.remove(options.worker, known.file.blocks().get(block.index()).id());
      } catch (EleyException another) {
        inVain.addSuppressed(another);
      }
      throw inVain;
    }
  }

  private void requireUnchanged(FileVersion version, AlluxioPort.File file) throws EleyException {
    Origin open = Objects.requireNonNull(origin);
    FileVersion now =
        guard.call("stat " + version.path(), () -> open.stat(version.path())).version();
    if (!now.equals(version) || file.length() != version.length()) {
      throw new EleyException(
          ErrorCode.STALE_VERSION,
          version + " is " + now + " now, in Alluxio of " + file.length() + " bytes");
    }
  }

  @Override
  public void remove(BlockId block) throws EleyException {
    Known known = files.get(block.file());
    if (known == null) {
      return;
    }
    long id = known.file.blocks().get(block.index()).id();
    try {
      if (loaded.remove(id, block.file())) {
        alluxio.remove(options.worker, id);
      }
    } finally {
      forget(known, block);
    }
  }

  private void forget(Known known, BlockId block) {
    synchronized (known) {
      if (known.ours.remove(block.index()) && known.ours.isEmpty()) {
        files.remove(block.file(), known);
        if (isOurs(known.file)) {
          unused.put(known.file.path(), System.nanoTime());
        }
      }
    }
  }

  private void letGo(String path) {
    try {
      alluxio.letGo(path);
    } catch (EleyException e) {
      LOG.debug("{} stays pinned: {}", path, e.getMessage());
    }
  }

  /** Whether nobody else has said how long its blocks stay; another helper of ours may have. */
  private boolean isOurs(AlluxioPort.File file) {
    return file.rule().equals(AlluxioPort.Rule.NONE)
        || file.rule().equals(AlluxioPort.Rule.kept(options.life));
  }

  private void keep(AlluxioPort.File file) {
    if (!isOurs(file)) {
      return;
    }
    try {
      alluxio.keep(file.path(), options.life);
    } catch (EleyException e) {
      if (!warned) {
        warned = true;
        LOG.warn(
            "Alluxio may evict what tasks will read, and does not free it when we die: {}",
            e.getMessage());
      }
    }
  }

  @Override
  public void renew() {
    List.copyOf(files.values())
        .forEach(
            known -> {
              boolean held;
              synchronized (known) {
                held = !known.ours.isEmpty();
              }
              if (held) {
                unused.remove(known.file.path());
                keep(known.file);
              }
            });
    long since = System.nanoTime() - options.life.toNanos() / 4;
    unused.forEach(
        (path, at) -> {
          if (at - since < 0 && unused.remove(path, at)) {
            letGo(path);
          }
        });
  }

  @Override
  public Duration leaseTime() {
    return options.life;
  }

  @Override
  public void close() {
    unused.keySet().forEach(this::letGo);
    alluxio.close();
    looks.close();
    guard.close();
    Origin open = origin;
    if (open != null) {
      open.close();
    }
  }
}
