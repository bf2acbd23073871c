package io.eley.spark.connector.fs;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.EngineFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedOrigin;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads blocks that are in Alluxio, by Alluxio's own client, which the user has on Spark's class
 * path; Hadoop finds it, and none of its classes is known here. Safe for several threads.
 *
 * <p>The problem. Alluxio's client reads a block that no worker has, or that a dead worker had,
 * from the origin through another worker, and asks nobody. So a block is opened anew with each
 * lease, only when Alluxio says that a worker has it, and is read in one attempt: what fails falls
 * back to the origin under a permit. Nothing is cached on the way, since the plan says what is
 * where. A master or a worker that hangs costs a task {@link #SILENCES} times {@code
 * eley.client.silence} once ({@link #PATIENCE} before a first block was read), and Alluxio is left
 * alone for {@link #PATIENCE} then.
 */
final class AlluxioFiles implements EngineFiles, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(AlluxioFiles.class);

  /** What it may do by itself: nothing that we would not know of. */
  private static final Map<String, String> OBEDIENT =
      Map.of(
          "alluxio.user.file.readtype.default", "NO_CACHE",
          "alluxio.user.file.passive.cache.enabled", "false",
          "alluxio.user.metadata.cache.enabled", "false",
          "alluxio.user.block.read.retry.max.duration", "0ms",
          "alluxio.user.metrics.collection.enabled", "false",
          "alluxio.user.rpc.retry.max.duration", "3s",
          "alluxio.user.streaming.data.read.timeout", "10s");

  /** Alluxio's client begins with some seconds; what hangs is left alone as long. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** To open a block takes a question or two to the master, to read one a worker's RAM. */
  private static final int SILENCES = 3;

  private static final int THREADS = 16;

  /** Of a block, in one read. */
  private static final int PIECE = 1 << 20;

  private final Configuration conf;
  private final Duration patience;
  private final GuardedOrigin beginning;
  private final GuardedOrigin afterwards;
  private final AtomicLong notBefore = new AtomicLong(System.nanoTime());
  private volatile @Nullable FileSystem opened;
  private volatile boolean hasRead;
  private volatile boolean closed;
  private final AtomicBoolean told = new AtomicBoolean();

  /** Opens nothing yet; most deployments have no Alluxio. */
  AlluxioFiles(Configuration conf) {
    this(conf, PATIENCE);
  }

  /** The same with a patience of one's own, in the place of {@link #PATIENCE}. */
  AlluxioFiles(Configuration conf, Duration patience) {
    this.conf = conf;
    this.patience = patience;
    beginning = new GuardedOrigin("eley-alluxio", THREADS, patience);
    Duration silence = SharedClients.settings(conf).get(ClientKeys.SILENCE);
    afterwards = new GuardedOrigin("eley-alluxio-block", THREADS, silence.multipliedBy(SILENCES));
  }

  /**
   * A place in Alluxio.
   *
   * @param path with scheme and master
   * @param blockId Alluxio's number of the block, which no other version of the file has
   * @param begin of the block in its file
   */
  record Place(Path path, long blockId, long begin) {
    /** Reads {@code alluxio://host:port/path#blockId,begin}. */
    static Place parse(String text) throws IOException {
      int hash = text.lastIndexOf('#');
      int comma = text.lastIndexOf(',');
      if (!text.startsWith("alluxio://") || hash < 0 || comma < hash) {
        throw new IOException("not a place in Alluxio: " + text);
      }
      try {
        return new Place(
            new Path(text.substring(0, hash)),
            Long.parseLong(text.substring(hash + 1, comma)),
            Long.parseLong(text.substring(comma + 1)));
      } catch (IllegalArgumentException e) {
        throw new IOException("not a place in Alluxio: " + text, e);
      }
    }
  }

  @Override
  public Opened open(String place, BlockId block) throws IOException {
    Place at = Place.parse(place);
    if (notBefore.get() - System.nanoTime() > 0) {
      throw new IOException("Alluxio has not answered, and is asked again soon");
    }
    ClassLoader classes = Thread.currentThread().getContextClassLoader();
    try {
      return guard().call("open " + place, () -> open(at, classes));
    } catch (EleyException e) {
      noteFailed(e);
      throw e;
    }
  }

  private GuardedOrigin guard() {
    return hasRead ? afterwards : beginning;
  }

  private void noteFailed(EleyException e) {
    if (e.code() == ErrorCode.ORIGIN_HUNG) {
      notBefore.set(System.nanoTime() + patience.toNanos());
    }
    if (e.code() != ErrorCode.INTERRUPTED) {
      tell(e);
    }
  }

  /**
   * On a thread that may hang.
   *
   * @param classes of the task, among which Alluxio's client is
   */
  private Opened open(Place at, ClassLoader classes) throws EleyException {
    Thread.currentThread().setContextClassLoader(classes);
    try {
      FileSystem alluxio = fileSystem(at.path.toUri());
      requireThere(alluxio.getFileStatus(at.path), at);
      return new OpenBlock(alluxio.open(at.path), at.begin);
    } catch (EleyException e) {
      throw e;
    } catch (IOException | RuntimeException | ReflectiveOperationException | LinkageError e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "no client of Alluxio, or one that fails: " + e, e);
    }
  }

  /**
   * One of our own, since Hadoop's cache would share it with whoever wants Alluxio's defaults. On
   * threads that may hang only: who makes it may hold the monitor for ever.
   */
  private synchronized FileSystem fileSystem(URI address) throws IOException {
    FileSystem known = opened;
    if (known == null) {
      var own = new Configuration(conf);
      own.setIfUnset("fs.alluxio.impl", "alluxio.hadoop.FileSystem");
      OBEDIENT.forEach(own::set);
      known = FileSystem.newInstance(address, own);
      opened = known;
      if (closed) { // nobody waits for who makes it
        known.close();
      }
    }
    return known;
  }

  /** What Hadoop's interface does not say, Alluxio's own kind of a file's status does. */
  private static void requireThere(FileStatus file, Place at)
      throws IOException, ReflectiveOperationException {
    Object status = file.getClass().getMethod("getUriStatus").invoke(file);
    Object info =
        status.getClass().getMethod("getBlockInfo", long.class).invoke(status, at.blockId);
    if (info == null) {
      throw new IOException(at + " is of another version of the file in Alluxio");
    }
    var workers = (List<?>) info.getClass().getMethod("getLocations").invoke(info);
    if (workers.isEmpty()) {
      throw new IOException(at + " is on no worker of Alluxio");
    }
  }

  private void tell(Throwable why) {
    if (told.compareAndSet(false, true)) {
      LOG.warn("what Alluxio holds cannot be read, so tasks read the origin: {}", why.toString());
    }
  }

  @Override
  public void close() throws IOException {
    beginning.close();
    afterwards.close();
    closed = true;
    FileSystem known = opened;
    if (known != null) {
      known.close();
    }
  }

  /** A stream at a block; its readers take turns. */
  private final class OpenBlock implements Opened {
    private final FSDataInputStream in;
    private final long begin;
    private boolean underWay;

    OpenBlock(FSDataInputStream in, long begin) {
      this.in = in;
      this.begin = begin;
    }

    @Override
    public synchronized int read(ByteBuffer target, long position) throws IOException {
      if (underWay) {
        throw new IOException("Alluxio has not answered a read of this block");
      }
      // A read that was given up may still write to its buffer.
      var own = new byte[Math.min(target.remaining(), PIECE)];
      try {
        int count = guard().call("read at " + position, () -> readNow(own, begin + position));
        hasRead = true;
        target.put(own, 0, Math.max(0, count));
        return count;
      } catch (EleyException e) {
        underWay = e.code() == ErrorCode.ORIGIN_HUNG || e.code() == ErrorCode.INTERRUPTED;
        noteFailed(e);
        throw e;
      }
    }

    private int readNow(byte[] target, long position) throws EleyException {
      try {
        in.seek(position);
        return in.read(target, 0, target.length);
      } catch (IOException | RuntimeException e) {
        throw new EleyException(ErrorCode.UNAVAILABLE, "Alluxio's client failed: " + e, e);
      }
    }

    /** Waits for nothing where a read is under way: the stream is closed behind it. */
    @Override
    public synchronized void close() throws IOException {
      if (underWay) {
        var unused = afterwards.start("close a block", this::closeNow);
      } else {
        afterwards.callAnyhow("close a block", this::closeNow);
      }
    }

    private boolean closeNow() throws EleyException {
      try {
        in.close();
        return true;
      } catch (IOException | RuntimeException e) {
        throw new EleyException(ErrorCode.UNAVAILABLE, "Alluxio's client failed: " + e, e);
      }
    }
  }
}
