package io.eley.scheduler.hooks.counters;

import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counters in files of a pattern. A site's script may write them less often than they are looked
 * at, and what has not been written since is no news: the same numbers again would say that nobody
 * has moved a byte. The kernel's files show the present whenever they are read, and are always
 * news.
 *
 * <p>For one thread.
 */
final class CounterFiles implements CounterReader {
  /** Of one file: more than 20,000 jobs of Lustre's, of 1.6 kB each, and little beside a heap. */
  private static final int MOST_BYTES = 32 << 20;

  private static final Path KERNEL = Path.of("/sys");

  /** A text of counters. */
  interface Parser {
    List<CounterPoint> parse(String file, String text) throws SignalException;
  }

  /** What tells a file from the same one written again. */
  private record Written(FileTime modified, long length, @Nullable Object key, boolean present) {
    /** As the file is now; those of the kernel have no length, or its page's. */
    static Written of(Path file) throws IOException {
      var seen = Files.readAttributes(file, BasicFileAttributes.class);
      boolean present = seen.size() == 0 || file.toRealPath().startsWith(KERNEL);
      return new Written(seen.lastModifiedTime(), seen.size(), seen.fileKey(), present);
    }
  }

  private final String pattern;
  private final Parser parser;
  private Map<Path, Written> written = Map.of();
  private List<CounterPoint> counted = List.of();

  CounterFiles(String pattern, Parser parser) {
    this.pattern = pattern;
    this.parser = parser;
  }

  /**
   * All files are news when one of them is: a script writes them one after the other, and of a part
   * the bytes of the others would be missing.
   */
  @Override
  public Look look() throws SignalException {
    var now = new HashMap<Path, Written>();
    var points = new ArrayList<CounterPoint>();
    for (Path file : matching()) {
      points.addAll(parser.parse(file.toString(), text(file)));
      // After it was opened, since before NFS tells what it has known for up to a minute. What is
      // written in between shows in the numbers of the next look.
      now.put(file, attributes(file));
    }
    if (now.isEmpty()) {
      throw SignalException.absent("there is no " + pattern);
    }
    boolean news =
        !now.equals(written)
            || !points.equals(counted)
            || now.values().stream().anyMatch(Written::present);
    written = now;
    counted = points;
    return news ? Look.now(points) : Look.NOTHING_NEW;
  }

  private static Written attributes(Path file) throws SignalException {
    try {
      return Written.of(file);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static String text(Path file) throws SignalException {
    try (var in = Files.newInputStream(file)) {
      byte[] text = in.readNBytes(MOST_BYTES);
      if (text.length == MOST_BYTES && in.read() >= 0) {
        // What is cut off would look as if it were moved in the moment in which it comes into view.
        throw SignalException.failed(
            file + " has more than " + (MOST_BYTES >> 20) + " MiB, which is the most that is read");
      }
      return new String(text, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static SignalException unreadable(Path file, IOException why) {
    return SignalException.failed("cannot read " + file + ": " + why.getMessage());
  }

  /** The pattern's files; the part before its first wildcard is walked. */
  private List<Path> matching() throws SignalException {
    int wildcard = pattern.indexOf('*');
    if (wildcard < 0) {
      return Files.exists(Path.of(pattern)) ? List.of(Path.of(pattern)) : List.of();
    }
    Path root = Path.of(pattern.substring(0, pattern.lastIndexOf('/', wildcard) + 1));
    int depth = Path.of(pattern).getNameCount() - root.getNameCount();
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    try (Stream<Path> all = Files.walk(root, depth)) {
      return all.filter(matcher::matches).sorted().toList();
    } catch (IOException | UncheckedIOException e) {
      throw SignalException.absent("there is no " + pattern);
    }
  }
}
