package io.eley.bb.server.scratch;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Where an application's outputs of one tier are written and found. The shuffle service looks on
 * the RAM-disk alone: Spark picks among several local directories by a name's hash, whatever has
 * room. So a file of the overflow has a symbolic link there. The link leads through another one to
 * the application's directory of the overflow and is short enough for tmpfs to keep it without a
 * page (128 bytes).
 *
 * @param tier that its bytes are reserved in
 * @param incoming for files that are being written, on the tier's file system
 * @param files on the tier's file system; in RAM the same as {@code blocks}
 * @param blocks where the service looks
 */
record OutputPlace(Tier tier, Path incoming, Path files, Path blocks) {
  /** Of an application's directory: the link to its directory of the overflow. */
  static final String LINK = "overflow";

  /** What is there of a file once it is published, the name that readers look for first. */
  List<Path> paths(String name) {
    Path found = ScratchFiles.place(blocks, name);
    return tier == Tier.RAM ? List.of(found) : List.of(found, files.resolve(name));
  }

  /** Lets readers see a file that is complete, by renames. */
  void publish(Path temporary, String name) throws IOException {
    Path found = ScratchFiles.place(blocks, name);
    Path bucket = found.getParent();
    if (bucket != null) {
      makeOnce(bucket);
    }
    if (tier == Tier.RAM) {
      move(temporary, found);
      return;
    }
    move(temporary, files.resolve(name));
    Path link = blocks.resolveSibling(temporary.getFileName() + ".link");
    Files.createSymbolicLink(link, Path.of("..", "..", LINK, name));
    move(link, found);
  }

  /** Not with those above it: an application that has gone meanwhile must stay so. */
  private static void makeOnce(Path bucket) throws IOException {
    try {
      Files.createDirectory(bucket, ScratchFiles.OWNER_DIRECTORY);
    } catch (FileAlreadyExistsException e) {
      // The name is ours alone: an output before has made it.
    }
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
