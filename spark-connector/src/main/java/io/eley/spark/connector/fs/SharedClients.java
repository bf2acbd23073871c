package io.eley.spark.connector.fs;

import io.eley.bb.api.client.ClientCounters;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.Origins;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client for each deployment and user in a JVM, however many file systems there are: Hadoop
 * makes one for each uncached instance, too, and connections are worth sharing. A user is one of
 * Hadoop's, whose name and credentials are those of what is written to an origin behind Hadoop's
 * clients. The client is closed with the last file system, or the last stream, that uses it. Safe
 * for several threads.
 */
public final class SharedClients {
  private static final Logger LOG = LoggerFactory.getLogger(SharedClients.class);

  private static final Map<Key, Shared> CLIENTS = new HashMap<>();

  /** Those that are being closed; used by nobody. */
  private static final Set<Shared> CLOSING = new HashSet<>();

  /** What clients that were closed have read. */
  private static final Map<ClientCounters.Source, Long> CLOSED =
      new EnumMap<>(ClientCounters.Source.class);

  /** Users are the same as for Hadoop's own cache of file systems. */
  private record Key(ClientOptions options, UserGroupInformation user) {}

  private SharedClients() {}

  /** The caller's client of this configuration; each call needs one {@link Lease#close}. */
  public static Lease acquire(Configuration conf) throws EleyException {
    return acquire(ClientOptions.from(settings(conf)), conf);
  }

  /** Our keys in Hadoop's configuration. */
  static Settings settings(Configuration conf) {
    return Settings.from(conf::get, LOG::warn);
  }

  /** The caller's client of these options; each call needs one {@link Lease#close}. */
  public static Lease acquire(ClientOptions options) throws EleyException {
    return acquire(options, new Configuration());
  }

  private static Lease acquire(ClientOptions options, Configuration conf) throws EleyException {
    try {
      return acquire(new Key(options, UserGroupInformation.getCurrentUser()), conf);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "Hadoop knows no user: " + e, e);
    }
  }

  private static synchronized Lease acquire(Key key, Configuration conf) throws EleyException {
    Shared shared = CLIENTS.get(key);
    if (shared == null) {
      var alluxio = new AlluxioFiles(conf);
      var client =
          EleyClient.open(key.options, alluxio, (address, name) -> openAs(key.user, address, name));
      shared = new Shared(client, alluxio);
      CLIENTS.put(key, shared);
    }
    shared.users++;
    return new Lease(key, shared.client);
  }

  /** The thread that needs the origin first may be anybody's. */
  private static Origin openAs(UserGroupInformation user, String address, String name)
      throws EleyException {
    PrivilegedExceptionAction<Origin> opening = () -> Origins.open(address, name);
    try {
      return user.doAs(opening);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ORIGIN_FAILED, "cannot open " + address + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted: open " + address, e);
    }
  }

  /** Another use of a client that is in use. */
  private static synchronized Lease share(Key key, EleyClient client) {
    Objects.requireNonNull(CLIENTS.get(key)).users++;
    return new Lease(key, client);
  }

  /**
   * Ends a use. The last one closes the client, which may ask a coordinator that hangs and takes
   * locks of Hadoop's: nobody else's use waits for that.
   */
  private static void release(Key key) {
    Shared last = leave(key);
    if (last != null) {
      last.close();
      noteClosed(last);
    }
  }

  private static synchronized @Nullable Shared leave(Key key) {
    Shared shared = CLIENTS.get(key);
    if (shared == null || --shared.users > 0) {
      return null;
    }
    CLIENTS.remove(key);
    CLOSING.add(shared);
    return shared;
  }

  private static synchronized void noteClosed(Shared shared) {
    CLOSING.remove(shared);
    for (var source : ClientCounters.Source.values()) {
      CLOSED.merge(source, shared.client.counters().bytes(source), Long::sum);
    }
  }

  /** Bytes that all clients of this JVM have read from these sources, also those closed since. */
  public static synchronized long bytes(ClientCounters.Source... sources) {
    return Arrays.stream(sources).mapToLong(SharedClients::bytesFrom).sum();
  }

  private static long bytesFrom(ClientCounters.Source source) {
    return CLOSED.getOrDefault(source, 0L)
        + Stream.concat(CLIENTS.values().stream(), CLOSING.stream())
            .mapToLong(s -> s.client.counters().bytes(source))
            .sum();
  }

  /** A use of a shared client. Safe for several threads. */
  public static final class Lease implements AutoCloseable {
    private final Key key;
    private final EleyClient client;
    private final OpenCalls streams;

    private Lease(Key key, EleyClient client) {
      this.key = key;
      this.client = client;
      streams = new OpenCalls(() -> release(key));
    }

    public EleyClient client() {
      return client;
    }

    /**
     * Opens a file. The client stays until the stream is closed, also when this lease is closed
     * before. Blocks.
     *
     * @return empty when this lease is closed
     */
    Optional<BbInputStream> open(String file, IoCounts.OfStream counts) throws EleyException {
      if (!streams.enter()) {
        return Optional.empty();
      }
      try {
        return Optional.of(new BbInputStream(client.openFile(file), counts, streams::leave));
      } catch (EleyException | RuntimeException | Error e) {
        streams.leave();
        throw e;
      }
    }

    /**
     * Another use of the same client, for who keeps it for longer than this one is open: a stream
     * that writes, when its file system is closed.
     *
     * @return empty when this lease is closed
     */
    Optional<Lease> another() {
      if (!streams.enter()) {
        return Optional.empty();
      }
      try {
        return Optional.of(share(key, client));
      } finally {
        streams.leave();
      }
    }

    boolean closed() {
      return streams.closed();
    }

    /** Lets no more streams be opened; those that are open read on. */
    @Override
    public void close() {
      boolean unused = streams.close();
    }
  }

  private static final class Shared {
    private final EleyClient client;
    private final AlluxioFiles alluxio;
    private int users;

    Shared(EleyClient client, AlluxioFiles alluxio) {
      this.client = client;
      this.alluxio = alluxio;
    }

    void close() {
      client.close();
      try {
        alluxio.close();
      } catch (IOException e) {
        LOG.debug("Alluxio's client did not close: {}", e.toString());
      }
    }
  }
}
