package io.eley.bb.api.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The files of a deployment directory, by which its processes and their clients find each other.
 * This is the one place that knows their names; {@code docs/operations.md} says what is in them.
 * Scripts in {@code deploy/} spell them again, and a test compares.
 *
 * <p>Names only: nothing is read or made here.
 *
 * @param directory absolute and normalised
 */
public record DeploymentFiles(Path directory) {
  /** Environment variable that names the deployment when no option does. */
  public static final String ENVIRONMENT = "ELEY_DEPLOYMENT";

  private static final String SECRET = "secret";
  private static final String ADDRESS = "coordinator.address";
  private static final String ORIGIN = "origin";
  private static final String EPOCH = "epoch";
  private static final String APPLICATIONS = "applications";
  private static final String LOCK = "coordinator.lock";
  private static final String START_LOCK = "start.lock";
  private static final String ANNOUNCE_URL = "announce.url";
  private static final String ANNOUNCE_CURL = "announce.curl";
  private static final String ANNOUNCE_CERTIFICATE = "announce.pem";
  private static final String LIVE_URL = "live.url";
  private static final String LEDGER = "ledger.csv";
  private static final String LOGS = "logs";
  private static final String RAM_DISKS = "ram-disks";
  private static final String SETTINGS = "settings";
  private static final String PID_SUFFIX = ".pid";

  public DeploymentFiles {
    directory = directory.toAbsolutePath().normalize();
  }

  /**
   * The deployment of a user who names none: the environment's {@value #ENVIRONMENT}, or {@code
   * ~/.eley/deployment}.
   *
   * @param home the user's home directory
   */
  public static DeploymentFiles standard(Map<String, String> environment, Path home) {
    String named = environment.getOrDefault(ENVIRONMENT, "");
    return new DeploymentFiles(
        named.isBlank() ? home.resolve(Path.of(".eley", "deployment")) : Path.of(named));
  }

  /** The secret that every process and client of the deployment shares, mode 0600. */
  public Path secret() {
    return directory.resolve(SECRET);
  }

  /** The coordinator's {@code host:port}; this file exists while it listens. */
  public Path coordinatorAddress() {
    return directory.resolve(ADDRESS);
  }

  /**
   * The origin's address and, in a second line, the mode. Written by the coordinator and kept when
   * it ends, so that clients which find no coordinator can go on alone.
   */
  public Path origin() {
    return directory.resolve(ORIGIN);
  }

  /** The highest epoch that a coordinator of this deployment may have given to a view. */
  public Path epoch() {
    return directory.resolve(EPOCH);
  }

  /** The applications whose drivers report to the coordinator; kept, so that the next one knows. */
  public Path applications() {
    return directory.resolve(APPLICATIONS);
  }

  /** Locked by the coordinator for its life. */
  public Path coordinatorLock() {
    return directory.resolve(LOCK);
  }

  /** Locked by a start until its processes are noted; for a deployment on one machine. */
  public Path startLock() {
    return directory.resolve(START_LOCK);
  }

  /** The URL at which phases are announced by HTTP. */
  public Path announceUrl() {
    return directory.resolve(ANNOUNCE_URL);
  }

  /** The token for {@link #announceUrl}, as an options file of curl(1), mode 0600. */
  public Path announceCurl() {
    return directory.resolve(ANNOUNCE_CURL);
  }

  /** The certificate of {@link #announceUrl}, when that is not on loopback. */
  public Path announceCertificate() {
    return directory.resolve(ANNOUNCE_CERTIFICATE);
  }

  /** The URL of the live page with its token, mode 0600. */
  public Path liveUrl() {
    return directory.resolve(LIVE_URL);
  }

  /** Those that exist while a coordinator listens, unless it was killed. */
  public List<Path> whileItListens() {
    return List.of(
        coordinatorAddress(), announceUrl(), announceCurl(), announceCertificate(), liveUrl());
  }

  /** Every HPC phase, a line each; kept when the deployment stops. */
  public Path ledger() {
    return directory.resolve(LEDGER);
  }

  /** The directory of the logs, one file a process. */
  public Path logs() {
    return directory.resolve(LOGS);
  }

  /** The log of one process. */
  public Path log(String process) {
    return logs().resolve(process + ".log");
  }

  /**
   * The list of the nodes' directories on the RAM-disk, one a line; for a deployment on one
   * machine.
   */
  public Path ramDisks() {
    return directory.resolve(RAM_DISKS);
  }

  /**
   * The keys that the deployment was started with, one a line, mode 0600; for a deployment on one
   * machine.
   */
  public Path settings() {
    return directory.resolve(SETTINGS);
  }

  /** The file with the process id of one process; for a deployment on one machine. */
  public Path pidFile(String process) {
    return directory.resolve(process + PID_SUFFIX);
  }

  /** Whether a file is one of {@link #pidFile}. */
  public static boolean isPidFile(Path file) {
    return name(file).endsWith(PID_SUFFIX);
  }

  /** The process whose {@link #pidFile} this is. */
  public static String processOf(Path pidFile) {
    String name = name(pidFile);
    return name.substring(0, name.length() - PID_SUFFIX.length());
  }

  /** All names but those that carry a process's name. */
  public static List<String> names() {
    return List.of(
        SECRET,
        ADDRESS,
        ORIGIN,
        APPLICATIONS,
        LOCK,
        START_LOCK,
        ANNOUNCE_URL,
        ANNOUNCE_CURL,
        ANNOUNCE_CERTIFICATE,
        LIVE_URL,
        LEDGER,
        LOGS,
        RAM_DISKS,
        SETTINGS);
  }

  private static String name(Path file) {
    Path name = file.getFileName();
    return name == null ? "" : name.toString();
  }
}
