package io.eley.bb.api.client;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.NetworkKeys;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Options of a client.
 *
 * @param deployment where the coordinator is; empty is a client of the origin alone
 * @param originAddress the origin to use when the coordinator cannot be asked; may be empty
 * @param name see {@link ClientKeys#NAME}
 * @param connections to each node; 0 follows the processors
 * @param timeouts all deadlines
 * @param alone how it reads past the buffer while no coordinator says how fast it may
 * @param retries further attempts at nodes
 * @param local what is read from same-host files
 * @param verify whether checksums are checked
 * @param readAhead whether sequential streams ask ahead
 */
public record ClientOptions(
    Optional<Deployment> deployment,
    String originAddress,
    String name,
    int connections,
    Timeouts timeouts,
    Alone alone,
    int retries,
    Local local,
    boolean verify,
    boolean readAhead) {

  /** Deadlines; see {@link ClientKeys}. */
  public record Timeouts(
      Duration connect, Duration silence, Duration request, Duration read, Duration origin) {
    /** What a call may lose to peers that do not answer: one that is dialled in vain, and more. */
    Patience patience() {
      return new Patience(connect.plus(silence), silence, System::nanoTime);
    }

    /** The same, with at least that much patience with peers that say nothing. */
    Timeouts withSilence(Duration least) {
      Duration longer = silence.compareTo(least) < 0 ? least : silence;
      return new Timeouts(connect, longer, request, read, origin);
    }

    /** For one attempt at one peer: dialled, silent, and silent once more when asked for life. */
    Patience untilSilent() {
      return new Patience(connect.plus(silence.multipliedBy(2)), silence, System::nanoTime);
    }

    /** How long a peer may take nothing of what is written to it: as it may say nothing. */
    Duration stall() {
      return silence.multipliedBy(2);
    }

    /** What the question may lose whether the origin may be read; it follows all other losses. */
    Patience lastQuestion() {
      return new Patience(silence.multipliedBy(2), silence, System::nanoTime);
    }
  }

  /**
   * Reading the files of nodes on this machine.
   *
   * @param enabled whether they may be read
   * @param leases how many are kept open for the next reads, at most
   */
  public record Local(boolean enabled, int leases) {}

  /**
   * Reading past the buffer while no coordinator says how fast.
   *
   * @param rate bytes a second
   * @param delayMax how long nothing is read after a hold was the last that was heard
   */
  public record Alone(DataSize rate, Duration delayMax) {}

  /** The options in the settings. */
  public static ClientOptions from(Settings settings) {
    return new ClientOptions(
        Deployment.from(settings),
        settings.get(ClientKeys.ORIGIN),
        settings.get(ClientKeys.NAME),
        settings.get(ClientKeys.CONNECTIONS),
        new Timeouts(
            settings.get(ClientKeys.CONNECT_TIMEOUT),
            settings.get(ClientKeys.SILENCE),
            settings.get(ClientKeys.REQUEST_DEADLINE),
            settings.get(ClientKeys.READ_DEADLINE),
            settings.get(ClientKeys.ORIGIN_DEADLINE)),
        new Alone(settings.get(ClientKeys.FALLBACK_RATE), settings.get(HoldKeys.DELAY_MAX)),
        settings.get(ClientKeys.RETRIES),
        new Local(settings.get(ClientKeys.LOCAL), settings.get(ClientKeys.LOCAL_LEASES)),
        settings.get(ClientKeys.VERIFY),
        settings.get(ClientKeys.READ_AHEAD));
  }

  /** The origin of a deployment, and how it is to be read, without asking anybody. */
  record KnownOrigin(String address, BufferMode mode) {}

  /**
   * Where a deployment's coordinator and secret are. Read anew at each connect, since a coordinator
   * that was started again may listen elsewhere.
   *
   * @param directory the deployment directory, or empty
   * @param coordinator {@code host:port}, or empty to read it from the directory
   * @param secretFile the secret, or empty to take the directory's
   * @param protection the least that its connections must have
   */
  public record Deployment(
      String directory, String coordinator, String secretFile, NetworkProtection protection) {
    /** With the usual protection. */
    public Deployment(String directory, String coordinator, String secretFile) {
      this(directory, coordinator, secretFile, NetworkProtection.AUTO);
    }

    static Optional<Deployment> from(Settings settings) {
      var deployment =
          new Deployment(
              settings.get(ClientKeys.DEPLOYMENT),
              settings.get(ClientKeys.COORDINATOR),
              settings.get(ClientKeys.SECRET_FILE),
              settings.get(NetworkKeys.PROTECTION));
      return deployment.directory.isEmpty() && deployment.coordinator.isEmpty()
          ? Optional.empty()
          : Optional.of(deployment);
    }

    /** The deployment of a directory. */
    public static Deployment in(Path directory) {
      return new Deployment(directory.toAbsolutePath().toString(), "", "");
    }

    /**
     * The coordinator's address now.
     *
     * @throws EleyException {@code UNAVAILABLE} when nothing is running there, {@code
     *     UNAUTHENTICATED} when somebody else could have written the address
     */
    public InetSocketAddress address() throws EleyException {
      String text = coordinator.isEmpty() ? read(files().coordinatorAddress()) : coordinator;
      int colon = text.lastIndexOf(':');
      try {
        return new InetSocketAddress(
            text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
      } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
        throw new EleyException(
            ErrorCode.MALFORMED, "not an address of a coordinator (host:port): '" + text + "'", e);
      }
    }

    /**
     * The secret.
     *
     * @throws EleyException {@code UNAUTHENTICATED} when it cannot be read
     */
    public Secret secret() throws EleyException {
      if (secretFile.isEmpty() && directory.isEmpty()) {
        throw new EleyException(
            ErrorCode.UNAUTHENTICATED,
            "no secret: set "
                + ClientKeys.DEPLOYMENT.name()
                + " or "
                + ClientKeys.SECRET_FILE.name());
      }
      Path file = secretFile.isEmpty() ? files().secret() : Path.of(secretFile);
      try {
        return Secret.load(file);
      } catch (NoSuchFileException e) {
        throw new EleyException(
            ErrorCode.UNAUTHENTICATED,
            "no secret file " + file + "; is the deployment running?",
            e);
      } catch (IOException e) {
        throw new EleyException(
            ErrorCode.UNAUTHENTICATED, "cannot read the secret: " + e.getMessage(), e);
      }
    }

    /**
     * The origin that the deployment's last coordinator had, for going on alone; empty when there
     * was none, or there is no directory to look into.
     */
    Optional<KnownOrigin> origin() {
      if (directory.isEmpty()) {
        return Optional.empty();
      }
      try {
        List<String> lines = OwnPaths.read(files().origin()).lines().toList();
        return Optional.of(new KnownOrigin(lines.get(0), BufferMode.valueOf(lines.get(1))));
      } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    /**
     * What a client goes into a handshake with.
     *
     * @throws EleyException {@code UNAUTHENTICATED} when the secret cannot be read
     */
    public Credentials credentials() throws EleyException {
      return new Credentials(secret(), Identity.CLIENT, protection);
    }

    private DeploymentFiles files() {
      return new DeploymentFiles(Path.of(directory));
    }

    private static String read(Path file) throws EleyException {
      try {
        return OwnPaths.read(file).strip();
      } catch (EleyException e) {
        throw new EleyException(
            ErrorCode.UNAUTHENTICATED, "the deployment is not trusted: " + e.getMessage(), e);
      } catch (IOException e) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE,
            "no coordinator runs in " + file.getParent() + " (no " + file.getFileName() + ")",
            e);
      }
    }
  }
}
