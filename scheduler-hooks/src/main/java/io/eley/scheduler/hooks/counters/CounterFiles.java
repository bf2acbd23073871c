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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counters in files of a pattern. A site's script may write them less often than they are looked
 * at, and what has not been written since is no news: the same numbers again would say that nobody
 * has moved a byte. The kernel's files, which show the present whenever they are read, have no
 * length; they are always news.
 *
 * <p>For one thread.
 */
final class CounterFiles implements CounterReader {
  /** Of one file: more than 20,000 jobs of Lustre's, of 1.6 kB each, and little beside a heap. */
  private static final int MOST_BYTES = 32 << 20;

  /** A text of counters. */
  interface Parser {
    List<CounterPoint> parse(String file, String text) throws SignalException;
  }

  /** What tells a file from the same one written again. */
  private record Written(FileTime modified, long length, @Nullable Object key) {
    boolean showsThePresent() {
      return length == 0;
    }
  }

  private final String pattern;
  private final Parser parser;
  private Map<Path, Written> read = Map.of();

  CounterFiles(String pattern, Parser parser) {
    this.pattern = pattern;
    this.parser = parser;
  }

  /**
   * Looks at all files when one of them is news: a script writes them one after the other, and of a
   * part the bytes of the others would be missing.
   */
  @Override
  public Look look() throws SignalException {
    // Before they are read: what is written meanwhile is news the next time.
    Map<Path, Written> now = written();
    boolean news = !now.equals(read) || now.values().stream().anyMatch(Written::showsThePresent);
    if (!news) {
      return Look.NOTHING_NEW;
    }
    var points = new ArrayList<CounterPoint>();
    for (Path file : now.keySet()) {
      points.addAll(parser.parse(file.toString(), text(file)));
    }
    read = now;
    return Look.now(points);
  }

  private Map<Path, Written> written() throws SignalException {
    var files = new TreeMap<Path, Written>();
    for (Path file : matching()) {
      try {
        var seen = Files.readAttributes(file, BasicFileAttributes.class);
        files.put(file, new Written(seen.lastModifiedTime(), seen.size(), seen.fileKey()));
      } catch (IOException e) {
        throw unreadable(file, e);
      }
    }
    if (files.isEmpty()) {
      throw SignalException.absent("there is no " + pattern);
    }
    return files;
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
      return all.filter(matcher::matches).toList();
    } catch (IOException | UncheckedIOException e) {
      throw SignalException.absent("there is no " + pattern);
    }
  }
}
