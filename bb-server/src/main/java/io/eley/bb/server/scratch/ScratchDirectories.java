package io.eley.bb.server.scratch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The directories of scratch in both tiers: a node's, or one application's below them. All have
 * mode 0700, and nothing is followed that leads out of them.
 *
 * @param ram on the RAM-disk
 * @param overflow on a local disk; empty when there is none
 */
public record ScratchDirectories(Path ram, Optional<Path> overflow) {
  private static final String BLOCKS = "blocks";
  private static final String INCOMING = "incoming";

  /** An application's, which are not made yet. */
  ScratchDirectories of(String application) {
    return new ScratchDirectories(
        ram.resolve(application), overflow.map(path -> path.resolve(application)));
  }

  /** In each tier one. */
  List<Path> both() {
    return Stream.concat(Stream.of(ram), overflow.stream()).toList();
  }

  /** Makes a node's, which must not be there. */
  void make() throws IOException {
    for (Path path : both()) {
      Files.createDirectory(path, ScratchFiles.OWNER_DIRECTORY);
    }
  }

  /** Makes an application's. */
  void makeOfApplication() throws IOException {
    make();
    Files.createDirectory(blocks(), ScratchFiles.OWNER_DIRECTORY);
    for (Path path : both()) {
      Files.createDirectory(path.resolve(INCOMING), ScratchFiles.OWNER_DIRECTORY);
    }
    if (overflow.isPresent()) {
      Files.createSymbolicLink(ram.resolve(OutputPlace.LINK), overflow.get());
    }
  }

  /** Where an application's service looks for outputs. */
  Path blocks() {
    return ram.resolve(BLOCKS);
  }

  /** Where an application's outputs of a tier are written and found. */
  OutputPlace place(Tier tier) {
    if (tier == Tier.RAM) {
      return new OutputPlace(tier, ram.resolve(INCOMING), blocks(), blocks());
    }
    Path directory = overflow.orElseThrow();
    return new OutputPlace(tier, directory.resolve(INCOMING), directory, blocks());
  }

  /**
   * Deletes them with all that is in them; nothing when there are none.
   *
   * @throws IOException when something is left in one; the other was tried all the same
   */
  void delete() throws IOException {
    IOException failed = null;
    for (Path path : both()) {
      try {
        ScratchFiles.deleteTree(path);
      } catch (IOException e) {
        if (failed == null) {
          failed = e;
        } else {
          failed.addSuppressed(e);
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
