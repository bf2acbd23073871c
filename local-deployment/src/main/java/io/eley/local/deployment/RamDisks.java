package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.TreeDeletion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The nodes' private directories on the RAM-disk, and on a local disk where they have an overflow.
 * A node that is killed leaves its blocks in RAM, so each directory is noted when it is made, and
 * stopping the deployment removes what is noted.
 *
 * <p>A line of the list is a random token, the host and the directory's path. The directory's own
 * lock file holds the same token, which is how {@link #remove} knows that it is the one that was
 * made: a path that has come into the list in another way, or has become somebody else's, is left
 * alone. A line of another host stays in the list, for whoever stops the deployment there.
 *
 * @param files of the deployment
 */
record RamDisks(DeploymentFiles files) {
  private static final String PREFIX = "eley-";
  private static final String LOCK = "lock"; // the node's, too
  private static final Pattern JOB = Pattern.compile("[0-9]{1,10}");
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final int TOKEN_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Makes and notes a directory of mode 0700. */
  Path create(Path ramDisk, String node) throws EleyException {
    return create(ramDisk, node, System.getenv());
  }

  /**
   * The same; in a job of Slurm its number is in the name, {@code eley-node-1-JOB-…}, by which
   * {@code job-prolog.sh} knows what may go. What {@code salloc} runs beside the cluster has that
   * number, too, but nobody ends it with the job: only slurmd says which host of the job this is.
   */
  Path create(Path ramDisk, String node, Map<String, String> environment) throws EleyException {
    String job = environment.getOrDefault("SLURM_JOB_ID", "");
    boolean inJob = environment.containsKey("SLURMD_NODENAME") && JOB.matcher(job).matches();
    String name = PREFIX + node + "-" + (inJob ? job + "-" : "");
    try {
      OwnPaths.requireParents(ramDisk.resolve(node));
      Path made =
          Files.createTempDirectory(ramDisk.toAbsolutePath().normalize(), name, OWNER_DIRECTORY);
      String token = token();
      lock(made, token);
      OwnFiles.append(
          files.ramDisks(), token + "@" + Whereabouts.here().host() + " " + made + "\n");
      return made;
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED,
          "cannot make a directory on " + ramDisk + ": " + e.getMessage(),
          e);
    }
  }

  private static void lock(Path made, String token) throws IOException {
    Files.writeString(
        Files.createFile(
            made.resolve(LOCK),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
        token);
  }

  /**
   * Makes those of this host again that somebody has removed: what a node made by itself would have
   * no token, and nobody would remove it. One of which something is left, since the node wrote into
   * it while it was being removed, gets its lock file again, without which no node takes it.
   */
  void restore() throws EleyException {
    for (String line : noted()) {
      int space = line.indexOf(' ');
      String[] tokenAndHost = line.substring(0, Math.max(space, 0)).split("@", 2);
      Optional<Path> noted = path(line.substring(space + 1));
      boolean here = tokenAndHost.length == 2 && tokenAndHost[1].equals(Whereabouts.here().host());
      if (here && noted.isPresent() && isNamedLikeOurs(noted.get())) {
        restore(noted.get(), tokenAndHost[0]);
      }
    }
  }

  private static void restore(Path directory, String token) throws EleyException {
    if (Files.exists(directory.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      OwnPaths.requireParents(directory);
      Path parent = directory.getParent();
      // It is there on each Linux; elsewhere a RAM-disk that is missing may not be mounted.
      if (parent != null && parent.startsWith(SHARED_MEMORY)) {
        Files.createDirectories(parent, OWNER_DIRECTORY);
      }
      if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(directory, OWNER_DIRECTORY);
      }
      OwnPaths.requireDirectory(directory); // which is not what somebody else has made there
      lock(directory, token);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot make " + directory + " again: " + e.getMessage(), e);
    }
  }

  private static String token() {
    byte[] token = new byte[TOKEN_BYTES];
    RANDOM.nextBytes(token);
    return HexFormat.of().formatHex(token);
  }

  /** Removes the directories that are noted and proven to be those that were made. */
  void remove() throws EleyException {
    try {
      var kept = new StringBuilder();
      for (String line : OwnPaths.read(files.ramDisks()).lines().toList()) {
        if (!remove(line)) {
          kept.append(line).append('\n');
        }
      }
      if (kept.isEmpty()) {
        Files.delete(files.ramDisks());
      } else {
        OwnFiles.replace(files.ramDisks(), kept.toString());
      }
    } catch (NoSuchFileException e) {
      return; // no list: nothing was made
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot remove the blocks of a node: " + e.getMessage(), e);
    }
  }

  /** The list as it is, for whoever may have to {@link #remove(List)} what is in it without it. */
  List<String> noted() throws EleyException {
    try {
      return OwnPaths.read(files.ramDisks()).lines().toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot read " + files.ramDisks(), e);
    }
  }

  /** Removes what these lines of a list say, and prove to be what was made. */
  static void remove(List<String> lines) throws IOException {
    for (String line : lines) {
      boolean unused = remove(line);
    }
  }

  /** False for a line of another host whose directory is not here. */
  private static boolean remove(String line) throws IOException {
    int space = line.indexOf(' ');
    String[] tokenAndHost = line.substring(0, Math.max(space, 0)).split("@", 2);
    Optional<Path> noted = path(line.substring(space + 1));
    if (noted.isPresent() && isOurs(noted.get(), tokenAndHost[0])) {
      OwnPaths.requireDirectory(noted.get());
      TreeDeletion.delete(noted.get());
      return true;
    }
    return tokenAndHost.length == 1 || tokenAndHost[1].equals(Whereabouts.here().host());
  }

  /** Empty for a text that no path is written as, which a damaged list may hold. */
  private static Optional<Path> path(String text) {
    try {
      return Optional.of(Path.of(text));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static boolean isNamedLikeOurs(Path directory) {
    Path name = directory.getFileName();
    return name != null
        && name.toString().startsWith(PREFIX + LocalDeployment.NODE + "-")
        && directory.equals(directory.toAbsolutePath().normalize());
  }

  private static boolean isOurs(Path directory, String token) {
    try {
      return isNamedLikeOurs(directory)
          && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
          && token.length() == 2 * TOKEN_BYTES
          && OwnPaths.readPrivate(directory.resolve(LOCK)).equals(token);
    } catch (IOException e) {
      return false; // gone, or not ours any more
    }
  }
}
