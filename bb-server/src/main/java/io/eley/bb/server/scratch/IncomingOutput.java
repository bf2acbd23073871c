package io.eley.bb.server.scratch;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.ScratchMessage.Part;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.server.net.ReceivedBytes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An output that is being written, in temporary files, or given whole by a writer on this machine.
 * Safe for several threads, of which one works on it at a time.
 */
final class IncomingOutput {
  private final MapOutput output;
  private final List<Part> parts;
  private final OutputPlace place;
  private final long[] written;
  private final List<Path> temporary = new ArrayList<>();
  private final List<FileChannel> channels = new ArrayList<>();
  private final List<Path> given = new ArrayList<>();
  private final List<Path> published = new ArrayList<>();
  private final String givenPrefix;
  private final CommittedOutput committed;
  private boolean over;
  private boolean failed;

  /**
   * Makes its files.
   *
   * @param place where it will lie
   * @param name of its files while they are written, alone in the application
   */
  IncomingOutput(MapOutput output, List<Part> parts, OutputPlace place, String name)
      throws IOException {
    this.place = place;
    this.output = output;
    this.parts = parts;
    committed = new CommittedOutput(output);
    written = new long[parts.size()];
    givenPrefix = place.incoming().resolve(name + ".given").toAbsolutePath().toString();
    try {
      for (int i = 0; i < parts.size(); i++) {
        Path file = place.incoming().resolve(name + "." + i);
        channels.add(
            FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                ScratchFiles.OWNER_FILE));
        temporary.add(file);
        given.add(Path.of(givenPrefix + "." + i));
      }
    } catch (IOException e) {
      for (Path file : discard()) {
        Files.deleteIfExists(file);
      }
      throw e;
    }
  }

  MapOutput output() {
    return output;
  }

  /** What becomes of it when it is committed. */
  CommittedOutput committed() {
    return committed;
  }

  /** What the names of files begin with that its writer may give whole. */
  String given() {
    return givenPrefix;
  }

  Tier tier() {
    return place.tier();
  }

  /** Room that an output with these parts takes. */
  static long footprint(List<Part> parts) {
    return parts.stream().mapToLong(p -> ScratchFiles.footprint(p.bytes())).sum();
  }

  long footprint() {
    return footprint(parts);
  }

  /** Writes a piece; the bytes stay the caller's to close. */
  synchronized void write(WriteScratch piece, ReceivedBytes bytes) throws IOException {
    requireOpen();
    if (piece.part() >= parts.size()
        || bytes.length() > parts.get(piece.part()).bytes() - piece.offset()) {
      throw new EleyException(ErrorCode.MALFORMED, "a piece behind the end of " + output);
    }
    bytes.writeTo(channels.get(piece.part()), piece.offset());
    written[piece.part()] += bytes.length();
  }

  /** Notes that a piece could not be written; whether none has failed before. */
  synchronized boolean failsFirst() {
    boolean first = !failed;
    failed = true;
    return first;
  }

  /**
   * Lets readers see the output: its index last, since who finds that takes the rest to be there.
   *
   * @return what is to be deleted when nobody reads it any more
   */
  synchronized List<Path> commit() throws IOException {
    requireOpen();
    for (int i = 0; i < parts.size(); i++) {
      if (isGiven(i)) {
        requireWhole(i);
      }
    }
    over = true;
    for (FileChannel channel : channels) {
      channel.close();
    }
    takeGiven();
    publishAll(false);
    publishAll(true);
    return List.copyOf(published);
  }

  private boolean isGiven(int part) {
    return written[part] != parts.get(part).bytes();
  }

  private void requireWhole(int part) throws IOException {
    if (written[part] > 0 || !isWhole(given.get(part), parts.get(part).bytes())) {
      throw new EleyException(ErrorCode.MALFORMED, "not all of " + output + " was written");
    }
  }

  /**
   * Once all parts are known to be whole: the mode is that of the writer's own file, too, which
   * others may have to read if this node does not take it. Setting it also shows that the file is
   * of the user who runs this node.
   */
  private void takeGiven() throws IOException {
    for (int i = 0; i < parts.size(); i++) {
      if (isGiven(i)) {
        Files.setPosixFilePermissions(given.get(i), ScratchFiles.OWNER_FILE.value());
        Files.move(
            given.get(i),
            temporary.get(i),
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static boolean isWhole(Path file, long bytes) throws IOException {
    try {
      var found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return found.isRegularFile() && found.size() == bytes;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private String name(int part) {
    return output.blockName() + "." + parts.get(part).ending();
  }

  private void publishAll(boolean index) throws IOException {
    for (int i = 0; i < parts.size(); i++) {
      if (isIndex(i) == index) {
        published.addAll(place.paths(name(i)));
        place.publish(temporary.get(i), name(i));
      }
    }
  }

  private boolean isIndex(int part) {
    return parts.get(part).ending().equals("index");
  }

  /**
   * Ends it, also when its commit has failed.
   *
   * @return the files that are to be deleted, where they are there
   */
  synchronized List<Path> discard() {
    over = true;
    for (FileChannel channel : channels) {
      try {
        channel.close();
      } catch (IOException e) {
        // What it could not write is deleted.
      }
    }
    return Stream.of(temporary, given, published).flatMap(List::stream).toList();
  }

  private void requireOpen() throws EleyException {
    if (over) {
      throw new EleyException(ErrorCode.NOT_FOUND, "given up or committed: " + output);
    }
  }
}
