package io.eley.coordinator.neighbours;

import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The directory in which each deployment of a user has a file of its own, renamed into place. It is
 * trusted as a deployment directory is: this user alone, or root, can have written there.
 *
 * <p>For one thread. Blocks for a few calls of the file system.
 */
final class NeighbourDirectory {
  /** More deployments than this are not looked at. */
  private static final int MOST = 256;

  private static final String SUFFIX = ".moved";

  private final Path directory;
  private final Listing listing;
  private final Path own;

  /** Lists a directory, as {@link Files#list} does. */
  interface Listing {
    /** What is there; the stream fails with {@link UncheckedIOException}. */
    Stream<Path> of(Path directory) throws IOException;
  }

  private NeighbourDirectory(Path directory, Listing listing) {
    this.directory = directory;
    this.listing = listing;
    own = directory.resolve(UUID.randomUUID() + SUFFIX);
  }

  /**
   * Opens the directory, and makes it when it is missing (mode 0700).
   *
   * @throws IOException when it cannot be made, or others can write to it or a parent
   */
  static NeighbourDirectory open(Path directory) throws IOException {
    return open(directory, Files::list);
  }

  /** Opens it with a way of its own to list it. */
  static NeighbourDirectory open(Path directory, Listing listing) throws IOException {
    OwnPaths.requireDirectoryOrPlace(directory);
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return new NeighbourDirectory(directory, listing);
  }

  /** Replaces our own entry: others read all of it or the one before. */
  void write(NeighbourEntry entry) throws IOException {
    OwnFiles.replace(own, entry.line());
  }

  /** The entries of others, by the names of their files; what makes no sense is left out. */
  Map<String, NeighbourEntry> others() throws IOException {
    var entries = new HashMap<String, NeighbourEntry>();
    for (Path file : files()) {
      read(file).ifPresent(entry -> entries.put(file.getFileName() + "", entry));
    }
    return entries;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = listing.of(directory)) {
      return all.filter(f -> f.toString().endsWith(SUFFIX) && !f.equals(own)).limit(MOST).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause(); // of reading the directory, such as ESTALE where it is on NFS
    }
  }

  private static Optional<NeighbourEntry> read(Path file) throws IOException {
    try {
      OwnPaths.requireFile(file);
      return Files.size(file) > NeighbourEntry.LONGEST
          ? Optional.empty()
          : NeighbourEntry.parse(OwnPaths.read(file));
    } catch (NoSuchFileException | EleyException e) {
      return Optional.empty(); // its deployment has just ended, or it is somebody else's
    }
  }

  /** Removes the entry of a deployment that has ended without doing so itself. */
  void remove(String name) throws IOException {
    Files.deleteIfExists(directory.resolve(name));
  }

  /** Removes our own entry. */
  void leave() throws IOException {
    Files.deleteIfExists(own);
  }
}
